import type { BlockHash } from '../../codec/identity.ts';
import type { BlockTree, TreeBlock } from '../tree.ts';

/**
 * The chain's next position: written in one transaction, and then applied to the tree. It has no effect
 * before that.
 */
export type Choice = {
  readonly oldBest: TreeBlock;
  readonly best: TreeBlock;
  readonly finalized: TreeBlock;
  /** How the best block moves: blocks left (descending) and entered (ascending). */
  readonly retracted: readonly BlockHash[];
  readonly enacted: readonly TreeBlock[];
  readonly leaves: readonly BlockHash[];
};

export const leavesOf = (tree: Pick<BlockTree, 'leaves'>): BlockHash[] =>
  tree.leaves().map((block) => block.hash);

const blocksOf = (tree: BlockTree, hashes: readonly BlockHash[]): TreeBlock[] =>
  hashes.map((hash) => tree.get(hash) as TreeBlock);

/** Step 3: fork choice for a new block whose parent is in the tree. A final block becomes the best one. */
export const chooseBest = (tree: BlockTree, added: TreeBlock, isFinal: boolean): Choice => {
  const oldBest = tree.best();
  const leaves = isFinal
    ? [added.hash]
    : [...leavesOf(tree).filter((leaf) => leaf !== added.parent), added.hash];
  const finalized = isFinal ? added : tree.finalized();
  if (!isFinal && !tree.isBetter(added))
    return { oldBest, best: oldBest, finalized, retracted: [], enacted: [], leaves };
  const { retracted, enacted } = tree.route(oldBest.hash, added.parent);
  return {
    oldBest,
    best: added,
    finalized,
    retracted,
    enacted: [...blocksOf(tree, enacted), added],
    leaves,
  };
};

/** Finalizes a block of the tree. It becomes the best block if the current best is on another branch. */
export const chooseFinal = (tree: BlockTree, target: TreeBlock): Choice => {
  const oldBest = tree.best();
  const leaves = leavesOf(tree).filter((leaf) => tree.isDescendant(leaf, target.hash));
  const kept = { oldBest, finalized: target, leaves };
  if (tree.isDescendant(oldBest.hash, target.hash))
    return { ...kept, best: oldBest, retracted: [], enacted: [] };
  const { retracted, enacted } = tree.route(oldBest.hash, target.hash);
  return { ...kept, best: target, retracted, enacted: blocksOf(tree, enacted) };
};
