import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey } from '../bytes/bytes.ts';
import type { SignatureClaim } from '../crypto/signature-batch.ts';

/** Signatures known to be valid. All bytes are compared: a hit means that exactly this signature was verified before. */
export type SignatureCache = {
  has(scheme: string, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  add(scheme: string, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): void;
  readonly size: number;
  /** Whether mock signatures of an account of 20 bytes count as valid. Left out if those of none do. */
  readonly opens?: ((account: Uint8Array) => boolean) | undefined;
  /**
   * Whether a signature counts as valid for now and is verified later: by `verify`, or with others of its scheme. What was
   * executed counts only if it is.
   */
  defer?(scheme: string, claim: SignatureClaim, verify: () => boolean): boolean;
};

/** A public key has a fixed length in each scheme, so the parts cannot be confused. */
const claimOf = (scheme: string, message: Uint8Array, publicKey: Uint8Array): string =>
  `${scheme}:${bytesToKey(publicKey)}${bytesToKey(message)}`;

/** Keys are only the signatures: most lookups of an import miss, and hashing all bytes costs more than the rest. */
export const createSignatureCache = (options: { readonly limit?: number } = {}): SignatureCache => {
  const known = createBoundedMap<string, string>(options.limit ?? 8192);
  return {
    has: (scheme, signature, message, publicKey) => {
      const claim = known.get(bytesToKey(signature));
      return claim !== undefined && claim === claimOf(scheme, message, publicKey);
    },
    add: (scheme, signature, message, publicKey) =>
      known.keep(bytesToKey(signature), claimOf(scheme, message, publicKey)),
    get size() {
      return known.size;
    },
  };
};

/** For a trial. `verifyNext` verifies one of the signatures that it left; false if there is none. */
export const deferSignatures = (
  known: SignatureCache,
): { readonly signatures: SignatureCache; verifyNext(): boolean } => {
  const waiting: (() => boolean)[] = [];
  return {
    signatures: { ...known, defer: (_scheme, _claim, verify) => waiting.push(verify) > 0 },
    verifyNext: () => {
      const verify = waiting.pop();
      verify?.();
      return verify !== undefined;
    },
  };
};
