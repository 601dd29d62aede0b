import type { BlockRef } from '../../chain/tree.ts';
import type { BlockHash } from '../../codec/identity.ts';

/** A block near our best one that peers have and we lack. */
export type Tip = BlockRef & {
  /** Null: not known. */
  readonly parent: BlockHash | null;
  /** Who was asked for it. */
  peer: string | null;
  /** Who has it. */
  readonly holders: Set<string>;
};

/** The oldest are forgotten: each peer's best block is looked for by itself. */
const maxTips = 256;

/** The announced blocks that are to be fetched one by one. */
export const createTips = () => {
  const tips = new Map<BlockHash, Tip>();
  return {
    add: (peer: string, { hash, number }: BlockRef, parent: BlockHash | null): void => {
      const known = tips.get(hash);
      if (known !== undefined) return void known.holders.add(peer);
      tips.set(hash, { hash, number, parent, peer: null, holders: new Set([peer]) });
      const [oldest] = tips.keys();
      if (tips.size > maxTips && oldest !== undefined) tips.delete(oldest);
    },
    has: (hash: BlockHash): boolean => tips.has(hash),
    /** The lowest that nobody was asked for and this peer has. */
    next: (peer: string): Tip | null => {
      const open = [...tips.values()].filter((tip) => tip.peer === null && tip.holders.has(peer));
      return open.sort((a, b) => a.number - b.number)[0] ?? null;
    },
    /** The peer did not send it. */
    without: (tip: Tip, peer: string): void => {
      tip.holders.delete(peer);
      if (tip.holders.size === 0) tips.delete(tip.hash);
    },
    delete: ({ hash }: Tip): void => void tips.delete(hash),
    forget: (peer: string): void => {
      for (const tip of [...tips.values()]) {
        tip.holders.delete(peer);
        if (tip.peer === peer) tip.peer = null;
        if (tip.holders.size === 0) tips.delete(tip.hash);
      }
    },
    prune: (isNeeded: (tip: Tip) => boolean): void => {
      for (const tip of [...tips.values()]) if (!isNeeded(tip)) tips.delete(tip.hash);
    },
  };
};
