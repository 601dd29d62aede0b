import { noBytes } from '../../bytes/bytes.ts';
import type { Block } from '../../codec/block.ts';
import { encodeHeader, splitSeals } from '../../codec/header.ts';
import type { CallOptions, CallResult, Runtime } from '../../executor/executor.ts';
import type { Backend } from '../../state/backend.ts';
import { createOverlay, type Overlay } from '../../state/overlay.ts';
import { type PendingRead, pendingReadsOf } from '../../state/trial.ts';
import type { ReadPredictor, ReadSets } from '../states/trie-store.ts';

export type PredictedCall = {
  readonly backend: Backend;
  readonly runtime: Runtime;
  readonly method: string;
  /** Predicts the call's further misses. */
  trialRun(guesses: boolean): readonly PendingRead[];
};

/**
 * The first miss of a call loads the keys it read last time, if known. Each later miss loads what a trial run
 * needs.
 */
export const predictCallReads = (
  sets: ReadSets,
  { backend, runtime, method, trialRun }: PredictedCall,
): { readonly predict: ReadPredictor; done(overlay: Overlay): void } => {
  let missed = false;
  return {
    predict: (misses, guesses) => {
      missed = true;
      const known = misses === 1 ? sets.of(runtime, method) : [];
      return known.length > 0 ? known.map((key) => () => backend.get(key)) : trialRun(guesses);
    },
    done: (overlay) => {
      if (missed) sets.keep(runtime, method, overlay.keysRead());
    },
  };
};

/** Stops after this many transactions in a row that fail to apply: the others would lack the same keys. */
const refusedInARow = 64;

type BlockTrial = {
  readonly backend: Backend;
  readonly runtime: Runtime;
  readonly block: Block;
  /** The input and options of `Core_execute_block`. */
  readonly input: Uint8Array;
  readonly options: CallOptions;
};

/**
 * What executing a block would miss. If the run ends early, for example at a first transaction without an
 * account, each transaction is tried separately.
 */
export const predictBlockReads = (
  { backend, runtime, block, input, options }: BlockTrial,
  guesses: boolean,
): readonly PendingRead[] => {
  const execute = (trial: Backend): void => {
    // Absent values can make a loop longer than it is in the real block.
    const bounded = { ...options, fuel: 'small' } as const;
    let hasEnded = false;
    // The root is requested after all transactions have run.
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
  };
  return pendingReadsOf(backend, execute, guesses);
};
