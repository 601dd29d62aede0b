import { concatBytes, textToBytes } from '../worker/bytes/bytes.ts';
import { Writer } from '../worker/bytes/writer.ts';
import type { Crypto } from '../worker/crypto/crypto.ts';

/**
 * Public key of the synthetic account `index`; the same for every size, so that the same transfers fit both
 * states.
 */
export const accountId = (crypto: Crypto, index: number): Uint8Array =>
  crypto.blake2b256(new Writer(8).u32(index).finish());

/** The prefix of `System.Account`. */
export const accountPrefix = (crypto: Crypto): Uint8Array =>
  concatBytes(crypto.twox128(textToBytes('System')), crypto.twox128(textToBytes('Account')));

/** `System.Account` of an account with a balance: nonce, three counters, free, reserved, frozen, flags. */
export const accountPair = (crypto: Crypto, id: Uint8Array): readonly [Uint8Array, Uint8Array] => {
  const info = new Uint8Array(80);
  const view = new DataView(info.buffer);
  view.setUint32(8, 1, true);
  view.setBigUint64(16, 1_000_000_000_000_000n, true);
  view.setUint8(79, 0x80);
  return [concatBytes(accountPrefix(crypto), crypto.blake2b128(id), id), info];
};
