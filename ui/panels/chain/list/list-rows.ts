import type { PlacedBlock } from './layout-tree.ts';
import type { Standing } from './standing.ts';

/** A range of heights, inclusive. */
export type Span = { readonly low: number; readonly high: number };

/**
 * A row of the graph: a block (`block`, or `tall` with a second line); a run of blocks folded into one row
 * (`fold`); the header of an unfolded run (`open`), whose blocks follow; or heights of the best chain
 * or of a fork that are not loaded (`gap`).
 */
export type BlockRow = {
  /**
   * The block's hash; for a run, its kind and the hash of its oldest block; for a gap, the key of the row
   * above it.
   */
  readonly key: string;
  readonly lane: number;
  readonly standing: Standing | null;
  /** Newest first: several for a fold, none for a gap or the header of a run. */
  readonly blocks: readonly PlacedBlock[];
  readonly kind: 'block' | 'tall' | 'fold' | 'open' | 'gap';
  /** Whether all blocks of a run are known to be empty. */
  readonly isEmpty?: boolean;
  /** The heights of the run, the gap or the single block. */
  readonly span: Span;
};

/** A run that was unfolded. */
export type Opened = Span & { readonly lane: number };

/** A line from a block's row down to its parent's, by index; `to` is null if the parent is not loaded. */
export type Edge = {
  readonly from: number;
  readonly to: number | null;
  readonly lane: number;
  readonly toLane: number;
  readonly standing: Standing | null;
};

/** Where a row is drawn. */
export type RowPlace = {
  /** Index in the whole list. */
  readonly index: number;
  /** In px. */
  readonly height: number;
  /** Those that start, end or pass here, and others. */
  readonly edges: readonly Edge[];
  readonly lanes: number;
  /** Width of all lanes together, in px. */
  readonly laneRoom: number;
};

type Wishes = {
  /** Number of the best block that is shown; it and the two below are too new to be folded. */
  readonly best: number;
  readonly opened: readonly Opened[];
  /** A block that follows its parent after more than this chain time, in milliseconds, is not folded. */
  readonly longMs: number;
  /** Hashes of blocks that must stay visible, such as the selected one. */
  readonly kept: ReadonlySet<string>;
};

/** Chain time between a block and the one above it, in milliseconds; 0 if unknown. */
export const gapMs = (above: number | null | undefined, below: number | null | undefined): number =>
  above == null || below == null ? 0 : above - below;

/** The shortest run that is folded. */
export const leastRun = 4;

export const isInSpan = ({ low, high }: Span, number: number): boolean => low <= number && number <= high;

const toRow = (block: PlacedBlock): BlockRow => ({
  key: block.hash,
  lane: block.lane,
  standing: block.standing,
  blocks: [block],
  // Genesis has no second line: it has no author and no fee.
  kind: block.isEmpty === false && block.number > 0 ? 'tall' : 'block',
  span: { low: block.number, high: block.number },
});

/** The row of a folded run, or the header of an unfolded one. */
const runRow = (run: readonly PlacedBlock[], kind: 'fold' | 'open'): BlockRow => {
  const [newest, oldest] = [run[0] as PlacedBlock, run.at(-1) as PlacedBlock];
  const { lane, standing, hash } = oldest;
  const span = { low: oldest.number, high: newest.number };
  const isEmpty = run.every((block) => block.isEmpty);
  return { key: `${kind}:${hash}`, lane, standing, span, blocks: kind === 'fold' ? run : [], kind, isEmpty };
};

/**
 * Tells which blocks need no row of their own: empty ones without a fork that need not stay visible. Of a fork
 * above the best block, as a rollback leaves it, all of them: they would push the best block out of sight.
 */
const createPlain = (
  blocks: readonly PlacedBlock[],
  { best, opened, kept, longMs }: Wishes,
): {
  readonly isOpened: (block: PlacedBlock) => boolean;
  readonly isPlain: (block: PlacedBlock) => boolean;
} => {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const parents = new Set(blocks.map(({ parent }) => parent));
  const forked = new Set(
    blocks.flatMap(({ parent, lane }) => ((byHash.get(parent)?.lane ?? lane) === lane ? [] : [parent])),
  );
  const isOpened = ({ number, lane }: PlacedBlock): boolean =>
    opened.some((span) => span.lane === lane && isInSpan(span, number));
  const isPlain = (block: PlacedBlock): boolean => {
    const { hash, number, lane, parent, timeMs } = block;
    // A fork always shows its tip; the best chain shows its newest blocks and the siblings of a fork's first
    // block.
    const isCalm = lane > 0 ? parents.has(hash) : number <= best - 3 && !forked.has(parent);
    const isAbove = lane > 0 && number > best;
    return (
      isCalm &&
      !forked.has(hash) &&
      (!kept.has(hash) || isOpened(block)) &&
      (isAbove || (block.isEmpty === true && gapMs(timeMs, byHash.get(parent)?.timeMs) <= longMs))
    );
  };
  return { isOpened, isPlain };
};

