import type { FindMethod } from '../../node/client/method-info.ts';

/** Destructive methods, with what they destroy. The console asks before it runs one. */
export const losses: Readonly<Record<string, string>> = {
  author_removeExtrinsic: 'Removes these transactions and all that depend on them, and bans the named ones.',
  dev_deleteSnapshot: 'Deletes the snapshot.',
  dev_importChain: 'An imported block may become the best block.',
  dev_reset: 'Deletes all blocks above genesis and empties the pool. Snapshots are kept.',
  dev_restore: 'Discards later blocks and the current pool.',
  dev_setHead: 'Blocks above it leave the best chain. Finality may move back, or forward to it.',
  dev_setStorage: 'Changes the state of the block. No other node will follow this chain.',
  dev_timeTravel: 'Chain time can only go back by restoring a snapshot or a reset.',
  offchain_localStorageClear: 'Deletes the entry.',
  system_removeReservedPeer: 'The node stops keeping a connection to this peer.',
};

/** A destructive call among those that will run. */
export type Loss = {
  /** Its position among the calls, counted from 1. */
  readonly place: number;
  readonly method: string;
  readonly params: string;
  /** What it destroys. */
  readonly text: string;
};

/** Finds the destructive calls among those that will run. */
export const findLosses = (
  calls: readonly { readonly method: string; readonly params: string }[],
  find: FindMethod,
): readonly Loss[] =>
  calls.flatMap(({ method, params }, index) => {
    const text = losses[find(method)?.method ?? method];
    return text === undefined ? [] : [{ place: index + 1, method, params, text }];
  });
