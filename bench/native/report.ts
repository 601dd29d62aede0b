import type { NativeLine } from './line.ts';
import type { Spread, Summary } from './rounds.ts';

/** What a line came to: measured, or why not. */
export type Outcome = { readonly line: Omit<NativeLine, 'measure'> } & (
  | { readonly summary: Summary; readonly rounds: number }
  | { readonly failed: string }
);

export type Verdict = 'ok' | 'missed' | 'not measured' | '';

export const verdictOf = (outcome: Outcome): Verdict => {
  if ('failed' in outcome) return 'not measured';
  const { bar, unit } = outcome.line;
  if (bar === null) return '';
  const value = outcome.summary[bar.of].median;
  return (unit === '/s' ? value >= bar.limit : value <= bar.limit) ? 'ok' : 'missed';
};

const digits = (value: number): string =>
  Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString('en-US')
    : value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3);

const hundredths = (value: number): string => value.toFixed(2);

const show = ({ median, min, max }: Spread, format: (value: number) => string): string =>
  `${format(median)} (${format(min)}–${format(max)})`;

/** The bar in words, empty if there is none. */
export const barText = ({ bar, unit }: Pick<NativeLine, 'bar' | 'unit'>): string =>
  bar === null
    ? ''
    : `${unit === '/s' ? '≥' : '≤'} ${bar.limit}${bar.of === 'ratio' ? '×' : ` ${unit}, ours`}`;

export const heading = [
  '| line | ours | native | ours / native | processor time, ours / native | bar | |',
  '| --- | --- | --- | --- | --- | --- | --- |',
].join('\n');

/** A row of the table in Markdown: medians, with the least and the most of the rounds in parentheses. */
export const rowOf = (outcome: Outcome): string => {
  const { line } = outcome;
  const title = `${line.about}, ${line.unit} (\`${line.name}\`)`;
  if ('failed' in outcome)
    return `| ${title} | | | | | ${barText(line)} | not measured: ${outcome.failed.replaceAll('|', '/').replaceAll('\n', ' ')} |`;
  const { ours, native, ratio, cpuRatio } = outcome.summary;
  const cells = [
    `${title}, ${outcome.rounds} ${outcome.rounds === 1 ? 'round' : 'rounds'}`,
    show(ours, digits),
    show(native, digits),
    `**${hundredths(ratio.median)}** (${hundredths(ratio.min)}–${hundredths(ratio.max)})`,
    cpuRatio === null ? '' : show(cpuRatio, hundredths),
    barText(line),
    verdictOf(outcome),
  ];
  return `| ${cells.join(' | ')} |`;
};

const list = (outcomes: readonly Outcome[], describe: (one: Outcome) => string): string =>
  outcomes.length === 0 ? 'none' : outcomes.map(describe).join(', ');

/** The value that a bar is about, with three digits: one may be just above the bar. */
const reached = (outcome: Outcome): string => {
  const { name, bar, unit } = outcome.line;
  if ('failed' in outcome || bar === null) return name;
  const { median } = outcome.summary[bar.of];
  return `${name} (${bar.of === 'ratio' ? `${digits(median)}×` : `${digits(median)} ${unit}`}, bar ${bar.limit})`;
};

/** Says what was missed, what was reached and what was not measured: each line with a bar is in one of the three. */
export const conclude = (outcomes: readonly Outcome[]): string => {
  const of = (verdict: Verdict): Outcome[] => outcomes.filter((one) => verdictOf(one) === verdict);
  return [
    `missed: ${list(of('missed'), reached)}`,
    `reached: ${list(of('ok'), reached)}`,
    `not measured: ${list(of('not measured'), ({ line }) => line.name)}`,
  ].join('\n');
};
