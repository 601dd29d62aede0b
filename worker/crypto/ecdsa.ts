import { NodeError } from '../../src/protocol/errors.ts';
import { checkLength } from './check.ts';
import type { Core } from './core.ts';

/** Error 0: r or s out of range; 1: bad v; 2: no matching key (the numbers of the host function). */
export type EcdsaRecovery =
  | { readonly ok: true; readonly publicKey: Uint8Array }
  | { readonly ok: false; readonly error: 0 | 1 | 2 };

/** ECDSA over secp256k1 with recoverable signatures r ‖ s ‖ v of 65 bytes. */
export type Ecdsa = {
  /**
   * The key has 33 bytes if `compressed`, else 64. `strict` (v2) refuses r and s beyond the order, v1 reduces
   * them.
   */
  ecdsaRecover(
    signature: Uint8Array,
    digest: Uint8Array,
    options: { readonly compressed: boolean; readonly strict: boolean },
  ): EcdsaRecovery;
  /** Deterministic (RFC 6979), low s, v 0 or 1. Throws `BadKey`. */
  ecdsaSign(seed: Uint8Array, digest: Uint8Array): Uint8Array;
};

export const createEcdsa = (core: Core): Ecdsa => ({
  ecdsaRecover(signature, digest, { compressed, strict }) {
    checkLength('signature', signature, 65);
    checkLength('digest', digest, 32);
    core.put(signature, digest);
    const answer = core.calls.ecdsa_recover(compressed ? 1 : 0, strict ? 1 : 0);
    if (answer === 0 || answer === 1 || answer === 2) return { ok: false, error: answer };
    return { ok: true, publicKey: core.read(answer) };
  },
  ecdsaSign(seed, digest) {
    checkLength('seed', seed, 32);
    checkLength('digest', digest, 32);
    const length = core.put(seed, digest);
    const done = core.calls.ecdsa_sign();
    core.wipe(length);
    if (done === 0) throw new NodeError('BadKey', 'the seed is not a secp256k1 secret');
    return core.read(65);
  },
});
