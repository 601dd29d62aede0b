import { NodeError } from '../../src/protocol/errors.ts';
import { type Core, checkLength } from './core.ts';

/** Returns this many random bytes fit for secrets. */
export type Random = (length: number) => Uint8Array;

/**
 * Schnorr signatures over ristretto255 in the context "substrate". A secret has 64 bytes: the scalar times
 * eight, then the nonce, as in wasm-crypto and @scure/sr25519.
 */
export type Sr25519 = {
  /** Like host function `crypto_sr25519_verify` v2: current signatures only. */
  sr25519Verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** Like v1: a signature without the marker bit is verified by the rules before the audit. */
  sr25519VerifyLegacy(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** Randomized: two calls give two signatures. Throws `BadKey`. */
  sr25519Sign(secret: Uint8Array, message: Uint8Array): Uint8Array;
};

export const createSr25519 = (deps: { readonly core: Core; readonly random: Random }): Sr25519 => {
  const { core, random } = deps;
  const verifyWith =
    (call: (messageLength: number) => number) =>
    (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
      checkLength('signature', signature, 64);
      checkLength('publicKey', publicKey, 32);
      core.put(signature, publicKey, message);
      return call(message.length) === 1;
    };
  return {
    sr25519Verify: verifyWith(core.calls.sr25519_verify),
    sr25519VerifyLegacy: verifyWith(core.calls.sr25519_verify_legacy),
    sr25519Sign(secret, message) {
      checkLength('secret', secret, 64);
      const length = core.put(secret, random(32), message);
      const done = core.calls.sr25519_sign(message.length);
      core.wipe(length);
      if (done === 0) throw new NodeError('BadKey', 'the secret is not one of sr25519');
      return core.read(64);
    },
  };
};
