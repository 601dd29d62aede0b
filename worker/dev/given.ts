import { NodeError } from '../../src/protocol/errors.ts';
import { writeGivenJson } from '../../src/protocol/json.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { ss58Decode } from '../crypto/ss58.ts';
import type { Coding, Primitive } from './types.ts';

// Parses values of a runtime's types in the form that clients write them, and words the errors.

/** The position of a given value: `path` is the expression that would access it in the client's input. */
export type Place = { readonly path: string; readonly depth: number };

export const refuseValue = ({ path }: Pick<Place, 'path'>, why: string): never => {
  throw new NodeError('BadValue', `${path}: ${why}`);
};

const longestShown = 60;

/** A given value for an error message, truncated if it is long. */
export const showValue = (value: unknown): string => {
  const text = writeGivenJson(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
};

/** Whether no value was given, so that the type's default applies. */
export const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isHexText = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('0x');

/** Decodes hex. The error names the position. */
export const readHexText = (text: string, place: Pick<Place, 'path'>): Uint8Array => {
  try {
    return hexToBytes(text);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return refuseValue(place, error.message);
  }
};

const integerText = /^(-?\d{1,80}|0x[0-9a-fA-F]{1,64})$/;

/** An integer as a number, decimal digits or hex (most significant digit first); null for anything else. */
const toInteger = (value: unknown): bigint | null => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && integerText.test(value) ? BigInt(value) : null;
};

/** Parses a number; 0 if it is missing. Refused if it is not a number or out of range. */
export const readInteger = (value: unknown, type: Primitive, place: Place): bigint => {
  const integer = isMissing(value) ? 0n : toInteger(value);
  if (integer === null)
    return refuseValue(
      place,
      `${showValue(value)} is not a ${type}: write a whole number, or its decimal digits as text`,
    );
  const bits = Number(type.slice(1));
  const fits = type.startsWith('i') ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer);
  return fits === integer ? integer : refuseValue(place, `${showValue(value)} does not fit a ${type}`);
};

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** Bytes as hex, as a list of byte values, or as text. */
export const readBytes = (value: unknown, place: Place): Uint8Array => {
  if (isMissing(value)) return new Uint8Array();
  if (isHexText(value)) return readHexText(value, place);
  if (typeof value === 'string') return textToBytes(value);
  return Array.isArray(value) && value.every(isByte)
    ? Uint8Array.from(value)
    : refuseValue(place, `${showValue(value)} are no bytes: write hex with 0x, or text`);
};

const accountLength = 32;

export const tryAddress = ({ crypto }: Pick<Coding, 'crypto'>, text: string): Uint8Array | null => {
  try {
    return ss58Decode(crypto, text, [accountLength]).publicKey;
  } catch (error) {
    if (error instanceof NodeError) return null;
    throw error;
  }
};

export const readByteArray = (
  coding: Pick<Coding, 'crypto'>,
  value: unknown,
  length: number,
  place: Place,
): Uint8Array => {
  if (isMissing(value)) return new Uint8Array(length);
  const address = length === accountLength && typeof value === 'string' ? tryAddress(coding, value) : null;
  if (address !== null) return address;
  const bytes = readBytes(value, place);
  if (bytes.length === length) return bytes;
  const isText = typeof value === 'string' && !isHexText(value);
  return refuseValue(
    place,
    length === accountLength && isText
      ? `${showValue(value)} is no address (SS58) and not 32 bytes as hex`
      : `${showValue(value)} has ${bytes.length} bytes, not ${length}`,
  );
};

const bare = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Finds an item by its name in the runtime, or by polkadot-js's spelling (`isFrozen` for `is_frozen`). */
export const findByName = <T extends { readonly name: string | null }>(
  items: Iterable<T>,
  name: string,
): T | undefined => {
  const all = [...items];
  return (
    all.find((item) => item.name === name) ??
    all.find((item) => item.name !== null && bare(item.name) === bare(name))
  );
};

const mostNames = 12;

/** `a, b, c`, truncated after a dozen. */
export const listNames = (items: Iterable<{ readonly name: string | null }>): string => {
  const names = [...items].map(({ name }) => name ?? '');
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
};
