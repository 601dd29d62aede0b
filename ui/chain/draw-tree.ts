import { groupDigits } from '../state/format.ts';
import type { PlacedBlock } from './layout-tree.ts';
import type { Standing } from './standing.ts';

const lanePx = 18;
const axisPx = 62;
const labelPx = 40;
/** Space above the newest block and below the oldest, px. */
export const padPx = 16;

/** x of a lane, px from the left. */
export const xOfLane = (lane: number): number => axisPx + 10 + lane * lanePx;

export const widthOf = (lanes: number): number => axisPx + 20 + lanes * lanePx;

/** How the drawing says where a block stands. */
export const standingWords = (standing: Standing | null): string =>
  standing === null
    ? 'not checked yet'
    : {
        final: 'finalized',
        best: 'on the best chain',
        fork: 'on a fork',
        lost: 'on an abandoned fork',
      }[standing];

/** The line from a block down to its parent: straight in its lane, bent where the branch begins. `top` turns y over. */
export const edgePath = ({ lane, y, from, number }: PlacedBlock, top: (y: number) => number): string => {
  if (number === 0) return '';
  if (from === null) return `M${xOfLane(lane)},${top(y)} v14`;
  const [x0, y0, x1, y1] = [xOfLane(from.lane), top(from.y), xOfLane(lane), top(y)];
  if (x0 === x1) return `M${x0},${y0} V${y1}`;
  const bend = Math.max(y1, y0 - 14);
  return `M${x0},${y0} C${x0},${bend} ${x1},${y0} ${x1},${bend} V${y1}`;
};

/** A chain time beside the axis, UTC; `day` where it is not that of the label below. */
type TimeLabel = { readonly at: number; readonly time: string; readonly day: string | null };

/** Chain times along the axis, as many as fit, from the oldest up. */
export const timeLabels = (
  blocks: readonly PlacedBlock[],
  top: (y: number) => number,
): readonly TimeLabel[] => {
  let last = Number.POSITIVE_INFINITY;
  let lastDay: string | null = null;
  const upwards = blocks.toSorted((a, b) => a.y - b.y);
  return upwards.flatMap(({ timeMs, y }) => {
    const at = top(y);
    if (timeMs === null || last - at < labelPx) return [];
    const [day = '', time = ''] = new Date(timeMs).toISOString().split(/[T.]/);
    const isNewDay = lastDay !== null && day !== lastDay;
    last = at;
    lastDay = day;
    return [{ at, time, day: isNewDay ? day : null }];
  });
};

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A span of chain time in its largest unit. */
export const spanText = (ms: number): string => {
  const [size, name] = units.find(([one]) => ms >= one * 0.995) ?? ([1, 'ms'] as const);
  return `${groupDigits(Math.round((ms / size) * 10) / 10)} ${name}`;
};
