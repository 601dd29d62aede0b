import { noBytes } from '../bytes/bytes.ts';
import type { Block } from '../codec/block.ts';
import { encodeHeader, splitSeals } from '../codec/header.ts';
import type { CallOptions, CallResult, Runtime } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import { type Wanted, wantedBy } from '../state/trial.ts';
import type { Foresight } from './node-store.ts';
import type { ReadSets } from './read-sets.ts';

export type ForeseenCall = {
  readonly backend: Backend;
  readonly runtime: Runtime;
  readonly method: string;
  /** Finds out what else the call would miss. */
  scout(): readonly Wanted[];
};

/** The first miss of a call brings what it read last, where that is known; each other one what a trial of it wants. */
export const foreseeCall = (
  sets: ReadSets,
  { backend, runtime, method, scout }: ForeseenCall,
): { readonly foresee: Foresight; done(overlay: Overlay): void } => {
  let missed = false;
  return {
    foresee: (misses) => {
      missed = true;
      const known = misses === 1 ? sets.of(runtime, method) : [];
      return known.length > 0 ? known.map((key) => () => backend.get(key)) : scout();
    },
    done: (overlay) => {
      if (missed) sets.keep(runtime, method, overlay.keysRead());
    },
  };
};

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
export const scoutBlock = ({ backend, runtime, block, input, options }: BlockTrial): readonly Wanted[] =>
  wantedBy(backend, (trial) => {
    // With absent values in it a loop may be longer than the block's own.
    const bounded = { ...options, fuel: 'small' } as const;
    let hasEnded = false;
    // The root is asked for when all transactions have run.
    const commit: Backend['commit'] = (...changes) => {
      hasEnded = true;
      return trial.commit(...changes);
    };
    const state = { ...trial, commit };
    runtime.call(createOverlay(state), 'Core_execute_block', input, bounded);
    if (hasEnded) return;
    const overlay = createOverlay(state);
    const call = (method: string, argument: Uint8Array): CallResult =>
      runtime.call(overlay, method, argument, bounded);
    call('Core_initialize_block', encodeHeader(splitSeals(block.header).unsealed));
    let refused = 0;
    for (const extrinsic of block.extrinsics) {
      const result = call('BlockBuilder_apply_extrinsic', extrinsic);
      refused = result.ok && result.output[0] === 0 ? 0 : refused + 1;
      if (refused >= refusedInARow || (!result.ok && result.kind === 'fuel')) break;
    }
    call('BlockBuilder_finalize_block', noBytes);
  });
