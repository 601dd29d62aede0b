/** One line of a chart. */
export type Series = {
  readonly label: string;
  readonly tone: 'accent' | 'ok' | 'warn';
  readonly values: readonly (number | null)[];
};

/** A chart with what its table says. */
export type ChartData = {
  readonly title: string;
  readonly unit: string;
  /** Whether `x` counts blocks or seconds since 1970. */
  readonly axis: 'block' | 'time';
  readonly x: readonly number[];
  readonly series: readonly Series[];
};

/** A value with as many digits as it deserves. */
export const valueText = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? '–'
    : Number.isInteger(value)
      ? String(value)
      : value.toFixed(value < 10 ? 2 : 1);

export const axisText = (axis: ChartData['axis'], x: number): string =>
  axis === 'block' ? `#${x}` : new Date(x * 1000).toLocaleTimeString([], { hour12: false });

/** Least, middle and most of what was measured; null where nothing was. */
export const spread = (
  values: readonly (number | null)[],
): { readonly min: number; readonly median: number; readonly max: number } | null => {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  const median = sorted[Math.floor(sorted.length / 2)];
  return min === undefined || max === undefined || median === undefined ? null : { min, median, max };
};
