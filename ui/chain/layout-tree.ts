import { type Known, type LinkedBlock, pathOf, type Standing, standingsOf } from './standing.ts';

/** What the graph needs of a block. */
export type TreeBlock = LinkedBlock & {
  /** Chain time in milliseconds, from the slot; null where the header tells none. */
  readonly timeMs: number | null;
  /** Whether it has nothing but inherents; null while its body is not at hand. */
  readonly isEmpty: boolean | null;
};

/** A block with its lane: 0 is the best chain. */
export type PlacedBlock = TreeBlock & {
  readonly lane: number;
  /** Null while it is not known. */
  readonly standing: Standing | null;
};

export type TreeLayout = {
  /** Newest first; of one height the best chain's first. */
  readonly blocks: readonly PlacedBlock[];
  readonly lanes: number;
};

/** Branches beside the best chain: each from its first block to a leaf; a branch's own forks are branches too. */
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

/** Lanes of the blocks beside the best chain: each branch has the nearest one that is free from its parent's height to its leaf's. */
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

/** Orders blocks as a list and gives each its lane. */
export const layoutTree = (
  given: readonly TreeBlock[],
  heads: Known & { readonly best: string | null },
): TreeLayout => {
  const blocks = given.toSorted((a, b) => a.number - b.number);
  const path = pathOf(new Map(blocks.map((block) => [block.hash, block])), heads.best);
  const standing = standingsOf(blocks, path, heads);
  const isOnBest = (hash: string): boolean => ['final', 'best'].includes(standing.get(hash) ?? '');
  const onBest = new Set(blocks.flatMap(({ hash }) => (isOnBest(hash) ? [hash] : [])));
  const lanes = lanesOf(branchesOf(blocks, onBest));
  const placed = blocks.map((block) => ({
    ...block,
    lane: lanes.get(block.hash) ?? 0,
    standing: standing.get(block.hash) ?? null,
  }));
  return {
    blocks: placed.sort((a, b) => b.number - a.number || a.lane - b.lane),
    lanes: placed.reduce((most, { lane }) => Math.max(most, lane), 0) + 1,
  };
};
