import { median } from '../measure.ts';

/** How much larger a figure may be at the end: by a factor and by an amount in its unit. */
export type Allowance = { readonly factor: number; readonly amount: number };

/** Fewer values than this say nothing about growth. */
const fewest = 8;

/**
 * The medians of the second and of the last quarter of what was measured over time, or null if there are too few values. The
 * first quarter is left out, in which code is still compiled.
 */
export const compareQuarters = (
  values: readonly number[],
): { readonly before: number; readonly after: number } | null => {
  if (values.length < fewest) return null;
  const quarter = Math.floor(values.length / 4);
  return { before: median(values.slice(quarter, 2 * quarter)), after: median(values.slice(-quarter)) };
};

/** Why a figure has grown too much, as a sentence; null if it has not, or if there are too few values. */
export const findGrowth = (
  name: string,
  values: readonly number[],
  { factor, amount }: Allowance,
): string | null => {
  const compared = compareQuarters(values);
  if (compared === null) return null;
  const { before, after } = compared;
  if (after <= before * factor + amount) return null;
  return `${name} has grown from ${before.toFixed(1)} to ${after.toFixed(1)}`;
};
