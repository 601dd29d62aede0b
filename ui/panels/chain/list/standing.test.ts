import { describe, expect, it } from 'vitest';
import { type LinkedBlock, pathOf, standingsOf, unjoinedHeights } from './standing.ts';

const block = (hash: string, parent: string, number: number): LinkedBlock => ({ hash, parent, number });
/** The part of the best chain that is listed: #10 to #14. */
const listed = [10, 11, 12, 13, 14].map((number) => block(`t${number}`, `t${number - 1}`, number));
const pathTo = (blocks: readonly LinkedBlock[], tip: string) =>
  pathOf(new Map(blocks.map((one) => [one.hash, one])), tip);
const judge = (
  beside: readonly LinkedBlock[],
  finalized: number,
  canonical: readonly (readonly [number, string | null])[] = [],
) => {
  const blocks = [...beside, ...listed].toSorted((a, b) => a.number - b.number);
  const path = pathTo(blocks, 't14');
  const found = standingsOf(blocks, path, { finalized, canonical: new Map(canonical) });
  return { of: (hash: string) => found.get(hash) ?? null, asks: unjoinedHeights(blocks, path, finalized) };
};

describe('the standing of a block', () => {
  it('is unknown for a block that is not linked to the best chain, until the node has answered', () => {
    const old = block('t3', 't2', 3);
    expect(judge([old], 12).of('t3')).toBeNull();
    expect(judge([old], 12).asks).toEqual([2, 3]);
    expect(judge([old], 12, [[3, 't3']]).of('t3')).toBe('final');
    expect(judge([old], 2, [[3, 't3']]).of('t3')).toBe('best');
    expect(judge([old], 12, [[3, 'other']]).of('t3')).toBe('lost');
    expect(judge([old], 12, [[3, null]]).of('t3')).toBeNull();
  });

  it('of a fork follows from the block it branches off, which is known or was requested', () => {
    const fork = [block('f5', 't4', 5), block('f6', 'f5', 6)];
    expect(judge(fork, 4).of('f6')).toBeNull();
    expect(judge(fork, 4).asks).toEqual([4, 5, 6]);
    const answers = [[4, 't4'], [5, 't5'], [6, 't6']] as const; // biome-ignore format: pairs
    expect(judge(fork, 4, answers).of('f5')).toBe('fork');
    expect(judge(fork, 4, answers).of('f6')).toBe('fork');
    expect(judge(fork, 5, answers).of('f5')).toBe('lost');
    expect(judge(fork, 5, answers).of('f6')).toBe('lost');
    // Its first block branches off a final one.
    expect(judge(fork, 4, [[4, 'x4']]).of('f6')).toBe('lost');
  });

  it('is known to be off the best chain where that has another block or none, though not where the fork begins', () => {
    const above = [block('f40', 'f39', 40), block('f41', 'f40', 41)];
    expect(judge(above, 4).of('f41')).toBeNull();
    for (const other of ['t40', null]) {
      const { of, asks } = judge(above, 4, [[39, other], [40, other], [41, other]]); // biome-ignore format: pairs
      expect([of('f40'), of('f41'), asks]).toEqual(['off', 'off', [39, 40, 41]]);
    }
    expect(judge([block('f12', 'f11', 12)], 4).asks).toEqual([11, 12]);
  });

  it('is unknown up to the best block, as long as the block of the best chain at its height is', () => {
    const above = [block('a4', 'a3', 4), block('a5', 'a4', 5)];
    expect(judge(above, 0, [[4, 'a4']]).of('a5')).toBeNull();
    expect(judge(above, 0, [[4, 'a4'], [5, 't5']]).of('a5')).toBe('fork'); // biome-ignore format: pairs
    // As a rollback leaves it.
    expect(judge([block('t15', 't14', 15)], 0).of('t15')).toBe('fork');
  });

  it('follows the known best chain if an answer is older', () => {
    expect(judge([block('f12', 't11', 12)], 11, [[12, 'f12']]).of('f12')).toBe('fork');
    expect(judge([block('f12', 't11', 12)], 12, [[12, 'f12']]).of('f12')).toBe('lost');
    expect(judge([], 12).asks).toEqual([]);
    expect(judge([block('f12', 't11', 12)], 11).asks).toEqual([]);
  });
});
