import { type Known, type LinkedBlock, pathOf, type Standing, standingsOf } from './standing.ts';

/** The properties of a block that the graph needs. */
export type TreeBlock = LinkedBlock & {
  /** Chain time in milliseconds since 1970, from the slot; null if the header has none. */
  readonly timeMs: number | null;
  /** Whether it has only inherents, and no runtime upgrade; false for genesis; null without its body. */
  readonly isEmpty: boolean | null;
};

/** A block with its lane; the best chain is lane 0. */
export type PlacedBlock = TreeBlock & {
  readonly lane: number;
  /** Null until known. */
  readonly standing: Standing | null;
};

export type TreeLayout = {
  /** Newest first; at the same height, the block of the best chain comes first. */
  readonly blocks: readonly PlacedBlock[];
  readonly lanes: number;
};

/** Branches off the best chain, each from its first block to a leaf; a fork of a branch is another branch. */
const branchesOf = (
  blocks: readonly TreeBlock[],
  path: ReadonlySet<string>,
): readonly (readonly TreeBlock[])[] => {
  const children = Map.groupBy(
    blocks.filter(({ hash }) => !path.has(hash)),
    ({ parent }) => parent,
  );
  const known = new Set(blocks.map(({ hash }) => hash));
  const taken = new Set<string>();
  const branches: TreeBlock[][] = [];
  const follow = (start: TreeBlock): void => {
    const branch: TreeBlock[] = [];
    for (let at: TreeBlock | undefined = start; at; at = children.get(at.hash)?.[0]) {
      branch.push(at);
      taken.add(at.hash);
    }
    branches.push(branch);
  };
  for (const block of blocks) {
    const begins = path.has(block.parent) || !known.has(block.parent);
    const isSibling = (children.get(block.parent)?.indexOf(block) ?? 0) > 0;
    if (!path.has(block.hash) && !taken.has(block.hash) && (begins || isSibling)) follow(block);
  }
  return branches;
};

/**
 * Lanes of the blocks off the best chain. Each branch gets the nearest lane that is free from its parent's
 * height up to its leaf's.
 */
const lanesOf = (branches: readonly (readonly TreeBlock[])[]): ReadonlyMap<string, number> => {
  const lanes = new Map<string, number>();
  const busy: { readonly from: number; readonly to: number }[][] = [];
  for (const branch of branches) {
    const from = (branch[0]?.number ?? 0) - 1;
    const to = branch.at(-1)?.number ?? 0;
    let lane = 1;
    while (busy[lane]?.some((span) => span.from <= to && from <= span.to)) lane += 1;
    busy[lane] = [...(busy[lane] ?? []), { from, to }];
    for (const { hash } of branch) lanes.set(hash, lane);
  }
  return lanes;
};

/** Sorts blocks newest first, and determines the lane and standing of each. */
export const layoutTree = (
  unsorted: readonly TreeBlock[],
  heads: Known & { readonly best: string | null },
): TreeLayout => {
  const blocks = unsorted.toSorted((a, b) => a.number - b.number);
  const path = pathOf(new Map(blocks.map((block) => [block.hash, block])), heads.best);
  const standing = standingsOf(blocks, path, heads);
  // The others follow once the node has said whether they are on the best chain.
  const known = blocks.filter(({ hash }) => standing.has(hash));
  const isOnBest = (hash: string): boolean => ['final', 'best'].includes(standing.get(hash) ?? '');
  const onBest = new Set(known.flatMap(({ hash }) => (isOnBest(hash) ? [hash] : [])));
  const lanes = lanesOf(branchesOf(known, onBest));
  const placed = known.map((block) => ({
    ...block,
    lane: lanes.get(block.hash) ?? 0,
    standing: standing.get(block.hash) ?? null,
  }));
  return {
    blocks: placed.sort((a, b) => b.number - a.number || a.lane - b.lane),
    lanes: placed.reduce((max, { lane }) => Math.max(max, lane), 0) + 1,
  };
};
