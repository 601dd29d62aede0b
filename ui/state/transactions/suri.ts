import { blake2 } from '../../meta/hash.ts';
import { joinBytes, readHex } from '../../meta/hex.ts';

/**
 * One derivation step: its chain code (32 bytes), and whether it is soft (derivable from the public key
 * alone).
 */
export type Junction = { readonly soft: boolean; readonly chainCode: Uint8Array };

/** The parts of a secret URI (sp_core::crypto::SecretUri). */
export type Suri = {
  /** 32 bytes, or the words of a phrase. */
  readonly secret: Uint8Array | readonly string[];
  readonly junctions: readonly Junction[];
  readonly password: string;
};

/** The public development phrase, used if the URI has only a path, as in `//Alice`. */
const developmentPhrase = 'bottom drive obey lake curtain smoke basket hold race lonely fit walk';

const maxU64 = 0xffff_ffff_ffff_ffffn;

const littleEndian = (value: bigint, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => Number((value >> BigInt(index * 8)) & 0xffn));

const compactLength = (count: number): Uint8Array =>
  count < 64 ? Uint8Array.of(count << 2) : littleEndian((BigInt(count) << 2n) | 1n, 2);

/** An integer is encoded as u64, anything else as a SCALE string; padded to 32 bytes, or hashed if longer. */
const chainCodeOf = (word: string): Uint8Array => {
  const number = /^\d+$/.test(word) ? BigInt(word) : null;
  const text = new TextEncoder().encode(word);
  const code =
    number !== null && number <= maxU64
      ? littleEndian(number, 8)
      : joinBytes(compactLength(text.length), text);
  return code.length > 32 ? blake2(code) : joinBytes(code, new Uint8Array(32 - code.length));
};

const longest = 4096;

/**
 * Parses `phrase//hard/soft///password`, `0x<32 bytes>//path` or `//Alice`; errors never repeat the text,
 * which may be a secret.
 */
export const parseSuri = (text: string): Suri => {
  const match = /^([\p{L}\p{N}_ ]+)?((?:\/\/?[^/]+)*)(?:\/\/\/(.*))?$/su.exec(text.trim().slice(0, longest));
  if (match === null)
    throw new TypeError('A secret is a phrase or 0x followed by 64 hexadecimal digits, then //path.');
  const [, given, path = '', password = ''] = match;
  if (given === undefined && path === '') throw new TypeError('Enter a phrase, a seed or a path.');
  const phrase = given ?? developmentPhrase;
  const seed = /^0x/i.test(phrase) ? readHex(phrase) : null;
  if (/^0x/i.test(phrase) && seed?.length !== 32)
    throw new TypeError('A seed is 0x followed by 64 hexadecimal digits.');
  const junctions = [...path.matchAll(/(\/\/?)([^/]+)/gu)].map(([, slashes, word = '']) => ({
    soft: slashes === '/',
    chainCode: chainCodeOf(word),
  }));
  return { secret: seed ?? phrase.trim().split(/\s+/), junctions, password };
};
