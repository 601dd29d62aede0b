import { NodeError } from './errors.ts';

/** One derivation step: its chain code, and whether the public key alone would be enough (soft). */
export type Junction = { readonly soft: boolean; readonly chainCode: Uint8Array };

/**
 * A parsed secret URI: a mnemonic or `0x` seed, a path, a password (https://docs.rs/sp-core, `SecretUri`).
 */
export type SecretUri = {
  readonly phrase: string;
  /** The path as it was written, such as `//hard/soft`. */
  readonly path: string;
  readonly junctions: readonly Junction[];
  readonly password: string;
};

/** The public development phrase; used if none is given, so that "//Alice" means the usual key. */
export const developmentPhrase = 'bottom drive obey lake curtain smoke basket hold race lonely fit walk';

const maxU64 = 0xffff_ffff_ffff_ffffn;

/** A SCALE string: its length as a compact integer, then its bytes. */
const scaleString = (text: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text);
  const mode = bytes.length < 1 << 6 ? 0 : bytes.length < 1 << 14 ? 1 : 2;
  const out = new Uint8Array((1 << mode) + bytes.length);
  const compact = (bytes.length << 2) | mode;
  for (let at = 0; at < 1 << mode; at++) out[at] = (compact >>> (8 * at)) & 0xff;
  out.set(bytes, 1 << mode);
  return out;
};

/** An integer is a u64, anything else a SCALE string; padded to 32 bytes, or hashed if longer. */
const chainCodeOf = (blake2b256: (data: Uint8Array) => Uint8Array, text: string): Uint8Array => {
  const number = /^\+?[0-9]+$/.test(text) ? BigInt(text.replace('+', '')) : null;
  const out = new Uint8Array(32);
  if (number !== null && number <= maxU64) {
    new DataView(out.buffer).setBigUint64(0, number, true);
    return out;
  }
  const encoded = scaleString(text);
  if (encoded.length > 32) return blake2b256(encoded);
  out.set(encoded);
  return out;
};

/** Which phrases a secret URI may have: those of sp-core, or also those of word lists in other scripts. */
export type PhraseLetters = 'ascii' | 'all';

const patterns = {
  ascii: /^([a-zA-Z0-9 ]+)?((?:\/\/?[^/]+)*)(?:\/\/\/([^\n]*))?$/u,
  all: /^([\p{L}\p{M}\p{N}\s]+)?((?:\/\/?[^/]+)*)(?:\/\/\/([^\n]*))?$/u,
} as const;

/**
 * The rules of sp-core (`AddressUri::parse`): a phrase of ASCII letters, digits and spaces, a path that may hold
 * anything, and a password that ends with the line. Nothing is normalized: a composed letter and its parts are
 * different names and passwords. Throws `BadKey`. The message never repeats the text: it may hold a secret.
 */
export const parseSecretUri = (
  blake2b256: (data: Uint8Array) => Uint8Array,
  text: string,
  letters: PhraseLetters = 'ascii',
): SecretUri => {
  const match = patterns[letters].exec(text);
  if (match === null) throw new NodeError('BadKey', 'the secret URI is not phrase, path and password');
  const [, phrase, path = '', password = ''] = match;
  const junctions: Junction[] = [];
  for (const [, slashes, code] of path.matchAll(/(\/\/?)([^/]+)/gu)) {
    junctions.push({ soft: slashes === '/', chainCode: chainCodeOf(blake2b256, code as string) });
  }
  return { phrase: phrase ?? developmentPhrase, path, junctions, password };
};
