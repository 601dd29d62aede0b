import { noBytes } from '../bytes/bytes.ts';
import type { Block } from '../codec/block.ts';
import { encodeHeader, splitSeals } from '../codec/header.ts';
import type { CallOptions, Runtime } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import { createTrialBackend, type Wanted, wantedBy } from '../state/trial.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import type { Foresight } from './node-store.ts';
import { startPace } from './pace.ts';
import type { ReadSets } from './read-sets.ts';

type Within = Parameters<Foresight>[1];

export type ForeseenCall = {
  readonly backend: Backend;
  readonly runtime: Runtime;
  readonly method: string;
  /** Finds out what else the call would miss. */
  scout(within: Within): readonly Wanted[] | Promise<readonly Wanted[]>;
};

/** The first miss of a call brings what it read last, where that is known; each other one what a trial of it wants. */
export const foreseeCall = (
  sets: ReadSets,
  { backend, runtime, method, scout }: ForeseenCall,
): { readonly foresee: Foresight; done(overlay: Overlay): void } => {
  let missed = false;
  return {
    foresee: (misses, within) => {
      missed = true;
      const known = misses === 1 ? sets.of(runtime, method) : [];
      return known.length > 0 ? known.map((key) => () => backend.get(key)) : scout(within);
    },
    done: (overlay) => {
      if (missed) sets.keep(runtime, method, overlay.keysRead());
    },
  };
};

/** A read without effects is tried as it is, from the first miss on. */
export const foreseeRead =
  (backend: Backend, read: (backend: Backend) => unknown): Foresight =>
  (_misses, within) =>
    within(() => wantedBy(backend, read));

/** So many transactions in a row that are not applied show what they lack; the others would lack the same. */
const refusedInARow = 64;

type BlockTrial = {
  readonly backend: Backend;
  readonly runtime: Runtime;
  readonly block: Block;
  /** What `Core_execute_block` takes, and the options it is called with. */
  readonly input: Uint8Array;
  readonly options: CallOptions;
};

/**
 * What executing a block would miss. Where it ends early, as with the first transaction that has no account, each
 * transaction is tried by itself.
 */
export const scoutBlock = async (trial: BlockTrial, within: Within): Promise<readonly Wanted[]> => {
  const { runtime, backend, block, input, options } = trial;
  const wanted: Wanted[] = [];
  let hasEnded = false;
  const state: Backend = {
    ...createTrialBackend(backend, (read) => void wanted.push(read)),
    // The root is asked for when all transactions have run.
    commit: (...changes) => {
      hasEnded = true;
      return backend.commit(...changes);
    },
  };
  /** Whether it ran to its end with a result that begins with 0, as an applied transaction's does. */
  const attempt = (overlay: Overlay, method: string, argument: Uint8Array): boolean => {
    try {
      const result = within(() => runtime.call(overlay, method, argument, options));
      return result.ok && result.output[0] === 0;
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      if (error.again !== null) wanted.push(error.again);
      return false;
    }
  };
  attempt(createOverlay(state), 'Core_execute_block', input);
  if (hasEnded) return wanted;
  const overlay = createOverlay(state);
  const pace = startPace();
  attempt(overlay, 'Core_initialize_block', encodeHeader(splitSeals(block.header).unsealed));
  let refused = 0;
  for (const extrinsic of block.extrinsics) {
    refused = attempt(overlay, 'BlockBuilder_apply_extrinsic', extrinsic) ? 0 : refused + 1;
    if (refused >= refusedInARow) break;
    await pace.pause();
  }
  attempt(overlay, 'BlockBuilder_finalize_block', noBytes);
  return wanted;
};
