import { noBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import type { Chain } from '../chain/chain.ts';
import { stateVersion } from '../chain/hashes.ts';
import { readExtrinsic } from '../codec/block.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import type { CallOptions, CallResult, FuelBudget, Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Pool } from '../pool/pool.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay } from '../state/overlay.ts';
import { type PendingRead, pendingReadsOf } from '../state/trial.ts';
import type { Claim } from './engine.ts';
import { createInherentData } from './inherents.ts';
import { openingHeader, type Parent } from './proposer.ts';

type BuildTrial = {
  readonly backend: Backend;
  readonly runtime: Runtime;
  /** Of the block, as it is opened. */
  readonly header: Header;
  readonly inherentData: Uint8Array;
  readonly transactions: readonly Uint8Array[];
  readonly options: CallOptions;
};

/** What the runtime returned as inherents; nothing if it returned something else, as it may in a trial. */
const readInherents = (result: CallResult): readonly Uint8Array[] => {
  if (!result.ok) return [];
  try {
    return new Reader(result.output).vec(readExtrinsic);
  } catch {
    return [];
  }
};

/** Builds a whole block at once on a state on which what is missing is absent. Its result is dropped. */
export const tryBuild = (
  { runtime, header, inherentData, transactions, options }: Omit<BuildTrial, 'backend'>,
  trial: Backend,
): void => {
  const overlay = createOverlay(trial);
  const call = (method: string, input: Uint8Array): CallResult =>
    runtime.call(overlay, method, input, options);
  call('Core_initialize_block', encodeHeader(header));
  const inherents = readInherents(call('BlockBuilder_inherent_extrinsics', inherentData));
  for (const extrinsic of [...inherents, ...transactions]) call('BlockBuilder_apply_extrinsic', extrinsic);
  call('BlockBuilder_finalize_block', noBytes);
  overlay.commit(stateVersion(runtime));
};

/** What building a block would miss, so that all is read together that does not depend on what is read. */
const predictBuildReads = ({ backend, ...build }: BuildTrial, guesses: boolean): readonly PendingRead[] => {
  // Absent values can make a loop longer than it is in the real block.
  const options = { ...build.options, fuel: 'small' } as const;
  return pendingReadsOf(backend, (trial) => tryBuild({ ...build, options }, trial), guesses);
};

/** Of the pool's transactions, this many are part of the trial of a block. */
const mostForeseen = 64;

type Deps = {
  readonly chain: Pick<Chain, 'run'>;
  readonly pool: Pick<Pool, 'ready'>;
  readonly signatures: SignatureCache;
  readonly fuel: FuelBudget;
  readonly predictsReads: boolean;
};

/**
 * How a block's steps are run: each again, until it misses nothing. Where reads are slow, the first miss loads what the
 * whole block will need. `transactions` null: those of the pool.
 */
export const runPredicting = (
  { chain, pool, signatures, fuel, predictsReads }: Deps,
  parent: Pick<Parent, 'hash' | 'header' | 'runtime'> & { readonly backend: Backend },
  claim: Claim,
  transactions: readonly Uint8Array[] | null,
): Deps['chain']['run'] => {
  if (!predictsReads) return chain.run;
  const { runtime, backend } = parent;
  const trial = {
    backend,
    runtime,
    header: openingHeader(parent, claim),
    inherentData: createInherentData(claim, parent.header, runtime),
    transactions: transactions ?? [...pool.ready()].slice(0, mostForeseen).map((one) => one.extrinsic),
    options: { fuel, context: 'author', verifiedSignatures: signatures } as const,
  };
  return (attempt) => chain.run(attempt, (_misses, guesses) => predictBuildReads(trial, guesses));
};
