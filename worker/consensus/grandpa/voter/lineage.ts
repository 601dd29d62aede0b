import type { BlockRef } from '../../../chain/tree.ts';
import type { BlockHash } from '../../../codec/identity.ts';

/** A block with its parent. */
export type BlockLink = BlockRef & { readonly parent: BlockHash };

/** A link with that of its parent, which is looked up once: long walks follow references and not hashes. */
type LineageEntry = { readonly link: BlockLink; up: LineageEntry | null };

/**
 * The blocks that rounds may name, with synchronous access. Unlike the chain's tree it also has the blocks
 * between the base of a running round and the finalized block.
 */
export const createLineage = () => {
  const places = new Map<BlockHash, LineageEntry>();
  const above = (place: LineageEntry): LineageEntry | null => {
    place.up ??= places.get(place.link.parent) ?? null;
    return place.up;
  };
  /** The ancestor of a block at a height. */
  const descend = (from: BlockHash, number: number): BlockLink | null => {
    let place = places.get(from) ?? null;
    while (place !== null && place.link.number > number) place = above(place);
    return place !== null && place.link.number === number ? place.link : null;
  };
  return {
    add: (link: BlockLink): void => {
      if (!places.has(link.hash)) places.set(link.hash, { link, up: null });
    },
    get: (hash: BlockHash): BlockLink | null => places.get(hash)?.link ?? null,
    ancestorAt: descend,
    /** The blocks strictly between two, newest first. Null if the first is no proper ancestor of the second. */
    between: (base: BlockHash, block: BlockHash): BlockHash[] | null => {
      const floor = places.get(base)?.link;
      let place = places.get(block) ?? null;
      if (floor === undefined || place === null || place.link.number <= floor.number) return null;
      const found: BlockHash[] = [];
      for (;;) {
        if (place.link.parent === base) return found;
        place = above(place);
        if (place === null || place.link.number <= floor.number) return null;
        found.push(place.link.hash);
      }
    },
    isOnOrAbove: (block: BlockHash, base: BlockHash): boolean => {
      const floor = places.get(base)?.link;
      return floor !== undefined && descend(block, floor.number)?.hash === base;
    },
    /** Forgets the blocks below a height. */
    forgetBelow: (number: number): void => {
      for (const [hash, place] of places) {
        if (place.link.number < number) places.delete(hash);
        // Nothing refers to the removed blocks any more, so their memory is freed.
        else if (place.link.number === number) place.up = null;
      }
    },
    size: () => places.size,
  };
};

export type Lineage = ReturnType<typeof createLineage>;
