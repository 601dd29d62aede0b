import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey } from '../bytes/bytes.ts';

/**
 * Signatures known to be valid. Keys contain all bytes, so a hit means that exactly this signature was
 * verified before.
 */
export type SignatureCache = {
  has(scheme: string, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  add(scheme: string, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): void;
  readonly size: number;
};

export const createSignatureCache = (options: { readonly limit?: number } = {}): SignatureCache => {
  const known = createBoundedMap<string, true>(options.limit ?? 8192);
  // Signature and public key have fixed lengths per scheme, so the parts cannot be confused.
  const keyOf = (scheme: string, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): string =>
    `${scheme}:${bytesToKey(signature)}${bytesToKey(publicKey)}${bytesToKey(message)}`;
  return {
    has: (scheme, signature, message, publicKey) =>
      known.get(keyOf(scheme, signature, message, publicKey)) === true,
    add: (scheme, signature, message, publicKey) =>
      known.keep(keyOf(scheme, signature, message, publicKey), true),
    get size() {
      return known.size;
    },
  };
};
