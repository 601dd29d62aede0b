import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import type { Hash } from './hashes.ts';

/** One derivation step: its chain code, and whether the public key alone would be enough (soft). */
export type Junction = { readonly soft: boolean; readonly chainCode: Uint8Array };

/**
 * A parsed secret URI: a mnemonic or `0x` seed, a path, a password (https://docs.rs/sp-core, `SecretUri`).
 */
export type Suri = {
  readonly phrase: string;
  readonly junctions: readonly Junction[];
  readonly password: string;
};

/** The public development phrase; used if none is given, so that "//Alice" means the usual key. */
export const developmentPhrase = 'bottom drive obey lake curtain smoke basket hold race lonely fit walk';

const maxU64 = 0xffff_ffff_ffff_ffffn;

/** An integer is a u64, anything else a SCALE string; padded to 32 bytes, or hashed if longer. */
const chainCodeOf = (blake2b256: Hash, text: string): Uint8Array => {
  const writer = new Writer();
  const number = /^\+?[0-9]+$/.test(text) ? BigInt(text.replace('+', '')) : null;
  if (number !== null && number <= maxU64) writer.u64(number);
  else writer.vecBytes(textToBytes(text));
  const encoded = writer.finish();
  if (encoded.length > 32) return blake2b256(encoded);
  const out = new Uint8Array(32);
  out.set(encoded);
  return out;
};

/**
 * The rules of sp-core (`AddressUri::parse`): a phrase of ASCII letters, digits and spaces, a path that may hold
 * anything, and a password that ends with the line. Nothing is normalized: a composed letter and its parts are
 * different names and passwords. Throws `BadKey`. The message never repeats the text: it may hold a secret.
 */
export const parseSuri = (blake2b256: Hash, text: string): Suri => {
  const match = /^([a-zA-Z0-9 ]+)?((?:\/\/?[^/]+)*)(?:\/\/\/([^\n]*))?$/u.exec(text);
  if (match === null) throw new NodeError('BadKey', 'the secret URI is not phrase, path and password');
  const [, phrase, path = '', password = ''] = match;
  const junctions: Junction[] = [];
  for (const [, slashes, code] of path.matchAll(/(\/\/?)([^/]+)/gu)) {
    junctions.push({ soft: slashes === '/', chainCode: chainCodeOf(blake2b256, code as string) });
  }
  return { phrase: phrase ?? developmentPhrase, junctions, password };
};
