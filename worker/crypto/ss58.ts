import { base58 } from '@scure/base';
import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes, equalBytes, textToBytes } from '../bytes/bytes.ts';
import type { Hashes } from './hashes.ts';

/** The hash used for address checksums. */
export type AddressHash = Pick<Hashes, 'blake2b'>;

const checksum = ({ blake2b }: AddressHash, body: Uint8Array): Uint8Array =>
  blake2b(512, concatBytes(textToBytes('SS58PRE'), body)).slice(0, 2);

const prefixBytes = (prefix: number): Uint8Array =>
  prefix < 64
    ? Uint8Array.of(prefix)
    : Uint8Array.of(((prefix & 0xfc) >> 2) | 0x40, (prefix >> 8) | ((prefix & 3) << 6));

/** The address of a public key of 32 or 33 bytes; `prefix` 0 to 16383 (https://docs.polkadot.com, "SS58"). */
export const ss58Encode = (hash: AddressHash, publicKey: Uint8Array, prefix: number): string => {
  if (publicKey.length !== 32 && publicKey.length !== 33) {
    throw new RangeError(`publicKey must have 32 or 33 bytes, it has ${publicKey.length}`);
  }
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > 16383)
    throw new RangeError('prefix must be 0 to 16383');
  const body = concatBytes(prefixBytes(prefix), publicKey);
  return base58.encode(concatBytes(body, checksum(hash, body)));
};

/** What is wrong with an address; `details.fault` of the error. */
export type AddressFault = 'base58' | 'checksum' | 'length' | 'prefix' | 'reserved';

const bad = (fault: AddressFault, why: string, cause?: unknown): NodeError =>
  new NodeError('BadKey', why, cause === undefined ? { details: { fault } } : { details: { fault }, cause });

const decodeBase58 = (text: string): Uint8Array => {
  try {
    return base58.decode(text);
  } catch (cause) {
    throw bad('base58', 'the address is not base 58', cause);
  }
};

const keyLengths: readonly number[] = [32, 33];

/** No address has these, of which both were once proposed for keys without a network. */
const reservedPrefixes: readonly number[] = [46, 47];

/**
 * Decodes an address of a key with 32 or 33 bytes, or the given lengths. Throws `BadKey` with the fault that is
 * found first, in the order of sp-core (`Ss58Codec::from_ss58check_with_version`).
 */
export const ss58Decode = (
  hash: AddressHash,
  text: string,
  lengths: readonly number[] = keyLengths,
): { readonly publicKey: Uint8Array; readonly prefix: number } => {
  const bytes = decodeBase58(text);
  if (bytes.length < 2) throw bad('length', 'the address is too short');
  const first = bytes[0] as number;
  if (first > 127) throw bad('prefix', 'the address has no known prefix');
  const prefixLength = first < 64 ? 1 : 2;
  const body = bytes.subarray(0, -2);
  const publicKey = body.slice(prefixLength);
  if (!lengths.includes(publicKey.length))
    throw bad('length', `the address is not that of a key of ${lengths.join(' or ')} bytes`);
  const second = bytes[1] ?? 0;
  const prefix = prefixLength === 1 ? first : ((first << 2) & 0xff) | (second >> 6) | ((second & 0x3f) << 8);
  if (reservedPrefixes.includes(prefix)) throw bad('reserved', 'the prefix of the address is reserved');
  if (!equalBytes(bytes.subarray(-2), checksum(hash, body)))
    throw bad('checksum', 'the checksum of the address is wrong');
  return { publicKey, prefix };
};

/**
 * The prefixes of the public SS58 registry, ascending, as numbers and ranges. `ss58-registry.test.ts` compares
 * them with the package of the registry.
 */
export const registeredPrefixes =
  '0-58 63 65-69 71-73 77-78 81 88-90 92-93 98-101 105 110 113 117 126 128-129 131 136-137 172 252 ' +
  '255 268 420 440 666 777 789 995 1110 1221-1222 1284-1285 1328 1337 1516 1985 2007 2009 2021 2024 ' +
  '2032 2092 2106 2112 2199 2206-2207 2254 3333 4450 5234 5845 6094 7007 7013 7306 7391 8866 8883 ' +
  '8886 8888 9072 9807 9935 10041 11330-11331 11486 11820 12155 12191 12850 13116 14697 14998';

/** Whether a network or a kind of key has registered the prefix (the crate ss58-registry, `is_custom`). */
export const isRegistered = (prefix: number): boolean =>
  registeredPrefixes.split(' ').some((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return prefix >= from && prefix <= to;
  });
