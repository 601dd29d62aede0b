import { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes } from '../bytes/bytes.ts';
import { type Core, checkLength } from './core.ts';

/** Error 0: r or s out of range; 1: bad v; 2: no matching key (the numbers of the host function). */
export type EcdsaRecovery =
  | { readonly ok: true; readonly publicKey: Uint8Array }
  | { readonly ok: false; readonly error: 0 | 1 | 2 };

/** ECDSA over secp256k1 with recoverable signatures r ‖ s ‖ v of 65 bytes. */
export type Ecdsa = {
  /**
   * The rule of the `secp256k1_ecdsa_recover` host functions, not of signatures in general: v may also be 27
   * to 30, from which 27 is subtracted (sp-io, `Crypto`). The key has 33 bytes if `compressed`, else 64.
   * `strict` (version 2) refuses r and s beyond the order, version 1 reduces them.
   */
  ecdsaRecover(
    signature: Uint8Array,
    digest: Uint8Array,
    options: { readonly compressed: boolean; readonly strict: boolean },
  ): EcdsaRecovery;
  /**
   * Whether the compressed key of 33 bytes made the signature. v is taken as it is, so that only 0 to 3 are
   * valid; a high s is valid (sp-core, `ecdsa::Pair::verify_prehashed`). Without `strict`, r and s beyond the
   * order are reduced (`verify_deprecated`).
   */
  ecdsaVerify(
    signature: Uint8Array,
    digest: Uint8Array,
    publicKey: Uint8Array,
    options: { readonly strict: boolean },
  ): boolean;
  /** Deterministic (RFC 6979), low s, v 0 or 1. Throws `BadKey`. */
  ecdsaSign(seed: Uint8Array, digest: Uint8Array): Uint8Array;
};

/** The largest recovery id: bit 0 is the parity of the point, bit 1 is set if its x was reduced. */
const maxRecoveryId = 3;

const recover = (
  core: Core,
  signature: Uint8Array,
  digest: Uint8Array,
  compressed: boolean,
  strict: boolean,
): EcdsaRecovery => {
  checkLength('signature', signature, 65);
  checkLength('digest', digest, 32);
  core.put(signature, digest);
  const answer = core.calls.ecdsa_recover(compressed ? 1 : 0, strict ? 1 : 0);
  if (answer === 0 || answer === 1 || answer === 2) return { ok: false, error: answer };
  return { ok: true, publicKey: core.read(answer) };
};

export const createEcdsa = (core: Core): Ecdsa => ({
  ecdsaRecover: (signature, digest, { compressed, strict }) =>
    recover(core, signature, digest, compressed, strict),
  ecdsaVerify(signature, digest, publicKey, { strict }) {
    checkLength('publicKey', publicKey, 33);
    const answer = recover(core, signature, digest, true, strict);
    // The core subtracts 27 from v for the host functions that recover.
    return (signature[64] as number) <= maxRecoveryId && answer.ok && equalBytes(answer.publicKey, publicKey);
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
