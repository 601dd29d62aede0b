import type { NodeError } from '../../src/protocol/errors.ts';
import { rootOfExtrinsics, stateVersion } from '../chain/hashes.ts';
import { isOriginFault } from '../chain/refusal.ts';
import type { Execution } from '../chain/steps.ts';
import { type Block, blockLength } from '../codec/block.ts';
import type { Header } from '../codec/header.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Executor, FuelBudget, Runtime } from '../executor/executor.ts';
import { type ApiTarget, coreInitializeBlock, finalizeBlock } from '../executor/runtime-api.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Overlay } from '../state/overlay.ts';
import type { Pace } from '../tasks/pace.ts';
import { applyInherents, applyOne, type Run, type Verdict } from './apply-extrinsics.ts';
import type { Claim } from './engine.ts';
import { createInherentData } from './inherents.ts';

/** sc-basic-authorship: 4 MiB + 512 bytes, and up to 8 more attempts after a transaction did not fit. */
const maxBlockBytes = 4 * 1024 * 1024 + 512;
const maxSkipped = 8;

/** Length of the number of extrinsics, which precedes them. */
const countBytes = (count: number): number => (count < 64 ? 1 : count < 0x4000 ? 2 : 4);

/** With at least this many changes, the root is prepared in parts before the runtime requests it. */
const manyExtrinsics = 256;
const preparedAtOnce = 128;

export type Candidate = { readonly extrinsic: Uint8Array };

/**
 * Transactions in order of inclusion. `skipDependents` reports a failed one, so that its dependents are
 * skipped.
 */
export type Candidates<T extends Candidate> = Iterable<T> & { skipDependents(candidate: T): void };

/**
 * Why a ready transaction is not in a block: there was no room left, the runtime expects another one of its
 * account first, it depends on one that is not in the block, the runtime currently accepts no transactions, or
 * it needs a part of the live chain's state that cannot be read.
 */
export type LeftReason = 'full' | 'future' | 'stale' | 'dependent' | 'closed' | 'unread';

export type Proposal<T extends Candidate> = {
  readonly block: Block;
  readonly execution: Execution;
  readonly included: readonly T[];
  /** Rejected by the runtime permanently. */
  readonly invalid: readonly T[];
  /** Tried, but not included in this block. */
  readonly left: readonly (readonly [candidate: T, why: LeftReason])[];
  /** Those of `left` that need a state which cannot be read, with the error. */
  readonly unread: readonly (readonly [candidate: T, error: NodeError])[];
  /** Why transactions that were not tried are not in the block. */
  readonly rest: LeftReason;
};

export type ProposeDeps = {
  readonly run: <T>(attempt: () => T) => Promise<T>;
  readonly pace: Pace;
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  readonly signatures: SignatureCache;
  readonly executor: Pick<Executor, 'note'>;
  readonly fuel: FuelBudget;
};

/** The level of a log line. */
export const warning = 1;

export type Parent = {
  readonly hash: Uint8Array;
  readonly header: Header;
  readonly runtime: Runtime;
  openOverlay(): Overlay;
};

type Picked<T> = {
  readonly included: T[];
  readonly invalid: T[];
  readonly left: (readonly [T, LeftReason])[];
  readonly unread: (readonly [T, NodeError])[];
  rest: LeftReason;
};

const pickNone = <T>(rest: LeftReason): Picked<T> => ({
  included: [],
  invalid: [],
  left: [],
  unread: [],
  rest,
});

const reasons = { early: 'future', stale: 'stale', exhausted: 'full' } as const;

/** Null: what it needs of the live chain's state cannot be read, and `note` receives the error. The block goes on without it. */
const applyReadable = async (
  run: Run,
  overlay: Overlay,
  extrinsic: Uint8Array,
  note: (error: NodeError) => void,
): Promise<Verdict | null> => {
  try {
    return await applyOne(run, overlay, extrinsic);
  } catch (error) {
    if (!isOriginFault(error)) throw error;
    note(error);
    return null;
  }
};

