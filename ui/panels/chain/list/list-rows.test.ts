import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutTree, type PlacedBlock, type TreeBlock } from './layout-tree.ts';
import { type BlockRow, edgesOf, foldRows, leastRun, rowAt, topsOf, withGaps } from './list-rows.ts';
import { runWords, spanText } from './row-words.ts';

const block = (
  hash: string,
  parent: string,
  number: number,
  isEmpty: boolean,
  timeMs = number,
): TreeBlock => ({
  hash,
  parent,
  number,
  timeMs,
  isEmpty,
});
/** Random trees: each block's parent is the block `back` places before the newest, or the first block. */
const trees = fc
  .array(
    fc.record({
      ms: fc.constantFrom(1, 1, 1, 5),
      back: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(9)),
      isEmpty: fc.boolean(),
    }),
    {
      maxLength: 60,
    },
  )
  .map((input) => {
    const blocks = [block('b0', 'none', 0, false)];
    for (const { back, isEmpty, ms } of input) {
      const parent = blocks[Math.max(0, blocks.length - 1 - back)] as TreeBlock;
      blocks.push(
        block(`b${blocks.length}`, parent.hash, parent.number + 1, isEmpty, (parent.timeMs ?? 0) + ms),
      );
    }
    return blocks;
  });
const laid = fc
  .tuple(trees, fc.nat(), fc.nat(60))
  .map(([blocks, best, finalized]) =>
    layoutTree(blocks, { best: blocks[best % blocks.length]?.hash ?? null, finalized }),
  );
const wishes = fc.record({
  best: fc.integer({ min: 2, max: 63 }),
  longMs: fc.constantFrom(1, 100),
  opened: fc.array(
    fc.tuple(fc.nat(60), fc.nat(9), fc.nat(2)).map(([low, more, lane]) => ({ low, high: low + more, lane })),
    {
      maxLength: 2,
    },
  ),
  kept: fc.array(fc.nat(60), { maxLength: 2 }).map((all) => new Set(all.map((one) => `b${one}`))),
});
const run = { seed: 20261123, numRuns: 400 };

/** A naive model of foldRows that compares every pair of blocks. Returns the hashes of each row's blocks. */
const naiveFold = (
  blocks: readonly PlacedBlock[],
  { best, opened, kept, longMs }: Parameters<typeof foldRows>[1],
): readonly (readonly string[])[] => {
  const isOpened = (one: PlacedBlock): boolean =>
    opened.some(({ low, high, lane }) => one.lane === lane && one.number >= low && one.number <= high);
  const isAbove = ({ lane, number }: PlacedBlock): boolean => lane > 0 && number > best;
  const isPlain = (one: PlacedBlock): boolean =>
    (one.isEmpty === true || isAbove(one)) &&
    (one.lane > 0
      ? blocks.some(({ parent }) => parent === one.hash)
      : one.number <= best - 3 &&
        blocks.every((other) => other.parent !== one.parent || other.lane === one.lane)) &&
    (!kept.has(one.hash) || isOpened(one)) &&
    blocks.every((other) => other.parent !== one.hash || other.lane === one.lane) &&
    (isAbove(one) ||
      blocks.every(({ hash, timeMs }) => hash !== one.parent || (one.timeMs ?? 0) - (timeMs ?? 0) <= longMs));
  const joins = (above: PlacedBlock, below: PlacedBlock): boolean =>
    isPlain(above) &&
    isPlain(below) &&
    above.parent === below.hash &&
    above.lane === below.lane &&
    above.standing === below.standing &&
    isOpened(above) === isOpened(below);
  /** The run from this block down, newest first. */
  const runOf = (one: PlacedBlock): readonly PlacedBlock[] => {
    const below = blocks.find((other) => joins(one, other));
    return below === undefined ? [one] : [one, ...runOf(below)];
  };
  const newestOf = (one: PlacedBlock): PlacedBlock => {
    const above = blocks.find((other) => joins(other, one));
    return above === undefined ? one : newestOf(above);
  };
  return blocks.flatMap((one) => {
    const run = runOf(newestOf(one));
    const isFirst = run[0] === one;
    if (run.length < leastRun) return [[one.hash]];
    if (isOpened(one)) return isFirst ? [[], [one.hash]] : [[one.hash]];
    return isFirst ? [run.map(({ hash }) => hash)] : [];
  });
};

