import type { BlockRef } from '../chain/tree.ts';

/** Whether this node is far behind its peers. Author, block origins and RPC ask here. */
export type Syncing = {
  /** The best height: its own, or the median of the peers' if that is higher. */
  highest(): number;
  /** Whether that is more than five blocks ahead (sc-network-sync `MAJOR_SYNC_BLOCKS`). */
  isMajor(): boolean;
};

const majorSyncBlocks = 5;

type Deps = {
  readonly best: () => BlockRef;
  readonly peers: () => readonly { readonly best: BlockRef }[];
};

/** A single peer that claims too much cannot stop a node that has others: the median counts, as in the SDK. */
export const createSyncing = ({ best, peers }: Deps): Syncing => {
  const highest = (): number => {
    const heights = peers()
      .map((peer) => peer.best.number)
      .sort((a, b) => a - b);
    return Math.max(best().number, heights[Math.floor(heights.length / 2)] ?? 0);
  };
  return { highest, isMajor: () => highest() - best().number > majorSyncBlocks };
};
