import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgesOf, foldRows, type GraphRow, leastRun, rowAt, spanText, topsOf } from './graph-rows.ts';
import { layoutTree, type PlacedBlock, type TreeBlock } from './layout-tree.ts';

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
/** A tree as a list of parents: block `n` goes on the block whose place is given, modulo those there are. */
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
  .map((given) => {
    const blocks = [block('b0', 'none', 0, false)];
    for (const { back, isEmpty, ms } of given) {
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
  calmTo: fc.integer({ min: -1, max: 60 }),
  longMs: fc.constantFrom(1, 100),
  opened: fc.array(
    fc.tuple(fc.nat(60), fc.nat(9)).map(([low, more]) => ({ low, high: low + more })),
    {
      maxLength: 2,
    },
  ),
  kept: fc.array(fc.nat(60), { maxLength: 2 }).map((all) => new Set(all.map((one) => `b${one}`))),
});
const run = { seed: 20261123, numRuns: 400 };

/** The same by looking at every pair of neighbours, and joining what belongs together. */
const naiveFold = (
  blocks: readonly PlacedBlock[],
  { calmTo, opened, kept, longMs }: Parameters<typeof foldRows>[1],
): readonly (readonly string[])[] => {
  const isPlain = (one: PlacedBlock): boolean =>
    one.isEmpty === true &&
    (one.number <= calmTo || one.standing === 'lost') &&
    !kept.has(one.hash) &&
    opened.every(({ low, high }) => one.number < low || one.number > high) &&
    blocks.every((other) => other === one || other.number !== one.number) &&
    blocks.every((other) => other.parent !== one.hash || other.lane === one.lane) &&
    blocks.every(({ hash, timeMs }) => hash !== one.parent || (one.timeMs ?? 0) - (timeMs ?? 0) <= longMs);
  const groups: PlacedBlock[][] = [];
  for (const one of blocks) {
    const group = groups.at(-1);
    const above = group?.at(-1);
    if (
      group !== undefined &&
      above !== undefined &&
      isPlain(above) &&
      isPlain(one) &&
      above.parent === one.hash &&
      above.standing === one.standing
    )
      group.push(one);
    else groups.push([one]);
  }
  return groups.flatMap((group) =>
    group.length >= leastRun ? [group.map(({ hash }) => hash)] : group.map(({ hash }) => [hash]),
  );
};

describe('the rows of the block list', () => {
  it('fold as the naive model does, and leave no block out', () => {
    fc.assert(
      fc.property(laid, wishes, ({ blocks }, wish) => {
        const rows = foldRows(blocks, wish);
        expect(rows.map((row) => row.blocks.map(({ hash }) => hash))).toEqual(naiveFold(blocks, wish));
        expect(rows.flatMap((row) => row.blocks)).toEqual(blocks);
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
      run,
    );
  });

  it('have lines that never lie over one another, each from a block down to its parent', () => {
    fc.assert(
      fc.property(laid, wishes, ({ blocks }, wish) => {
        const rows = foldRows(blocks, wish);
        const edges = edgesOf(rows);
        const placeOf = (hash: string) =>
          rows.findIndex((row) => row.blocks.some((found) => found.hash === hash));
        expect(edges.map(({ from, to }) => [from, to])).toEqual(
          rows.flatMap((row, index) => {
            const oldest = row.blocks.at(-1) as PlacedBlock;
            return oldest.number === 0 ? [] : [[index, placeOf(oldest.parent)]];
          }),
        );
        for (const { from, to, lane } of edges) {
          expect(to).toBeGreaterThan(from);
          for (let index = from + 1; index < (to ?? from); index += 1)
            expect(rows[index]?.lane).not.toBe(lane);
        }
      }),
      run,
    );
  });

  it('are found by their place', () => {
    const heights = { block: 30, tall: 50, fold: 26 };
    const kinds = fc.array(fc.constantFrom('block', 'tall', 'fold' as const), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(kinds, fc.integer({ min: -50, max: 2500 }), (all, y) => {
        const tops = topsOf(
          all.map((kind) => ({ kind }) as GraphRow),
          heights,
        );
        const naive = all.findLastIndex((_, index) => (tops[index] ?? 0) <= y);
        expect(rowAt(tops, y)).toBe(Math.max(0, naive));
        expect(tops.at(-1)).toBe(all.reduce((sum, kind) => sum + heights[kind as 'block'], 0));
      }),
      run,
    );
  });

  it('tell a span of time in its largest unit', () => {
    expect([90_000_000, 90_000, 6000].map(spanText)).toEqual(['1 d', '1.5 min', '6 s']);
  });

  it('of 10,000 blocks cost little more than the blocks', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) => block(`b${at}`, `b${at - 1}`, at, at % 10 > 0));
    const { blocks, lanes } = layoutTree(chain, { best: 'b9999', finalized: 9998 });
    const rows = foldRows(blocks, { calmTo: 9996, opened: [], kept: new Set(), longMs: 1 });
    expect(lanes).toBe(1);
    // Nine of ten are empty; the newest nine are not all calm yet.
    expect(rows.filter(({ kind }) => kind === 'fold')).toHaveLength(1000);
    expect(edgesOf(rows)).toHaveLength(rows.length - 1);
  });
});