describe('the rows of the block list', () => {
  it('match the naive model, and include every block', () => {
    fc.assert(
      fc.property(laid, wishes, ({ blocks }, wish) => {
        const rows = foldRows(blocks, wish);
        expect(rows.map((row) => row.blocks.map(({ hash }) => hash))).toEqual(naiveFold(blocks, wish));
        const shown = rows.flatMap((row) => row.blocks.map(({ hash }) => hash));
        expect(shown.toSorted()).toEqual(blocks.map(({ hash }) => hash).toSorted());
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
      run,
    );
  });

  it('have edges that never overlap, each from a block down to its parent', () => {
    fc.assert(
      fc.property(laid, wishes, ({ blocks }, wish) => {
        const rows = foldRows(blocks, wish);
        const edges = edgesOf(rows);
        const placeOf = (hash: string) =>
          rows.findIndex((row) => row.blocks.some((found) => found.hash === hash));
        expect(edges.map(({ from, to }) => [from, to])).toEqual(
          rows.flatMap((row, index) => {
            const oldest = row.blocks.at(-1);
            return oldest === undefined || oldest.number === 0 ? [] : [[index, placeOf(oldest.parent)]];
          }),
        );
        for (const { from, to, lane } of edges) {
          expect(to).toBeGreaterThan(from);
          // The header of an unfolded run lies on the edge of its own blocks.
          for (const row of rows.slice(from + 1, to ?? from))
            if (row.kind !== 'open') expect(row.lane).not.toBe(lane);
        }
      }),
      run,
    );
  });

  it('fold an abandoned branch of hundreds of empty blocks, even alongside those of the best chain', () => {
    const line = (name: string, from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => {
        const number = from + at;
        const parent = number === 19 ? 'a18' : `${name}${number - 1}`;
        return block(`${name}${number}`, parent, number, true);
      });
    const blocks = [...line('a', 0, 336), ...line('b', 19, 40)];
    const fold = (best: string, finalized: number) => {
      const { blocks: placed } = layoutTree(blocks, { best, finalized });
      return foldRows(placed, { best: Number(best.slice(1)), opened: [], longMs: 1, kept: new Set() });
    };
    // The branch above the new head is a fork at first, then an abandoned one.
    for (const finalized of [18, 30]) {
      const rows = fold('b40', finalized);
      expect(rows.map(({ key, span }) => [key, span.low])).toEqual([
        ['a336', 336],
        ['fold:a19', 19],
        ['b40', 40],
        ['b39', 39],
        ['b38', 38],
        ...(finalized === 18
          ? [['fold:b20', 20]]
          : [
              ['fold:b31', 31],
              ['fold:b20', 20],
            ]),
        ['b19', 19],
        ['a18', 18],
        ['fold:a0', 0],
      ]);
    }
  });

  it('fold a fork above the best block, empty or not, so that one sees the best block', () => {
    const chain = Array.from({ length: 61 }, (_, at) =>
      block(`b${at}`, `b${at - 1}`, at, at % 2 > 0, at * 9),
    );
    const { blocks } = layoutTree(chain, { best: 'b20', finalized: 18 });
    const rows = foldRows(blocks, { best: 20, opened: [], longMs: 1, kept: new Set(['b50']) });
    expect(rows.slice(0, 5).map(({ key }) => key)).toEqual(['b60', 'fold:b51', 'b50', 'fold:b21', 'b20']);
    expect(rows.slice(1, 2).map(runWords)).toEqual(['9 blocks, #51 to #59']);
    expect(rows.slice(5).every(({ kind }) => kind !== 'fold')).toBe(true);
  });

  it('of an unfolded run have one header that folds it again, whichever of them is selected', () => {
    const chain = Array.from({ length: 20 }, (_, at) => block(`b${at}`, `b${at - 1}`, at, true));
    const { blocks } = layoutTree(chain, { best: 'b19', finalized: 19 });
    const opened = [{ low: 0, high: 16, lane: 0 }];
    for (const kept of [[], ['b9']]) {
      const rows = foldRows(blocks, { best: 19, opened, longMs: 1, kept: new Set(kept) });
      expect(rows.filter(({ kind }) => kind === 'open').map(({ key }) => key)).toEqual(['open:b0']);
      expect(rows[3]?.kind).toBe('open');
      expect(rows).toHaveLength(21);
    }
  });

  it('show gaps where blocks of the best chain are not loaded, and no edge crosses a gap', () => {
    const chain = Array.from({ length: 140 }, (_, at) => block(`b${at}`, `b${at - 1}`, at, false));
    const looked = block('b11', 'b10', 11, false);
    const canonical = new Map([
      [11, 'b11'],
      [20, 'b20'],
      [376, null],
      [377, null],
    ]);
    const heads = { best: 'b139', finalized: 139, canonical };
    const rowsOf = (input: readonly TreeBlock[], bottom = 128) =>
      withGaps(
        foldRows(layoutTree(input, heads).blocks, { best: 139, opened: [], longMs: 1, kept: new Set() }),
        bottom,
      );
    const rows = rowsOf([...chain.slice(128), looked]);
    expect(rows.slice(11).map(({ key, span }) => [key, span])).toEqual([
      ['b128', { low: 128, high: 128 }],
      ['gap:b128', { low: 12, high: 127 }],
      ['b11', { low: 11, high: 11 }],
      ['gap:b11', { low: 0, high: 10 }],
    ]);
    const edges = edgesOf(rows);
    const place = rows.findIndex(({ key }) => key === 'gap:b128');
    expect(edges.filter(({ from, to }) => from < place && (to ?? from) >= place)).toEqual([]);
    // A fork among the missing heights.
    const lost = rowsOf([...chain.slice(128), block('x20', 'x19', 20, false)]);
    expect(lost.slice(-2).map(({ key, span }) => [key, span.low])).toEqual([
      ['gap:b128', 20],
      ['x20', 20],
    ]);
    // The rest of a branch that a rollback left, of which only the tip is known.
    const left = rowsOf([...chain, block('x377', 'x376', 377, false), block('x376', 'x375', 376, false)], 0);
    expect(left.slice(0, 4).map(({ key, lane }) => [key, lane])).toEqual([
      ['x377', 1],
      ['x376', 1],
      ['gap:x376', 1],
      ['b139', 0],
    ]);
    expect(left.slice(2, 3).map(runWords)).toEqual(['Fork not loaded below #376']);
    expect(rowsOf(chain).some(({ kind }) => kind === 'gap')).toBe(false);
    // The list loads the heights below its end; if a row lies further down, they are a gap instead.
    expect(rowsOf(chain.slice(100), 100).some(({ kind }) => kind === 'gap')).toBe(false);
    expect(rowsOf(chain.slice(100)).at(-1)).toMatchObject({ key: 'gap:b100', span: { low: 0, high: 99 } });
  });

  it('are found by their y position', () => {
    const heights = { block: 30, tall: 50, fold: 26, open: 26, gap: 28 };
    const kinds = fc.array(fc.constantFrom('block', 'tall', 'fold' as const), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(kinds, fc.integer({ min: -50, max: 2500 }), (all, y) => {
        const tops = topsOf(
          all.map((kind) => ({ kind }) as BlockRow),
          heights,
        );
        const naive = all.findLastIndex((_, index) => (tops[index] ?? 0) <= y);
        expect(rowAt(tops, y)).toBe(Math.max(0, naive));
        expect(tops.at(-1)).toBe(all.reduce((sum, kind) => sum + heights[kind as 'block'], 0));
      }),
      run,
    );
  });

  it('show a duration in its largest unit', () => {
    expect([90_000_000, 90_000, 6000].map(spanText)).toEqual(['1 d', '1.5 min', '6 s']);
    expect([700, 355_416].map((days) => spanText(days * 86_400_000))).toEqual(['700 d', '973.1 years']);
  });

  it('of 10,000 blocks have one fold per run and one edge per row', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) => block(`b${at}`, `b${at - 1}`, at, at % 10 > 0));
    const { blocks, lanes } = layoutTree(chain, { best: 'b9999', finalized: 9998 });
    const rows = foldRows(blocks, { best: 9999, opened: [], kept: new Set(), longMs: 1 });
    expect(lanes).toBe(1);
    // Nine of ten blocks are empty; the newest three are not folded yet.
    expect(rows.filter(({ kind }) => kind === 'fold')).toHaveLength(1000);
    expect(edgesOf(rows)).toHaveLength(rows.length - 1);
  });
});
