import { toHex } from '../meta/hex.ts';

/** The short form of a hash or key: `0x12ab…9f3c`. */
export const shortHex = (text: string, head = 6, tail = 4): string =>
  text.length <= head + tail + 3 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;

/** The same of bytes, of which only the ends are written. */
export const shortBytes = (bytes: Uint8Array, head = 6, tail = 4): string =>
  bytes.length <= 64
    ? shortHex(toHex(bytes), head, tail)
    : `${toHex(bytes.subarray(0, 16)).slice(0, head)}…${toHex(bytes.subarray(-16)).slice(-tail)}`;

/** A whole number in groups of three digits, with narrow spaces at which no line breaks. */
export const groupDigits = (value: number | bigint): string =>
  value.toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** `1 key`, `1 204 keys`. */
export const countText = (count: number, what: string): string =>
  `${groupDigits(count)} ${what}${count === 1 ? '' : 's'}`;

/** How many rows wait out of sight, on the button that goes to them. */
export const newText = (count: number): string => (count === 0 ? 'Newest' : `${groupDigits(count)} new`);

/** Bytes behind a 0x text. */
export const hexSize = (hex: string): number => Math.max(0, (hex.length - 2) >> 1);

/** A size in bytes for people, in powers of 1000: exact below 10,000, else with one decimal. */
export const sizeText = (bytes: number): string => {
  if (bytes < 10_000) return `${groupDigits(bytes)} B`;
  let size = bytes / 1000;
  let power = 0;
  // What would be written as 1000.0 belongs to the next unit.
  for (; size >= 999.95 && power < 3; power += 1) size /= 1000;
  return `${size.toFixed(1)} ${['kB', 'MB', 'GB', 'TB'][power]}`;
};

// Made once: a formatter costs more than the row of a list that shows a time.
const clock = new Intl.DateTimeFormat([], { timeStyle: 'medium', hourCycle: 'h23' });

/** The time of day of a moment (ms since 1970), to the second. */
export const clockText = (ms: number): string => clock.format(ms);

/** A moment of a chain (ms since 1970) as ISO 8601; as milliseconds where it is later than any date: chains count in u64. */
export const isoText = (ms: number): string =>
  Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `${groupDigits(ms)} ms`;

/** The same for people: `2026-11-22 15:14:30 UTC`. */
export const momentText = (ms: number): string =>
  isoText(ms)
    .replace('T', ' ')
    .replace(/\.\d{3}Z$/, ' UTC');

/** A duration for people; below a millisecond with two digits. */
export const durationText = (ms: number): string =>
  ms < 1
    ? `${ms.toFixed(2)} ms`
    : ms < 100
      ? `${ms.toFixed(1)} ms`
      : ms < 10_000
        ? `${groupDigits(Math.round(ms))} ms`
        : `${(ms / 1000).toFixed(1)} s`;

/** What a caught value says with the code and the data that it has, as text to read and to copy. */
export const rawFault = (fault: unknown): string => {
  const { code, data } = (fault ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  const text = code === undefined ? faultText(fault) : `${String(code)}: ${faultText(fault)}`;
  return data === undefined || data === null
    ? text
    : `${text}\n${typeof data === 'string' ? data : JSON.stringify(data)}`;
};

/** What a caught value says. */
export const faultText = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** What came of a try: a value, or none and why. */
export type Attempt<T> = { readonly value: T | null; readonly fault: string | null };

/** Makes a value by code that throws for what it cannot read or write. */
export const attempt = <T>(make: () => T): Attempt<T> => {
  try {
    return { value: make(), fault: null };
  } catch (fault) {
    return { value: null, fault: faultText(fault) };
  }
};
