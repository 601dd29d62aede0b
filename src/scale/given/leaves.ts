import { writeGivenJson } from '../../protocol/json.ts';
import { EncodeFault, isObject, tryInteger } from '../encode.ts';
import { readHex } from '../hex.ts';
import type { EntryOf, Json } from '../types.ts';

// Parses the parts of a value in the forms that clients write them, and words the errors.

export { isObject };

/** The position of a given value: `path` is the expression that would access it in the client's input. */
export type Place = { readonly path: string; readonly depth: number };

export const refuseValue = ({ path }: Pick<Place, 'path'>, why: string): never => {
  throw new EncodeFault(path, why);
};

const longestShown = 60;

/** A given value for an error message, truncated if it is long. */
export const showValue = (value: unknown): string => {
  const text = writeGivenJson(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
};

/** Whether no value was given, so that the type's default applies. */
export const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null;

export const isHexText = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('0x');

/** Decodes hex. The error names the position, and the first character that is no digit. */
export const readHexText = (text: string, place: Pick<Place, 'path'>): Uint8Array => {
  const bytes = readHex(text);
  if (bytes !== null) return bytes;
  const wrong = /[^\da-f]/i.exec(text.slice(2));
  return refuseValue(
    place,
    wrong === null
      ? `${showValue(text)} has an odd number of hexadecimal digits`
      : `${JSON.stringify(wrong[0])} at position ${wrong.index + 2} is not a hexadecimal digit`,
  );
};

const integerText = /^(-?\d{1,80}|0x[0-9a-fA-F]{1,64})$/;

/** Parses a number, decimal digits, or hex with the most significant digit first; 0 if it is missing. */
export const readInteger = (value: unknown, type: string, place: Place): bigint => {
  const isText = typeof value === 'string' && integerText.test(value);
  const integer = isMissing(value)
    ? 0n
    : isText || typeof value !== 'string'
      ? tryInteger(value as Json)
      : null;
  if (integer === null)
    return refuseValue(
      place,
      `${showValue(value)} is not a ${type}: write a whole number, or its decimal digits as text`,
    );
  const bits = Number(type.slice(1));
  const fits = type.startsWith('i') ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  return fits === integer ? integer : refuseValue(place, `${showValue(value)} does not fit a ${type}`);
};

const isByteValue = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** Bytes as hex, as a list of byte values, or as text. */
export const readBytes = (value: unknown, place: Place): Uint8Array => {
  if (isHexText(value)) return readHexText(value, place);
  if (typeof value === 'string') return new TextEncoder().encode(value);
  return Array.isArray(value) && value.every(isByteValue)
    ? Uint8Array.from(value)
    : refuseValue(place, `${showValue(value)} are no bytes: write hex with 0x, or text`);
};

/** Bits as `0b` and digits, as hex of the bytes that contain them, or as a list of booleans. */
export const readBits = ({ isLSB }: EntryOf<'bitSequence'>, value: unknown, place: Place): Json => {
  if (isMissing(value)) return '0b';
  if (typeof value === 'string' && /^0b[01]*$/.test(value)) return value;
  if (isHexText(value)) {
    const bits = [...readHexText(value, place)].map((byte) => byte.toString(2).padStart(8, '0'));
    return `0b${bits.map((byte) => (isLSB ? [...byte].reverse().join('') : byte)).join('')}`;
  }
  if (!Array.isArray(value)) return refuseValue(place, `${showValue(value)} is no list`);
  return value.reduce<string>((text, bit: unknown, index) => {
    if (typeof bit === 'boolean') return text + (bit ? '1' : '0');
    return refuseValue({ path: `${place.path}[${index}]` }, `${showValue(bit)} is neither true nor false`);
  }, '0b');
};

const bare = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Finds an item by its name in the runtime, or by polkadot-js's spelling (`isFrozen` for `is_frozen`). */
export const findByName = <T extends { readonly name: string }>(
  items: readonly T[],
  name: string,
): T | undefined =>
  items.find((item) => item.name === name) ?? items.find((item) => bare(item.name) === bare(name));

const mostNames = 12;

/** `a, b, c`, truncated after a dozen. */
export const listNames = (items: readonly { readonly name: string }[]): string => {
  const names = items.slice(0, mostNames).map(({ name }) => name);
  const more = items.length > mostNames ? ` and ${items.length - mostNames} more` : '';
  return `${names.join(', ')}${more}`;
};
