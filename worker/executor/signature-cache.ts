import { bytesToKey } from '../bytes/bytes.ts';

/** Signatures known to be valid; keys are byte-exact, so a hit proves the same question was answered before. */
export type SignatureCache = {
  has(scheme: string, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  add(scheme: string, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): void;
  readonly size: number;
};

/** A bounded set in order of insertion. */
export const createSignatureCache = (options: { readonly limit?: number } = {}): SignatureCache => {
  const limit = options.limit ?? 8192;
  const known = new Set<string>();
  // Signature and public key have fixed lengths per scheme, so the parts cannot be confused.
  const keyOf = (scheme: string, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): string =>
    `${scheme}:${bytesToKey(signature)}${bytesToKey(publicKey)}${bytesToKey(message)}`;
  return {
    has: (scheme, signature, message, publicKey) => known.has(keyOf(scheme, signature, message, publicKey)),
    add: (scheme, signature, message, publicKey) => {
      if (known.size >= limit) {
        const oldest = known.values().next().value;
        if (oldest !== undefined) known.delete(oldest);
      }
      known.add(keyOf(scheme, signature, message, publicKey));
    },
    get size() {
      return known.size;
    },
  };
};
