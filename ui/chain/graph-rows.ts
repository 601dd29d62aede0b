import type { PlacedBlock } from './layout-tree.ts';
import type { Standing } from './standing.ts';

/** A row of the graph: a block, or a run of empty blocks. */
export type GraphRow = {
  /** The block's hash; of a run `fold:` and the hash of its oldest block. */
  readonly key: string;
  readonly lane: number;
  readonly standing: Standing | null;
  /** Its blocks, newest first: more than one in a run. */
  readonly blocks: readonly PlacedBlock[];
  readonly kind: 'block' | 'tall' | 'fold';
};

/** A stretch of heights whose empty blocks somebody wants to see. */
export type Span = { readonly low: number; readonly high: number };

/** A line from a block's row down to its parent's; `to` is null where the parent is not at hand. */
export type Edge = {
  readonly from: number;
  readonly to: number | null;
  readonly lane: number;
  readonly toLane: number;
  readonly standing: Standing | null;
};

type Wishes = {
  /** Blocks above this height are not folded, as they have just come; on abandoned forks they are. */
  readonly calmTo: number;
  readonly opened: readonly Span[];
  /** A block that came later than this after its parent, in chain time, is shown. */
  readonly longMs: number;
  /** Hashes of blocks that somebody looks at. */
  readonly kept: ReadonlySet<string>;
};

/** Chain time from a block to the one above it, ms; 0 where it is not known. */
export const gapMs = (above: number | null | undefined, below: number | null | undefined): number =>
  above == null || below == null ? 0 : above - below;

/** Fewer empty blocks are not worth a fold. */
export const leastRun = 4;

const toRow = (block: PlacedBlock): GraphRow => ({
  key: block.hash,
  lane: block.lane,
  standing: block.standing,
  blocks: [block],
  kind: block.isEmpty === false ? 'tall' : 'block',
});

const rowsOfRun = (run: readonly PlacedBlock[]): readonly GraphRow[] => {
  const last = run.at(-1);
  if (last === undefined || run.length < leastRun) return run.map(toRow);
  const { lane, standing } = last;
  return [{ key: `fold:${last.hash}`, lane, standing, blocks: run, kind: 'fold' }];
};

/**
 * The rows of a list of blocks, newest first. Empty blocks of one lane and standing that follow one another, with no other
 * block between, become one row; where a fork begins, and beside it, every block is shown.
 */
export const foldRows = (
  blocks: readonly PlacedBlock[],
  { calmTo, opened, kept, longMs }: Wishes,
): readonly GraphRow[] => {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const forked = new Set(
    blocks.flatMap(({ parent, lane }) => ((byHash.get(parent)?.lane ?? lane) === lane ? [] : [parent])),
  );
  const heights = new Set(
    blocks.flatMap(({ number }, index) => (blocks[index - 1]?.number === number ? [number] : [])),
  );
  const isPlain = ({ hash, number, isEmpty, standing, parent, timeMs }: PlacedBlock): boolean =>
    isEmpty === true &&
    (number <= calmTo || standing === 'lost') &&
    !kept.has(hash) &&
    gapMs(timeMs, byHash.get(parent)?.timeMs) <= longMs &&
    !forked.has(hash) &&
    !heights.has(number) &&
    !opened.some(({ low, high }) => low <= number && number <= high);
  const rows: GraphRow[] = [];
  let run: PlacedBlock[] = [];
  const end = (): void => {
    rows.push(...rowsOfRun(run));
    run = [];
  };
  for (const block of blocks) {
    const above = run.at(-1);
    const follows = above === undefined || (above.parent === block.hash && above.standing === block.standing);
    if (!follows || !isPlain(block)) end();
    if (isPlain(block)) run.push(block);
    else rows.push(toRow(block));
  }
  end();
  return rows;
};

/** The lines between rows, in the order of the rows they come from. */
export const edgesOf = (rows: readonly GraphRow[]): readonly Edge[] => {
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

/** The top of every row and, last, the height of all, px. */
export const topsOf = (
  rows: readonly GraphRow[],
  heights: Readonly<Record<GraphRow['kind'], number>>,
): readonly number[] => {
  const tops = [0];
  for (const { kind } of rows) tops.push((tops.at(-1) ?? 0) + heights[kind]);
  return tops;
};

/** The row that holds this y: the last one that begins at or above it. */
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

/** How a row says where its block stands. */
export const standingWords = (standing: Standing | null): string =>
  standing === null
    ? 'not checked yet'
    : {
        final: 'finalized',
        best: 'on the best chain',
        fork: 'on a fork',
        lost: 'on an abandoned fork',
      }[standing];

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A span of chain time in its largest unit. */
export const spanText = (ms: number): string => {
  const [size, name] = units.find(([one]) => ms >= one * 0.995) ?? ([1, 'ms'] as const);
  return `${Math.round((ms / size) * 10) / 10} ${name}`;
};
