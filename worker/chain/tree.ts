import type { BlockHash } from '../codec/identity.ts';

export type BlockRef = { readonly hash: BlockHash; readonly number: number };

/** Block metadata stored with the header. */
export type BlockMeta = {
  /** The number of primary slots on its branch (sc-consensus-babe, `aux_schema.rs`); 0 if the engine has none. */
  readonly weight: number;
  /** Whether this node sealed it. */
  readonly isOwn: boolean;
};

/** A block of the tree. */
export type TreeBlock = BlockRef & BlockMeta & { readonly parent: BlockHash };

export type Route = { readonly retracted: readonly BlockHash[]; readonly enacted: readonly BlockHash[] };

/** The finalized blocks (ascending) and the pruned ones. */
export type Finalization = { readonly blocks: readonly BlockHash[]; readonly pruned: readonly BlockHash[] };

/** The blocks from the finalized one upwards, with all forks. */
export type BlockTree = {
  best(): TreeBlock;
  finalized(): TreeBlock;
  get(hash: BlockHash): TreeBlock | null;
  leaves(): readonly TreeBlock[];
  /** Whether a block would become best: higher weight, then greater height. A tie keeps the current one. */
  isBetter(block: TreeBlock): boolean;
  insert(block: TreeBlock): void;
  setBest(hash: BlockHash): void;
  /** The route between two blocks: blocks left (descending) and entered (ascending). */
  route(from: BlockHash, to: BlockHash): Route;
  isDescendant(hash: BlockHash, ancestor: BlockHash): boolean;
  /** Makes a block the root. Returns the finalized blocks (ascending) and the pruned ones. */
  finalize(hash: BlockHash): Finalization;
  /** Replaces the tree: a root, the blocks above it with parents first, and which of them is best. */
  replace(root: TreeBlock, above: readonly TreeBlock[], best: BlockHash): void;
  /** All blocks, parents first. */
  all(): readonly TreeBlock[];
};

/**
 * Recomputes the leaves. Insertions update them incrementally, because otherwise a long unfinalized chain
 * would slow down every block.
 */
const findLeaves = (blocks: ReadonlyMap<BlockHash, TreeBlock>, root: BlockHash): Set<BlockHash> => {
  const leaves = new Set(blocks.keys());
  for (const block of blocks.values()) if (block.hash !== root) leaves.delete(block.parent);
  return leaves;
};

/** Routes through a tree by parent links. */
const createWalks = (need: (hash: BlockHash) => TreeBlock): Pick<BlockTree, 'route' | 'isDescendant'> => {
  const route = (from: BlockHash, to: BlockHash): Route => {
    const retracted: BlockHash[] = [];
    const enacted: BlockHash[] = [];
    let a = need(from);
    let b = need(to);
    while (a.hash !== b.hash) {
      if (a.number >= b.number) {
        retracted.push(a.hash);
        a = need(a.parent);
      } else {
        enacted.push(b.hash);
        b = need(b.parent);
      }
    }
    return { retracted, enacted: enacted.reverse() };
  };
  const isDescendant = (hash: BlockHash, ancestor: BlockHash): boolean => {
    const floor = need(ancestor);
    let block = need(hash);
    while (block.number > floor.number) block = need(block.parent);
    return block.hash === floor.hash;
  };
  return { route, isDescendant };
};

export const createBlockTree = (root: TreeBlock): BlockTree => {
  const blocks = new Map<BlockHash, TreeBlock>([[root.hash, root]]);
  let leaves = new Set<BlockHash>([root.hash]);
  let best = root;
  let finalized = root;
  const need = (hash: BlockHash): TreeBlock => {
    const block = blocks.get(hash);
    if (block === undefined) throw new RangeError(`block ${hash} is not in the tree`);
    return block;
  };
  const { route, isDescendant } = createWalks(need);
  return {
    best: () => best,
    finalized: () => finalized,
    get: (hash) => blocks.get(hash) ?? null,
    leaves: () => [...leaves].map(need),
    isBetter: (block) =>
      block.weight > best.weight || (block.weight === best.weight && block.number > best.number),
    insert: (block) => {
      need(block.parent);
      blocks.set(block.hash, block);
      leaves.delete(block.parent);
      leaves.add(block.hash);
    },
    setBest: (hash) => {
      best = need(hash);
    },
    route,
    isDescendant,
    finalize: (hash) => {
      const target = need(hash);
      const newlyFinal = route(finalized.hash, hash).enacted;
      const final = new Set<BlockHash>([...newlyFinal, finalized.hash]);
      const kept = new Set<BlockHash>([hash]);
      const pruned: BlockHash[] = [];
      // Parents come first in the map, so one pass is enough.
      for (const block of blocks.values()) {
        if (block.hash === hash) continue;
        if (kept.has(block.parent)) {
          kept.add(block.hash);
          continue;
        }
        blocks.delete(block.hash);
        if (!final.has(block.hash)) pruned.push(block.hash);
      }
      finalized = target;
      leaves = findLeaves(blocks, finalized.hash);
      return { blocks: newlyFinal, pruned };
    },
    replace: (root, above, newBest) => {
      blocks.clear();
      for (const block of [root, ...above]) blocks.set(block.hash, block);
      leaves = findLeaves(blocks, root.hash);
      finalized = root;
      best = need(newBest);
    },
    all: () => [...blocks.values()],
  };
};
