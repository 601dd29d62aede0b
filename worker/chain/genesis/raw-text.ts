import { bytesToText, concatBytes, noBytes } from '../../bytes/bytes.ts';
import type { Pairs } from './spec.ts';

/** What a raw specification holds: its state, and the text around it. */
export type RawText = {
  /** The text with an empty state: everything except the genesis. */
  readonly head: Uint8Array;
  readonly top: Pairs;
  readonly children: readonly (readonly [name: Uint8Array, Pairs])[];
};

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const open = 0x7b;
const close = 0x7d;
const openList = 0x5b;
const closeList = 0x5d;

const noDigit = 16;
const digitValues = /* @__PURE__ */ (() => {
  const table = new Uint8Array(256).fill(noDigit);
  for (let value = 0; value < 16; value++)
    for (const digit of [value.toString(16), value.toString(16).toUpperCase()])
      table[digit.charCodeAt(0)] = value;
  return table;
})();

/** The text is not of the plain form that is read here. Never leaves this file. */
class Unusual extends Error {}

type Cursor = {
  readonly bytes: Uint8Array;
  at: number;
  /** Keys and values, one after the other. The digits of a byte take two. */
  readonly decoded: Uint8Array;
  decodedEnd: number;
};

/** Returns the next byte that is not white space. */
const skipSpace = (cursor: Cursor): number => {
  for (;;) {
    const byte = cursor.bytes[cursor.at] as number;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    cursor.at++;
  }
};

const expect = (cursor: Cursor, byte: number): void => {
  if (skipSpace(cursor) !== byte) throw new Unusual();
  cursor.at++;
};

/** To the end of a text whose first quote was passed. Returns whether it contains an escape. */
const skipText = (cursor: Cursor): boolean => {
  const { bytes } = cursor;
  for (let hasEscape = false; cursor.at < bytes.length; ) {
    const byte = bytes[cursor.at++];
    if (byte === quote) return hasEscape;
    if (byte !== backslash) continue;
    hasEscape = true;
    cursor.at++;
  }
  throw new Unusual();
};

/** Finds the end of any valid JSON value. */
const skipValue = (cursor: Cursor): void => {
  for (let depth = 0; cursor.at < cursor.bytes.length; ) {
    const byte = skipSpace(cursor);
    const isEnd = byte === close || byte === closeList;
    // Behind a number, true, false or null.
    if (depth === 0 && (isEnd || byte === comma)) return;
    cursor.at++;
    if (byte === quote) skipText(cursor);
    else if (byte === open || byte === openList) depth++;
    else if (isEnd) depth--;
    if (depth === 0 && (isEnd || byte === quote)) return;
  }
  throw new Unusual();
};

/** A text `0x…` with an even number of digits. */
const readBytes = (cursor: Cursor): Uint8Array => {
  const { bytes, decoded, decodedEnd } = cursor;
  if (skipSpace(cursor) !== quote || bytes[cursor.at + 1] !== 0x30 || bytes[cursor.at + 2] !== 0x78)
    throw new Unusual();
  let at = cursor.at + 3;
  let to = decodedEnd;
  while (at + 1 < bytes.length) {
    const high = digitValues[bytes[at] as number] as number;
    const low = digitValues[bytes[at + 1] as number] as number;
    if ((high | low) >= noDigit) break;
    decoded[to++] = (high << 4) | low;
    at += 2;
  }
  if (bytes[at] !== quote) throw new Unusual();
  cursor.at = at + 1;
  cursor.decodedEnd = to;
  return new Uint8Array(decoded.buffer, decodedEnd, to - decodedEnd);
};

/** Calls `onMember` at each key of an object. */
const visitMembers = (cursor: Cursor, onMember: () => void): void => {
  expect(cursor, open);
  if (skipSpace(cursor) === close) {
    cursor.at++;
    return;
  }
  for (;;) {
    onMember();
    if (skipSpace(cursor) !== comma) break;
    cursor.at++;
  }
  expect(cursor, close);
};

/** Longer than the names that are looked for. */
const maxName = 32;

