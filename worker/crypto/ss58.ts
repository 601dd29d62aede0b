import { blake2b } from '@noble/hashes/blake2.js';
import { base58 } from '@scure/base';
import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes, equalBytes, textToBytes } from '../bytes/bytes.ts';

const checksum = (body: Uint8Array): Uint8Array =>
  blake2b(concatBytes(textToBytes('SS58PRE'), body), { dkLen: 64 }).slice(0, 2);

const prefixBytes = (prefix: number): Uint8Array =>
  prefix < 64
    ? Uint8Array.of(prefix)
    : Uint8Array.of(((prefix & 0xfc) >> 2) | 0x40, (prefix >> 8) | ((prefix & 3) << 6));

/** The address of a public key of 32 or 33 bytes; `prefix` 0 to 16383 (https://docs.polkadot.com, "SS58"). */
export const ss58Encode = (publicKey: Uint8Array, prefix: number): string => {
  if (publicKey.length !== 32 && publicKey.length !== 33) {
    throw new RangeError(`publicKey must have 32 or 33 bytes, it has ${publicKey.length}`);
  }
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > 16383)
    throw new RangeError('prefix must be 0 to 16383');
  const body = concatBytes(prefixBytes(prefix), publicKey);
  return base58.encode(concatBytes(body, checksum(body)));
};

const decodeBase58 = (text: string): Uint8Array => {
  try {
    return base58.decode(text);
  } catch (cause) {
    throw new NodeError('BadKey', 'the address is not base 58', { cause });
  }
};

/** Reads an address of a 32- or 33-byte key. Throws `BadKey`. */
export const ss58Decode = (text: string): { readonly publicKey: Uint8Array; readonly prefix: number } => {
  const bytes = decodeBase58(text);
  const first = bytes[0] ?? 255;
  if (first > 127) throw new NodeError('BadKey', 'the address has no known prefix');
  const prefixLength = first < 64 ? 1 : 2;
  const body = bytes.subarray(0, -2);
  const publicKey = body.slice(prefixLength);
  if (publicKey.length !== 32 && publicKey.length !== 33) {
    throw new NodeError('BadKey', 'the address is not that of a 32- or 33-byte key');
  }
  if (!equalBytes(bytes.subarray(-2), checksum(body)))
    throw new NodeError('BadKey', 'the checksum of the address is wrong');
  const second = bytes[1] ?? 0;
  const prefix = prefixLength === 1 ? first : ((first << 2) & 0xff) | (second >> 6) | ((second & 0x3f) << 8);
  return { publicKey, prefix };
};
