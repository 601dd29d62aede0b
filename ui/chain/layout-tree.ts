import { type Known, type LinkedBlock, pathOf, type Standing, standingsOf } from './standing.ts';

/** What the tree needs of a block. */
export type TreeBlock = LinkedBlock & {
  /** Chain time in milliseconds, from the slot; null where the header tells none. */
  readonly timeMs: number | null;
};

/** A block with its place: lane from the left, y in px up from the oldest block. */
export type PlacedBlock = TreeBlock & {
  readonly lane: number;
  readonly y: number;
  /** Null while it is not known. */
  readonly standing: Standing | null;
  /** The parent's place; null where the parent is not shown. */
  readonly from: { readonly lane: number; readonly y: number } | null;
};

/** A stretch of time that was too long to draw: y of its middle, and how long it was. */
export type TimeGap = { readonly y: number; readonly ms: number };

export type TreeLayout = {
  readonly blocks: readonly PlacedBlock[];
  readonly gaps: readonly TimeGap[];
  readonly lanes: number;
  readonly height: number;
};

/** px of one slot, and the least and most that lies between two moments. */
const slotPx = 22;
const leastPx = 14;
const mostPx = 66;

/** The time of every block; those that tell none come one slot after their parent, or before their first child. */
const timesOf = (blocks: readonly TreeBlock[], slotMs: number): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const { hash, parent, timeMs } of blocks) {
    const before = times.get(parent);
    if (timeMs !== null || before !== undefined) times.set(hash, timeMs ?? (before as number) + slotMs);
  }
  for (const { hash } of blocks.toReversed()) {
    if (times.has(hash)) continue;
    const after = blocks.flatMap(({ parent, hash: child }) =>
      parent === hash ? [times.get(child) ?? slotMs] : [],
    );
    times.set(hash, after.length === 0 ? 0 : Math.min(...after) - slotMs);
  }
  return times;
};

/** y of every moment: in proportion to time, within bounds; what is cut short is told as a gap. */
const drawTime = (
  moments: readonly number[],
  slotMs: number,
): { readonly at: ReadonlyMap<number, number>; readonly gaps: readonly TimeGap[] } => {
  const at = new Map<number, number>();
  const gaps: TimeGap[] = [];
  let y = 0;
  moments.forEach((moment, index) => {
    const ms = index === 0 ? 0 : moment - (moments[index - 1] ?? moment);
    const px = (ms / slotMs) * slotPx;
    const drawn = index === 0 ? 0 : Math.min(mostPx, Math.max(leastPx, px));
    if (px > mostPx) gaps.push({ y: y + drawn / 2, ms });
    y += drawn;
    at.set(moment, y);
  });
  return { at, gaps };
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

/**
 * Places blocks on lanes and on time: the best chain in lane 0, each branch in the nearest lane that is free for as long
 * as it lasts. `slotMs` is the length of a slot.
 */
export const layoutTree = (
  given: readonly TreeBlock[],
  heads: Known & { readonly best: string | null; readonly slotMs: number },
): TreeLayout => {
  const slotMs = Math.max(1, heads.slotMs);
  const blocks = given.toSorted((a, b) => a.number - b.number);
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const path = pathOf(byHash, heads.best);
  const times = timesOf(blocks, slotMs);
  const { at, gaps } = drawTime(
    [...new Set(times.values())].sort((a, b) => a - b),
    slotMs,
  );
  const yOf = (hash: string): number => at.get(times.get(hash) ?? 0) ?? 0;
  const standing = standingsOf(blocks, path, heads);
  const isOnBest = (hash: string): boolean => ['final', 'best'].includes(standing.get(hash) ?? '');
  const onBest = new Set(blocks.flatMap(({ hash }) => (isOnBest(hash) ? [hash] : [])));
  const lanes = new Map<string, number>();
  const busy: { readonly from: number; readonly to: number }[][] = [];
  for (const branch of branchesOf(blocks, onBest)) {
    const first = branch[0];
    const last = branch.at(-1);
    if (!first || !last) continue;
    const from =
      Math.min(byHash.has(first.parent) ? yOf(first.parent) : yOf(first.hash), yOf(first.hash)) + 1;
    const to = yOf(last.hash) + leastPx / 2;
    let lane = 1;
    while ((busy[lane] ?? []).some((span) => span.from < to && from < span.to)) lane += 1;
    busy[lane] = [...(busy[lane] ?? []), { from, to }];
    for (const { hash } of branch) lanes.set(hash, lane);
  }
  const place = (hash: string) => ({ lane: lanes.get(hash) ?? 0, y: yOf(hash) });
  return {
    blocks: blocks.map((block) => ({
      ...block,
      ...place(block.hash),
      standing: standing.get(block.hash) ?? null,
      from: byHash.has(block.parent) ? place(block.parent) : null,
    })),
    gaps,
    lanes: Math.max(1, busy.length),
    height: Math.max(0, ...at.values()),
  };
};

/** The block an arrow leads to: up to a child (the best line first), down to the parent, sideways to the nearest lane. */
export const stepFrom = (
  layout: TreeLayout,
  hash: string,
  to: 'up' | 'down' | 'left' | 'right',
): string | null => {
  const here = layout.blocks.find((block) => block.hash === hash);
  if (!here) return layout.blocks.at(-1)?.hash ?? null;
  const nearest = (found: readonly PlacedBlock[], cost: (block: PlacedBlock) => number): string | null =>
    found.toSorted((a, b) => cost(a) - cost(b))[0]?.hash ?? null;
  if (to === 'down') return layout.blocks.find((block) => block.hash === here.parent)?.hash ?? null;
  if (to === 'up')
    return nearest(
      layout.blocks.filter((block) => block.parent === hash),
      (block) => Math.abs(block.lane - here.lane),
    );
  const side = layout.blocks.filter((block) =>
    to === 'left' ? block.lane < here.lane : block.lane > here.lane,
  );
  return nearest(side, (block) => Math.abs(block.y - here.y) * 4 + Math.abs(block.lane - here.lane));
};