/**
 * The rows of a list of blocks, newest first. Consecutive empty blocks of a branch become one row, at the
 * position of the newest. A block that a fork branches from keeps its own row, so no edge crosses a fold in
 * the same lane.
 */
export const foldRows = (blocks: readonly PlacedBlock[], wishes: Wishes): readonly BlockRow[] => {
  const { isOpened, isPlain } = createPlain(blocks, wishes);
  const runs = new Map<string, PlacedBlock[]>();
  const lowest = new Map<number, PlacedBlock[]>();
  for (const block of blocks.filter(isPlain)) {
    let run = lowest.get(block.lane);
    const above = run?.at(-1);
    const follows =
      above?.parent === block.hash &&
      above.standing === block.standing &&
      isOpened(above) === isOpened(block);
    if (run !== undefined && follows) run.push(block);
    else run = [block];
    lowest.set(block.lane, run);
    runs.set(block.hash, run);
  }
  return blocks.flatMap((block) => {
    const run = runs.get(block.hash) ?? [];
    if (run.length < leastRun) return [toRow(block)];
    const isFirst = run[0] === block;
    if (isOpened(block)) return isFirst ? [runRow(run, 'open'), toRow(block)] : [toRow(block)];
    return isFirst ? [runRow(run, 'fold')] : [];
  });
};

const gapBelow = ({ key, lane }: BlockRow, span: Span): BlockRow => ({
  key: `gap:${key}`,
  lane,
  standing: null,
  blocks: [],
  kind: 'gap',
  span,
});

/**
 * Adds a gap row wherever heights of the best chain are missing, and one below a fork that ends above `bottom`. Below its last row, the gap extends to
 * genesis if there is another gap above or that row is below `bottom`, the end of the block list; otherwise
 * only to the lowest row, because the list loads the heights below that. How far a fork's gap extends is unknown.
 */
export const withGaps = (rows: readonly BlockRow[], bottom: number): readonly BlockRow[] => {
  const known = new Set(rows.flatMap(({ blocks }) => blocks.map(({ hash }) => hash)));
  const all: BlockRow[] = [];
  /** The lowest row of the best chain so far, and the index after it. */
  let at = 0;
  let above = null as BlockRow | null;
  let isBroken = false;
  const add = (low: number): void => {
    if (above === null || low > above.span.low - 1) return;
    const span = { low, high: above.span.low - 1 };
    all.splice(at, 0, gapBelow(above, span));
    isBroken = true;
  };
  for (const row of rows) {
    if (row.lane === 0 && row.blocks.length > 0) {
      add(row.span.high + 1);
      above = row;
      at = all.push(row);
      continue;
    }
    all.push(row);
    const oldest = row.blocks.at(-1);
    if (oldest && oldest.number > bottom && !known.has(oldest.parent))
      all.push(gapBelow(row, { low: oldest.number - 1, high: oldest.number - 1 }));
  }
  const isBelow = above !== null && above.span.low < bottom;
  add(isBroken || isBelow ? 0 : Math.min(...rows.map(({ span }) => span.low)));
  return all;
};

/** The edges between rows, in the order of the rows they start from. */
export const edgesOf = (rows: readonly BlockRow[]): readonly Edge[] => {
  const places = new Map(
    rows.flatMap(({ blocks }, index) => blocks.map(({ hash }) => [hash, index] as const)),
  );
  return rows.flatMap(({ lane, standing, blocks }, from) => {
    const oldest = blocks.at(-1);
    if (oldest === undefined || oldest.number === 0) return [];
    const to = places.get(oldest.parent) ?? null;
    return [{ from, to, lane, toLane: to === null ? lane : (rows[to]?.lane ?? lane), standing }];
  });
};

/** Row heights in px. */
export const rowHeights = (isTouch: boolean): Readonly<Record<BlockRow['kind'], number>> =>
  isTouch
    ? { block: 44, tall: 56, fold: 44, open: 44, gap: 44 }
    : { block: 30, tall: 50, fold: 26, open: 26, gap: 28 };

/** The top of every row, followed by the total height, in px. */
export const topsOf = (
  rows: readonly BlockRow[],
  heights: Readonly<Record<BlockRow['kind'], number>>,
): readonly number[] => {
  const tops = [0];
  for (const { kind } of rows) tops.push((tops.at(-1) ?? 0) + heights[kind]);
  return tops;
};

/** Index of the row at `y`: the last one that starts at or above it. */
export const rowAt = (tops: readonly number[], y: number): number => {
  let low = 0;
  let high = tops.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
};
