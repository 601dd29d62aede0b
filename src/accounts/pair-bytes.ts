import { NodeError } from '../protocol/errors.ts';
import { joinBytes } from '../scale/hex.ts';
import type { Pair } from './pair.ts';

// The bytes that polkadot-js encrypts: a header, the secret, a divider and the public key.

const header = Uint8Array.of(48, 83, 2, 1, 1, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);
const divider = Uint8Array.of(161, 35, 3, 33, 0);

export const pairToBytes = ({ secret, publicKey }: Pair): Uint8Array =>
  joinBytes(header, secret, divider, publicKey);

const hasAt = (bytes: Uint8Array, at: number, part: Uint8Array): boolean =>
  part.every((byte, index) => bytes[at + index] === byte);

/**
 * Views of the secret, 64 bytes or (a seed in versions 0 and 1, a secp256k1 key in all) 32, and of the public key. Throws
 * `BadAccountFile`.
 */
export const splitPair = (
  bytes: Uint8Array,
): { readonly secret: Uint8Array; readonly publicKey: Uint8Array } => {
  if (hasAt(bytes, 0, header))
    for (const length of [64, 32]) {
      const end = header.length + length;
      if (hasAt(bytes, end, divider))
        return {
          secret: bytes.subarray(header.length, end),
          publicKey: bytes.subarray(end + divider.length),
        };
    }
  throw new NodeError('BadAccountFile', 'The decrypted part of the file is damaged: it is not a key pair.');
};