/** A key without escapes, and its colon. A long one is cut off. */
const readName = (cursor: Cursor): string => {
  expect(cursor, quote);
  const start = cursor.at;
  if (skipText(cursor)) throw new Unusual();
  const name = String.fromCharCode(...cursor.bytes.subarray(start, Math.min(cursor.at - 1, start + maxName)));
  expect(cursor, colon);
  return name;
};

/** The members of an object whose keys are bytes. */
const readMap = <T>(cursor: Cursor, readValue: (cursor: Cursor) => T): (readonly [Uint8Array, T])[] => {
  const members: [Uint8Array, T][] = [];
  visitMembers(cursor, () => {
    const key = readBytes(cursor);
    expect(cursor, colon);
    members.push([key, readValue(cursor)]);
  });
  return members;
};
const readPairs = (cursor: Cursor): Pairs => readMap(cursor, readBytes);

type State = Omit<RawText, 'head'>;

const readState = (cursor: Cursor): State => {
  let top: Pairs | null = null;
  let children: RawText['children'] | null = null;
  let isRaw = false;
  visitMembers(cursor, () => {
    if (isRaw || readName(cursor) !== 'raw') throw new Unusual();
    isRaw = true;
    visitMembers(cursor, () => {
      const name = readName(cursor);
      if (name === 'top' && top === null) top = readPairs(cursor);
      else if (name === 'childrenDefault' && children === null) children = readMap(cursor, readPairs);
      else throw new Unusual();
    });
  });
  if (top === null) throw new Unusual();
  return { top, children: children ?? [] };
};

const noState = /* @__PURE__ */ new TextEncoder().encode('{"raw":{"top":{}}}');

const scan = (bytes: Uint8Array): RawText => {
  const cursor: Cursor = { bytes, at: 0, decoded: new Uint8Array(bytes.length >> 1), decodedEnd: 0 };
  const found: { readonly state: State; readonly from: number; readonly to: number }[] = [];
  visitMembers(cursor, () => {
    if (readName(cursor) !== 'genesis') return skipValue(cursor);
    skipSpace(cursor);
    const from = cursor.at;
    found.push({ state: readState(cursor), from, to: cursor.at });
  });
  skipSpace(cursor);
  const [one, ...others] = found;
  if (one === undefined || others.length > 0 || cursor.at < bytes.length) throw new Unusual();
  const head = concatBytes(bytes.subarray(0, one.from), noState, bytes.subarray(one.to));
  return { head, ...one.state };
};

/** The next value if it is a text. */
const readText = (cursor: Cursor): unknown => {
  const isText = skipSpace(cursor) === quote;
  const from = cursor.at;
  skipValue(cursor);
  return isText ? JSON.parse(bytesToText(cursor.bytes.subarray(from, cursor.at))) : null;
};

/**
 * A text of the outermost object, found without reading what follows it, and behind a byte order mark. Null: there is none, or
 * not in these bytes.
 */
export const findText = (bytes: Uint8Array, name: string): string | null => {
  const cursor: Cursor = { bytes, at: bytes[0] === 0xef ? 3 : 0, decoded: noBytes, decodedEnd: 0 };
  let found: unknown = null;
  try {
    visitMembers(cursor, () => {
      const isWanted = readText(cursor) === name;
      expect(cursor, colon);
      const text = readText(cursor);
      if (!isWanted || text === null) return;
      found = text;
      throw new Unusual();
    });
  } catch {
    // The value was found, or it is no such text.
  }
  return typeof found === 'string' ? found : null;
};

/**
 * Reads the state of a raw specification from its text in one pass: a text of 35 MB takes a sixth of the time of
 * `JSON.parse`, and may be longer than the longest string. Null: the text is not JSON, not raw, or written in an unusual
 * way, such as with escapes in keys or other digits than those of hex. What it accepts, `JSON.parse` reads as the same state,
 * provided that it accepts `head`, and that no key is there in both cases. Pairs are in the order of the text.
 */
export const scanRawText = (bytes: Uint8Array): RawText | null => {
  try {
    return scan(bytes);
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
};
