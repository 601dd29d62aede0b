import type { FindMethod } from '../state/method-info.ts';

/** Calls that take something away which does not come back by itself, with what they take. The console asks before. */
export const losses: Readonly<Record<string, string>> = {
  author_removeExtrinsic: 'They and all that depend on them leave the pool; the named ones are banned.',
  dev_deleteSnapshot: 'The snapshot is forgotten.',
  dev_importChain: 'The best block may become an imported one.',
  dev_reset: 'All blocks above genesis and everything in the pool are gone. Snapshots stay.',
  dev_restore: 'What happened since is gone from chain and pool.',
  dev_setHead: 'Blocks above leave the best chain, and finality may go back.',
  dev_setStorage: 'The state of the block changes, and no other node follows the chain.',
  dev_timeTravel: 'Chain time goes back only by a snapshot or a reset.',
  offchain_localStorageClear: 'The entry is gone.',
  system_removeReservedPeer: 'The peer is no longer kept connected.',
};

/** One call of those that will run which takes something away. */
export type Loss = {
  /** Its place among the calls, counted from 1. */
  readonly place: number;
  readonly method: string;
  readonly params: string;
  /** What it takes away. */
  readonly text: string;
};

/** The calls that take something away, of all that will run. */
export const findLosses = (
  calls: readonly { readonly method: string; readonly params: string }[],
  find: FindMethod,
): readonly Loss[] =>
  calls.flatMap(({ method, params }, index) => {
    const text = losses[find(method)?.method ?? method];
    return text === undefined ? [] : [{ place: index + 1, method, params, text }];
  });
