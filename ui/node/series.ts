import { clockText } from '../state/format.ts';

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
  axis === 'block' ? `#${x}` : clockText(x * 1000);

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

/** Multiples of 1, 2 or 5 times a power of ten inside a span, at most so many; `least` is the smallest step. */
export const ticksOf = (min: number, max: number, most: number, least = 0): readonly number[] => {
  const rough = Math.max((max - min) / most, least);
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(min / step);
  return Array.from({ length: Math.floor(max / step) - first + 1 }, (_, index) => (first + index) * step);
};

/** The path of a line through points, which begins anew where a value is missing. */
export const pathOf = (points: readonly (readonly [x: number, y: number] | null)[]): string => {
  let pen = 'M';
  return points
    .map((point) => {
      if (point === null) {
        pen = 'M';
        return '';
      }
      const [x, y] = point.map((value) => Math.round(value * 10) / 10);
      // A line of no length is a dot: a lone value is seen.
      const text = pen === 'M' ? `M${x} ${y}h0` : `L${x} ${y}`;
      pen = 'L';
      return text;
    })
    .join('');
};
