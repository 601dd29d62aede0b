// Error texts of the native JSON decoder (serde_json, impl-serde): what was found, what was expected, and the
// column after the value in its compact text. Clients do not depend on them; recordings of a native node are
// compared with them.

import { writeGivenJson } from '../json.ts';

/** Carries the error text out of a parser. */
export class Refused extends Error {}

/** Refuses a value, from within a parser that was passed to `param`. */
export const refuse = (message: string): never => {
  throw new Refused(message);
};

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Length of the compact text in bytes; bigint with all its digits. */
export const textLength = (value: unknown): number => utf8(writeGivenJson(value)).length;

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n', '\0': '\\0' };

/** Text as printed by Rust's `{:?}`. */
export const debugText = (text: string): string =>
  `"${text.replace(
    /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) =>
      escapes[sign] ??
      (sign === '"' || sign === '\\' ? `\\${sign}` : `\\u{${sign.codePointAt(0)?.toString(16)}}`),
  )}"`;

/** A number as printed by Rust's ryu: plain digits from 1e-5 to 1e16, with `.0` if it is an integer. */
const floatText = (value: number): string => {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-5 || size >= 1e16)) return value.toExponential().replace('+', '');
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
};

/** Whether the decoder reads the value as an integer; beyond 64 bits it reads a float. */
export const isInteger64 = (value: unknown): value is number | bigint =>
  (typeof value === 'bigint' || Number.isInteger(value)) &&
  (value as bigint) >= -0x8000_0000_0000_0000n &&
  (value as bigint) <= 0xffff_ffff_ffff_ffffn;

const found = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `string ${debugText(value)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (isInteger64(value)) return `integer \`${value}\``;
  if (typeof value === 'number' || typeof value === 'bigint')
    return `floating point \`${floatText(Number(value))}\``;
  return Array.isArray(value) ? 'sequence' : 'map';
};

/**
 * The position of the decoder when it finds a value to be wrong: the end of a scalar; it does not enter a
 * sequence or map.
 */
export const at = (value: unknown): string =>
  `at line 1 column ${typeof value === 'object' && value !== null ? 0 : textLength(value)}`;

export const wrongTypeText = (value: unknown, expected: string): string =>
  `invalid type: ${found(value)}, expected ${expected} ${at(value)}`;

export const wrongType = (value: unknown, expected: string): never => refuse(wrongTypeText(value, expected));

/** Reports a value of none of the expected kinds at this column. */
export const noValue = (column: number): never => refuse(`expected value at line 1 column ${column}`);

export const unknownVariant = (name: string, names: readonly string[]): never => {
  const quoted = names.map((one) => `\`${one}\``);
  const expected = quoted.length === 2 ? quoted.join(' or ') : `one of ${quoted.join(', ')}`;
  return refuse(`unknown variant \`${name}\`, expected ${expected} ${at(name)}`);
};

/** The value of an enum without contents: its name. */
export const enumText = <T extends string>(value: unknown, names: readonly T[]): T => {
  const name = names.find((one) => one === value);
  if (name !== undefined) return name;
  if (typeof value === 'string') return unknownVariant(value, names);
  const isEmptyMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return noValue(isEmptyMap && Object.keys(value as object).length === 0 ? 2 : 1);
};

const column = /(?<= at line 1 column )\d+$/;

/** The same error for a value that starts this many bytes into another. */
export const shiftText = (text: string, before: number): string =>
  text.replace(column, (digits) => `${Number(digits) + before}`);

/** Parses a value within another: the column of an error counts from the start of the outer one. */
export const within = <T>(before: number, parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Refused) refuse(shiftText(error.message, before));
    throw error;
  }
};

/** The position of item `index` in the text of a list. */
const columnOf = (items: readonly unknown[], index: number): number =>
  items.slice(0, index).reduce<number>((column, item) => column + textLength(item) + 1, 1);

/** Maps a list; the column of an error in an item counts from the start of the list. */
export const mapItems = <T>(items: readonly unknown[], parse: (item: unknown) => T): T[] =>
  items.map((item, index) => {
    try {
      return parse(item);
    } catch (error) {
      if (error instanceof Refused) refuse(shiftText(error.message, columnOf(items, index)));
      throw error;
    }
  });

type Parsers = Readonly<Record<string, (value: unknown) => unknown>>;

/**
 * Reads an object as the decoder does: member by member in the order given, skipping unknown ones. `nameOf`
 * maps a written name to the known one, and `isOptional` returns whether a member may be missing.
 */
export const readMembers = (
  given: object,
  parsers: Parsers,
  nameOf: (written: string) => string = (written) => written,
  isOptional: (name: string) => boolean = () => false,
): Record<string, unknown> => {
  const read: Record<string, unknown> = {};
  let before = 1;
  for (const [written, value] of Object.entries(given)) {
    const name = nameOf(written);
    before += textLength(written) + 1;
    const parse = Object.hasOwn(parsers, name) ? parsers[name] : undefined;
    if (parse !== undefined && Object.hasOwn(read, name))
      refuse(`duplicate field \`${name}\` at line 1 column ${before - 1}`);
    if (parse !== undefined) read[name] = within(before, () => parse(value));
    before += textLength(value) + 1;
  }
  for (const name of Object.keys(parsers))
    if (!Object.hasOwn(read, name) && !isOptional(name))
      refuse(`missing field \`${name}\` at line 1 column ${textLength(given)}`);
  return read;
};
