import { median } from '../measure.ts';

/** What a node needed in one round: by the clock or in memory, and processor time (null where it says nothing). */
export type Sample = { readonly value: number; readonly cpu: number | null };

/** The same of both nodes. */
export type Pair<T> = { readonly ours: T; readonly native: T };

/** Measures both in turn, `rounds` times; the one that begins changes with each round. */
export const alternate = async (
  rounds: number,
  measure: Pair<(round: number) => Promise<Sample>>,
): Promise<Pair<Sample>[]> => {
  const pairs: Pair<Sample>[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const ours = await measure.ours(round);
      pairs.push({ ours, native: await measure.native(round) });
    } else {
      const native = await measure.native(round);
      pairs.push({ ours: await measure.ours(round), native });
    }
  }
  return pairs;
};

/** Both nodes, for what is done with each. */
export const eachOf = async <T, R>(
  { ours, native }: Pair<T>,
  run: (one: T) => Promise<R>,
): Promise<Pair<R>> => ({
  ours: await run(ours),
  native: await run(native),
});

/** Median, least and most. */
export type Spread = { readonly median: number; readonly min: number; readonly max: number };

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/** Of ours and native's, and of the ratio of each round. The ratio of processor time is null if a round has none. */
export type Summary = {
  readonly ours: Spread;
  readonly native: Spread;
  readonly ratio: Spread;
  readonly cpuRatio: Spread | null;
};

export const summarize = (pairs: readonly Pair<Sample>[]): Summary => {
  if (pairs.length === 0) throw new Error('nothing was measured');
  const cpu = pairs.map(({ ours, native }) => (ours.cpu ?? Number.NaN) / (native.cpu ?? Number.NaN));
  return {
    ours: spreadOf(pairs.map(({ ours }) => ours.value)),
    native: spreadOf(pairs.map(({ native }) => native.value)),
    ratio: spreadOf(pairs.map(({ ours, native }) => ours.value / native.value)),
    cpuRatio: cpu.every(Number.isFinite) ? spreadOf(cpu) : null,
  };
};
