import type { BlockRef } from '../../../chain/tree.ts';
import type { BlockHash } from '../../../codec/identity.ts';

/** A block with its parent. */
export type Link = BlockRef & { readonly parent: BlockHash };

/**
 * The blocks that rounds may name, with synchronous access. Unlike the chain's tree it also has the blocks
 * between the base of a running round and the finalized block.
 */
export const createLineage = () => {
  const links = new Map<BlockHash, Link>();
  /** The blocks from the first down to a height, newest first. */
  const descend = (from: BlockHash, number: number): Link | null => {
    let link = links.get(from) ?? null;
    while (link !== null && link.number > number) link = links.get(link.parent) ?? null;
    return link !== null && link.number === number ? link : null;
  };
  return {
    add: (link: Link): void => void links.set(link.hash, link),
    get: (hash: BlockHash): Link | null => links.get(hash) ?? null,
    ancestorAt: descend,
    /** The blocks strictly between two, newest first. Null if the first is no proper ancestor of the second. */
    between: (base: BlockHash, block: BlockHash): BlockHash[] | null => {
      const floor = links.get(base);
      let link = links.get(block);
      if (floor === undefined || link === undefined || link.number <= floor.number) return null;
      const found: BlockHash[] = [];
      for (;;) {
        if (link.parent === base) return found;
        link = links.get(link.parent);
        if (link === undefined || link.number <= floor.number) return null;
        found.push(link.hash);
      }
    },
    isOnOrAbove: (block: BlockHash, base: BlockHash): boolean => {
      const floor = links.get(base);
      return floor !== undefined && descend(block, floor.number)?.hash === base;
    },
    /** Forgets the blocks below a height. */
    forgetBelow: (number: number): void => {
      for (const [hash, link] of links) if (link.number < number) links.delete(hash);
    },
    size: () => links.size,
  };
};

export type Lineage = ReturnType<typeof createLineage>;
