import { concatBytes, equalBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Crypto } from './crypto.ts';

/** What the keys of a pallet's item begin with; the whole key of a plain value (frame-support, storage/generator). */
export const itemPrefix = ({ twox128 }: Pick<Crypto, 'twox128'>, pallet: string, item: string): Uint8Array =>
  concatBytes(twox128(textToBytes(pallet)), twox128(textToBytes(item)));

/** Length of the prefix of an item. */
export const prefixLength = 32;
const hashLength = 8;
const numberLength = 4;

/** The key of an entry of a map of u32 numbers hashed with twox64Concat, as of `System.BlockHash`. */
export const numberedKey = (
  { twox64 }: Pick<Crypto, 'twox64'>,
  prefix: Uint8Array,
  number: number,
): Uint8Array => {
  const own = new Writer(numberLength).u32(Math.max(0, number)).finish();
  return concatBytes(prefix, twox64(own), own);
};

/** The number in such a key. Null: it is another key. */
export const numberOf = ({ twox64 }: Pick<Crypto, 'twox64'>, key: Uint8Array): number | null => {
  if (key.length !== prefixLength + hashLength + numberLength) return null;
  const own = key.subarray(prefixLength + hashLength);
  const isHashed = equalBytes(key.subarray(prefixLength, prefixLength + hashLength), twox64(own));
  return isHashed ? new Reader(own).u32() : null;
};
