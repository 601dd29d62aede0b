import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '../bytes/bytes.ts';

/** The primitives of Noise, loaded with the network: `Noise_25519_ChaChaPoly_SHA256`. */

export { sha256 };

export const secretBytes = 32;
/** What authenticates a sealed message, at its end. */
export const tagBytes = 16;

/** Both keys have 32 bytes. The secret is any 32 random bytes. */
export type ExchangeKeys = { readonly secretKey: Uint8Array; readonly publicKey: Uint8Array };

export const exchangeKeys = (secretKey: Uint8Array): ExchangeKeys => ({
  secretKey,
  publicKey: x25519.getPublicKey(secretKey),
});

/** X25519. Throws if the public key is one of the few that make every secret the same. */
export const agreeOn = ({ secretKey }: ExchangeKeys, publicKey: Uint8Array): Uint8Array =>
  x25519.getSharedSecret(secretKey, publicKey);

/** HKDF of Noise with two outputs of 32 bytes (noiseprotocol.org, section 4.3). */
export const deriveTwo = (chaining: Uint8Array, secret: Uint8Array): readonly [Uint8Array, Uint8Array] => {
  const key = hmac(sha256, chaining, secret);
  const first = hmac(sha256, key, Uint8Array.of(1));
  return [first, hmac(sha256, key, concatBytes(first, Uint8Array.of(2)))];
};

/** A key whose messages are numbered: each is encrypted and decrypted with the next nonce. */
export type Cipher = {
  /**
   * Encrypts into `out`, which is `tagBytes` longer and may begin with the plain text itself. Fastest where `out` is
   * aligned to four bytes.
   */
  seal(context: Uint8Array, plain: Uint8Array, out: Uint8Array): void;
  /** Decrypts into `out`, which is `tagBytes` shorter. Throws, and writes nothing, if the bytes were altered. */
  open(context: Uint8Array, sealed: Uint8Array, out: Uint8Array): void;
};

/** Four zeros, then a number in 64 bits; no connection sends 2^53 messages. */
const createNonce = (): (() => Uint8Array) => {
  const nonce = new Uint8Array(12);
  const view = new DataView(nonce.buffer);
  let count = 0;
  return () => {
    view.setUint32(4, count, true);
    view.setUint32(8, Math.floor(count / 2 ** 32), true);
    count++;
    return nonce;
  };
};

export const createCipher = (key: Uint8Array): Cipher => {
  const next = createNonce();
  return {
    seal: (context, plain, out) => void chacha20poly1305(key, next(), context).encrypt(plain, out),
    open: (context, sealed, out) => void chacha20poly1305(key, next(), context).decrypt(sealed, out),
  };
};
