import { readHex } from '../../../src/scale/hex.ts';

const isHex = (text: string): boolean => text.startsWith('0x') && readHex(text) !== null;

/** Keys with their values; null for a key to delete. */
export type KeyPairs = readonly (readonly [key: string, value: string | null])[];

/**
 * Parses a file of `{"0x key": "0x value" | null}`; throws a TypeError that names the invalid part, or
 * SyntaxError.
 */
export const readKeyFile = (text: string, prefix: string): KeyPairs => {
  const file: unknown = JSON.parse(text);
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw new TypeError('The file is not a JSON object of keys and values.');
  if (Object.keys(file).length === 0) throw new TypeError('The file contains no keys.');
  const pairs = Object.entries(file).map(([key, value]: [string, unknown]) => {
    if (!isHex(key))
      throw new TypeError(`“${key.slice(0, 40)}” is not a key (0x and pairs of hexadecimal digits).`);
    if (!key.toLowerCase().startsWith(prefix.toLowerCase()))
      throw new TypeError(`The key ${key.slice(0, 40)}… belongs to another entry.`);
    if (value !== null && (typeof value !== 'string' || !isHex(value)))
      throw new TypeError(`The value of ${key.slice(0, 40)}… is neither null nor 0x and pairs of digits.`);
    return [key.toLowerCase(), value?.toLowerCase() ?? null] as const;
  });
  // A key may be in the file twice, in upper and in lower case: the last one counts.
  return [...new Map(pairs)];
};
