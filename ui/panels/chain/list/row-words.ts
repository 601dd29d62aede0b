import { groupDigits, isoText } from '../../../kit/text/format.ts';
import { type BlockRow, type Edge, gapMs } from './list-rows.ts';
import type { Standing } from './standing.ts';

/** The standing of a row's block as text. */
export const standingWords = (standing: Standing | null): string =>
  standing === null
    ? 'not checked yet'
    : {
        final: 'finalized',
        best: 'on the best chain',
        fork: 'on a fork',
        lost: 'on an abandoned fork',
        off: 'not on the best chain',
      }[standing];

/** The number of blocks of a run. */
export const runCount = ({ isEmpty, span: { low, high } }: BlockRow): string =>
  `${groupDigits(high - low + 1)}${isEmpty ? ' empty' : ''} blocks`;

/** The label of a run or a gap. */
export const runWords = (row: BlockRow): string => {
  const { kind, lane } = row;
  const { low, high } = row.span;
  if (kind === 'gap' && lane > 0) return `Fork not loaded below #${groupDigits(high + 1)}`;
  const range = `#${groupDigits(low)} ${high === low + 1 ? 'and' : 'to'} #${groupDigits(high)}`;
  if (kind !== 'gap') return `${runCount(row)}, ${range}`;
  return low === high ? `Block #${groupDigits(low)} is not loaded` : `Blocks ${range} are not loaded`;
};

const units = [
  [31_557_600_000, 'years'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A duration as text, in its largest unit. */
export const spanText = (ms: number): string => {
  const [size, name] =
    units.find(([one, of]) => ms >= one * (of === 'years' ? 2 : 0.995)) ?? ([1, 'ms'] as const);
  return `${Math.round((ms / size) * 10) / 10} ${name}`;
};

const dayOf = (ms: number): string => isoText(ms).split('T', 1)[0] ?? '';

/** Chain time since the block below: `text` in short, with the date if that changed, and `title` with the block. */
export type Wait = { readonly text: string; readonly title: string };

/** How long a row's block came after the one below, if that exceeds `longMs`; null otherwise. */
export const waitOf = (
  rows: readonly BlockRow[],
  edges: readonly Edge[],
  index: number,
  longMs: number,
): Wait | null => {
  const now = rows[index]?.blocks.at(-1)?.timeMs;
  const below = rows[edges.find(({ from }) => from === index)?.to ?? -1]?.blocks[0];
  if (!now || !below?.timeMs || gapMs(now, below.timeMs) <= longMs) return null;
  const [day, span] = [dayOf(now), spanText(now - below.timeMs)];
  return {
    text: `${span} later${day === dayOf(below.timeMs) ? '' : `, ${day}`}`,
    title: `${span} after #${groupDigits(below.number)}`,
  };
};
