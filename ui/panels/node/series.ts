import { clockText } from '../../kit/text/format.ts';

/** One line of a chart. */
export type Series = {
  readonly label: string;
  readonly tone: 'accent' | 'ok' | 'warn';
  readonly values: readonly (number | null)[];
};

/** Data of a chart and its table. */
export type ChartData = {
  readonly title: string;
  readonly unit: string;
  /** Whether `x` counts blocks or seconds since 1970. */
  readonly axis: 'block' | 'time';
  readonly x: readonly number[];
  readonly series: readonly Series[];
};

/** A value rounded by magnitude. */
export const valueText = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? '–'
    : Number.isInteger(value)
      ? String(value)
      : value.toFixed(value < 10 ? 2 : 1);

export const axisText = (axis: ChartData['axis'], x: number): string =>
  axis === 'block' ? `#${x}` : clockText(x * 1000);

/** Minimum, median and maximum of the samples; null if there are none. */
export const spread = (
  values: readonly (number | null)[],
): { readonly min: number; readonly median: number; readonly max: number } | null => {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  const median = sorted[Math.floor(sorted.length / 2)];
  return min === undefined || max === undefined || median === undefined ? null : { min, median, max };
};

/**
 * Upper end of a chart's axis: the maximum. One or two spikes, such as those of the start, leave the chart, because
 * they would flatten the rest.
 */
export const topOf = (values: readonly (number | null)[]): number => {
  const [max = 0, , third = max] = values.filter((value) => value !== null).sort((a, b) => b - a);
  return values.length > 5 && third > 0 && max > 4 * third ? 1.5 * third : max;
};

/**
 * Multiples of 1, 2 or 5 times a power of ten within a range, at most `limit`; `least` is the smallest step.
 */
export const ticksOf = (min: number, max: number, limit: number, least = 0): readonly number[] => {
  const rough = Math.max((max - min) / limit, least);
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(min / step);
  return Array.from({ length: Math.floor(max / step) - first + 1 }, (_, index) => (first + index) * step);
};

/** SVG path of a line through points, with a new segment after each missing value. */
export const pathOf = (points: readonly (readonly [x: number, y: number] | null)[]): string => {
  let pen = 'M';
  return points
    .map((point) => {
      if (point === null) {
        pen = 'M';
        return '';
      }
      const [x, y] = point.map((value) => Math.round(value * 10) / 10);
      // A zero-length line is drawn as a dot, so that an isolated value is visible.
      const text = pen === 'M' ? `M${x} ${y}h0` : `L${x} ${y}`;
      pen = 'L';
      return text;
    })
    .join('');
};
