import { describe, expect, it } from 'vitest';
import { alternate, type Pair, type Sample, summarize } from './rounds.ts';

const pair = (
  ours: number,
  native: number,
  cpu: Pair<number | null> = { ours: 1, native: 2 },
): Pair<Sample> => ({
  ours: { value: ours, cpu: cpu.ours },
  native: { value: native, cpu: cpu.native },
});

describe('rounds of two nodes', () => {
  it('take turns, and each begins every other round', async () => {
    const order: string[] = [];
    const note = (name: string, value: number) => async (round: number) => {
      order.push(`${name}${round}`);
      return { value: value + round, cpu: null };
    };
    const pairs = await alternate(3, { ours: note('ours', 10), native: note('native', 20) });
    expect(order).toEqual(['ours0', 'native0', 'native1', 'ours1', 'ours2', 'native2']);
    expect(pairs.map(({ ours, native }) => [ours.value, native.value])).toEqual([
      [10, 20],
      [11, 21],
      [12, 22],
    ]);
  });

  it('have the median of the ratios, which is not the ratio of the medians', () => {
    const { ours, native, ratio } = summarize([pair(1, 2), pair(4, 4), pair(6, 2)]);
    expect([ours.median, native.median]).toEqual([4, 2]);
    expect(ratio).toEqual({ median: 1, min: 0.5, max: 3 });
  });

  it('have a ratio of processor time only if every round has one', () => {
    const rounds = [pair(1, 1), pair(1, 1, { ours: 3, native: 2 })];
    expect(summarize(rounds).cpuRatio).toEqual({ median: 1.5, min: 0.5, max: 1.5 });
    expect(summarize([...rounds, pair(1, 1, { ours: null, native: 2 })]).cpuRatio).toBeNull();
    // A call may take less than a tick of the counter.
    expect(summarize([...rounds, pair(1, 1, { ours: 0, native: 0 })]).cpuRatio).toBeNull();
  });

  it('are at least one', () => {
    expect(() => summarize([])).toThrow('nothing was measured');
  });
});