/** Takes transactions in pool order until the block is full, yielding in between. */
const applyTransactions = async <T extends Candidate>(
  deps: ProposeDeps,
  run: Run,
  overlay: Overlay,
  candidates: Candidates<T>,
  opened: Block,
): Promise<Picked<T>> => {
  const picked = pickNone<T>('dependent');
  const inherents = opened.extrinsics.length;
  // The header as it is when the block is opened, like in `BlockBuilder::estimate_block_size`.
  let size = blockLength(opened) - countBytes(inherents);
  let skipped = 0;
  for (const candidate of candidates) {
    await deps.pace.pause();
    const { length } = candidate.extrinsic;
    const before = size + countBytes(inherents + picked.included.length);
    const noteUnread = (error: NodeError): void => void picked.unread.push([candidate, error]);
    const verdict =
      before + length > maxBlockBytes
        ? 'exhausted'
        : await applyReadable(run, overlay, candidate.extrinsic, noteUnread);
    if (verdict === 'included') {
      picked.included.push(candidate);
      size += length;
      continue;
    }
    candidates.skipDependents(candidate);
    if (verdict === 'invalid' || verdict === 'mandatory') picked.invalid.push(candidate);
    else picked.left.push([candidate, verdict === null ? 'unread' : reasons[verdict]]);
    if (verdict === 'exhausted' && ++skipped > maxSkipped) {
      picked.rest = 'full';
      break;
    }
  }
  return picked;
};

/** Does as much work as possible in slices before the last call, because that call cannot yield. */
const finish = async (
  { pace, crypto, ...deps }: ProposeDeps,
  on: Pick<ApiTarget, 'runtime' | 'overlay'>,
  extrinsics: readonly Uint8Array[],
): Promise<Header> => {
  await pace.pause();
  const knownRoot = rootOfExtrinsics(crypto, on.runtime, extrinsics);
  await pace.pause();
  if (extrinsics.length >= manyExtrinsics)
    while (await deps.run(() => on.overlay.prepareRoot(stateVersion(on.runtime), preparedAtOnce)))
      await pace.pause();
  await pace.pause();
  const options = {
    fuel: deps.fuel,
    context: 'author',
    verifiedSignatures: deps.signatures,
    knownRoot,
  } as const;
  return deps.run(() => finalizeBlock({ ...on, options }));
};

/** The header with which a block is opened. */
export const openingHeader = (
  { hash, header }: Pick<Parent, 'hash' | 'header'>,
  { digest }: Claim,
): Header => {
  const zero = new Uint8Array(32);
  return { parentHash: hash, number: header.number + 1, stateRoot: zero, extrinsicsRoot: zero, digest };
};

export const openBlock = async (
  deps: Pick<ProposeDeps, 'run' | 'signatures' | 'fuel'>,
  parent: Parent,
  claim: Claim,
  noteDropped: (message: string) => void = () => undefined,
) => {
  const { runtime } = parent;
  const overlay = parent.openOverlay();
  const options = { fuel: deps.fuel, context: 'author', verifiedSignatures: deps.signatures } as const;
  const run: Run = (step) => deps.run(() => step({ runtime, overlay, options }));
  const header = openingHeader(parent, claim);
  const mode = await run((target) => coreInitializeBlock(target, header));
  const data = createInherentData(claim, parent.header, runtime);
  const inherents = await applyInherents(run, overlay, data, noteDropped);
  return { overlay, run, mode, header, inherents };
};

/**
 * Builds one block on a parent: initializes it, applies inherents and transactions, and finalizes it, in this
 * order and on one overlay.
 */
export const proposeBlock = async <T extends Candidate>(
  deps: ProposeDeps,
  parent: Parent,
  claim: Claim,
  candidates: Candidates<T>,
): Promise<Proposal<T>> => {
  const { runtime } = parent;
  const {
    overlay,
    run,
    mode,
    header,
    inherents: extrinsics,
  } = await openBlock(deps, parent, claim, (message) =>
    deps.executor.note({ level: warning, target: 'author', message, block: parent.header.number + 1 }),
  );
  // ExtrinsicInclusionMode::OnlyInherents (Core 5): a multi-block migration is in progress.
  const open = mode === 'allExtrinsics';
  const picked = open
    ? await applyTransactions(deps, run, overlay, candidates, { header, extrinsics })
    : pickNone<T>('closed');
  for (const transaction of picked.included) extrinsics.push(transaction.extrinsic);
  const finished = await finish(deps, { runtime, overlay }, extrinsics);
  await deps.pace.pause();
  const execution = await deps.run(() => overlay.commit(stateVersion(runtime)));
  return { block: { header: finished, extrinsics }, execution, ...picked };
};
