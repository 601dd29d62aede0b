import { NodeError } from '../../../src/protocol/errors.ts';
import { writeJson } from '../../../src/protocol/json.ts';

/** Short form of a hash or key: `0x12ab…9f3c`. */
export const shortHex = (text: string, head = 6, tail = 4): string =>
  text.length <= head + tail + 3 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;

/** An integer in groups of three digits, separated by narrow no-break spaces. */
export const groupDigits = (value: number | bigint): string =>
  value.toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** Like `groupDigits`; a number longer than its line breaks between the groups. */
export const breakableDigits = (value: number | bigint): string =>
  groupDigits(value).replaceAll('\u202f', '\u2009');

/** `1 key`, `1 204 keys`. */
export const countText = (count: number, what: string): string =>
  `${groupDigits(count)} ${what}${count === 1 ? '' : 's'}`;

/** Label of the button that scrolls to the new rows: how many there are. */
export const newText = (count: number): string => (count === 0 ? 'Newest' : `${groupDigits(count)} new`);

/** Number of bytes in a 0x string. */
export const hexSize = (hex: string): number => Math.max(0, (hex.length - 2) >> 1);

/** A size in bytes in readable form, in powers of 1000: exact below 10,000, otherwise with one decimal. */
export const sizeText = (bytes: number): string => {
  if (bytes < 10_000) return `${groupDigits(bytes)} B`;
  let size = bytes / 1000;
  let power = 0;
  // A value that would be written as 1000.0 moves to the next unit.
  for (; size >= 999.95 && power < 3; power += 1) size /= 1000;
  return `${size.toFixed(1)} ${['kB', 'MB', 'GB', 'TB'][power]}`;
};

const mostOfName = 256;

/** A name that others chose. A browser takes minutes to lay out a megabyte in one line. */
export const nameText = (name: string): string =>
  name.length <= mostOfName ? name : `${name.slice(0, mostOfName)}…`;

/** A runtime's name and version: `tabnode 101`. */
export const versionText = (of: { readonly specName: string; readonly specVersion: number }): string =>
  `${nameText(of.specName)} ${of.specVersion}`;

/** Where a node stores its chain, as text: `IndexedDB of this browser`. */
export const storageText = (storage: string): string =>
  storage === 'indexeddb' ? 'IndexedDB of this browser' : storage;

/** Chains use u64 for timestamps, and dates have a smaller range. */
const isDate = (ms: number): boolean => Math.abs(ms) <= 8.64e15;

/**
 * Time of day in UTC, to the second or to the millisecond. Only for kit/display/Clock.svelte, and where no component can be: all
 * times of the page are in one zone, which is named beside them.
 */
export const clockText = (ms: number, isExact = false): string =>
  isDate(ms) ? new Date(ms).toISOString().slice(11, isExact ? 23 : 19) : '–';

/** A timestamp (ms since 1970) as ISO 8601, or in ms if it exceeds the range of dates. */
export const isoText = (ms: number): string =>
  isDate(ms) ? new Date(ms).toISOString() : `${groupDigits(ms)} ms`;

/** Like `isoText`, in readable form. A full date is in UTC everywhere and says so: `2026-11-22 15:14:30 UTC`. */
export const momentText = (ms: number): string =>
  isoText(ms)
    .replace('T', ' ')
    .replace(/\.\d{3}Z$/, ' UTC');

/**
 * The same moment by the clock of this computer: `2026-11-23 00:14:30 local time (UTC+9)`. Without `Intl`: its first
 * formatter would take 15 ms of a page's start.
 */
export const localText = (ms: number): string => {
  if (!isDate(ms)) return '';
  const minutes = -new Date(ms).getTimezoneOffset();
  const shifted = momentText(ms + minutes * 60_000).replace(' UTC', '');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const zone = `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
  return `${shifted} local time (${zone})`;
};

/**
 * A duration in readable form. A browser counts tenths of a millisecond, and the lines of a recording whole ones, so
 * nothing more exact can be said of one that took none.
 */
export const durationText = (ms: number): string =>
  ms < 0.05
    ? '<1 ms'
    : ms < 100
      ? `${ms.toFixed(1)} ms`
      : ms < 10_000
        ? `${groupDigits(Math.round(ms))} ms`
        : `${(ms / 1000).toFixed(1)} s`;

/** The message of a caught value with its code and data, for display and copying. */
export const rawFault = (fault: unknown): string => {
  const { code, data } = (fault ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  const text = code === undefined ? messageOf(fault) : `${String(code)}: ${messageOf(fault)}`;
  return data === undefined || data === null
    ? text
    : `${text}\n${typeof data === 'string' ? data : writeJson(data)}`;
};

const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** Whether a node refused because it no longer has a state; every SDK node uses these words. */
export const isDiscarded = (fault: unknown): boolean => /State already discarded/.test(messageOf(fault));

/** What the page knows about an error beyond the node's words; undefined if it knows no more. */
export const explainedText = (fault: unknown): string | undefined =>
  (fault as { readonly explained?: string } | null | undefined)?.explained;

/** The engine's words for a trap or a panic of the runtime. Often a backtrace of many lines follows. */
const trap =
  /wasm (?:trap|backtrace)|wasm `unreachable`|Execution aborted due to|rust_begin_unwind|\w+_\w+: (?:unreachable|out of bounds|stack overflow|panicked)/i;

/** Whether an error, or its text, is that of a runtime that trapped. */
export const isTrap = (fault: unknown): boolean => trap.test(rawFault(fault));

/** A trap in one sentence, with the runtime's own reason if it gave one. `doing`: "while sealing the block". */
export const trapText = (fault: unknown, doing = ''): string => {
  const [why] = /panicked at [^\n]{1,160}/.exec(rawFault(fault)) ?? [];
  return `The runtime trapped${doing && ` ${doing}`}${why === undefined ? '.' : `: ${why}`}`;
};

/** The message of a caught value, or what the page knows about it. Of a trap, without its backtrace. */
export const faultText = (fault: unknown): string =>
  explainedText(fault) ?? (isTrap(fault) ? trapText(fault) : messageOf(fault));

/** A caught value as the error of a node, of which the page knows no more than that it is gone. */
export const toNodeError = (fault: unknown): NodeError =>
  fault instanceof NodeError ? fault : new NodeError('Disconnected', faultText(fault), { cause: fault });

/** Whether the node or its connection ended before the answer; a bridge says so in the data. */
export const isLost = (fault: unknown): boolean => {
  const { code, data } = (fault ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  return code === 'Disconnected' || data === 'Disconnected';
};

/** The result of `attempt`: a value, or why there is none. */
export type Attempt<T> = { readonly value: T | null; readonly fault: string | null };

/** Runs a function that may throw, and returns its value or the error's text. */
export const attempt = <T>(make: () => T): Attempt<T> => {
  try {
    return { value: make(), fault: null };
  } catch (fault) {
    return { value: null, fault: faultText(fault) };
  }
};
