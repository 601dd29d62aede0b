import { groupDigits, isoText, momentText } from '../../../kit/text/format.ts';
import { spanText } from '../list/row-words.ts';

/** A jump of the clock; times in milliseconds since 1970. */
export type Jump = {
  /** The earliest time of the next block now, and after it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Time of this computer. */
  readonly nowMs: number;
  readonly slotMs: number;
  /** Slots of an epoch; null for a chain without epochs. */
  readonly epochSlots: number | null;
};

/** Sentences that describe what moving the clock does. */
export const travelText = ({ fromMs, toMs, nowMs, slotMs, epochSlots }: Jump): readonly string[] => {
  const apart = toMs - nowMs;
  const place =
    Math.abs(apart) < slotMs
      ? 'The next block will be at the time of this computer’s clock.'
      : `The next block will be ${spanText(Math.abs(apart))} ${apart > 0 ? 'ahead of' : 'behind'} this computer’s clock.`;
  const epochs = epochSlots === null ? 0 : Math.floor((toMs - fromMs) / (slotMs * epochSlots));
  return [
    place,
    ...(epochs > 0
      ? [
          `${groupDigits(epochs)} ${epochs === 1 ? 'epoch is' : 'epochs are'} skipped: no block is in ${epochs === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    'Mortal transactions stay valid: their eras count blocks, and no block number is skipped.',
    'Only a reset or a snapshot from before moves the clock back.',
  ];
};

/** How far chain time is ahead of this computer's clock, and how fast it runs; null if it is not ahead. */
export const aheadText = (aheadMs: number, slotMs: number, seal: string): string | null => {
  if (aheadMs <= slotMs) return null;
  const [, seconds] = /^every ([\d.]+) s$/.exec(seal) ?? [];
  const rate = seconds === undefined ? 1 : Math.round((slotMs / 1000 / Number(seconds)) * 10) / 10;
  return `${spanText(aheadMs)} in the future${rate > 1 ? ` (${rate}× real time)` : ''}`;
};

/** A date as typed: its time, or why the clock cannot be set to it. */
export type Wanted =
  | { readonly ms: number; readonly fault: null }
  | { readonly ms: null; readonly fault: string };

const refuse = (fault: string): Wanted => ({ ms: null, fault });

/** Reads a date in UTC. `bestMs`: the time of the best block; null if unknown. */
export const readDate = (typed: string, bestMs: number | null): Wanted => {
  const text = typed.trim().replace(' ', 'T');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text))
    return refuse('Enter a time in UTC as YYYY-MM-DD HH:MM.');
  const ms = Date.parse(`${text}Z`);
  // `Date` takes February 30 for March 2.
  if (!isoText(ms).startsWith(text)) return refuse('This date does not exist.');
  if (ms <= (bestMs ?? 0))
    return refuse(
      `The clock only moves forward${bestMs === null ? '' : `, and the best block is at ${momentText(bestMs)}`}.`,
    );
  return { ms, fault: null };
};
