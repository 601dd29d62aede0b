import { NodeError } from '../../src/protocol/errors.ts';
import { Writer } from '../bytes/writer.ts';
import { checkLength } from './check.ts';
import type { Core } from './core.ts';
import { coreOutputSize } from './core.ts';

/** Gives that many bytes fit for secrets. */
export type Random = (length: number) => Uint8Array;

export type SignedMessage = {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
};

/**
 * Schnorr signatures over ristretto255 in the context "substrate" (HOST.md §6). A secret has 64 bytes: the scalar
 * times eight, then the nonce; the form of wasm-crypto and of @scure/sr25519.
 */
export type Sr25519 = {
  /** As host function `crypto_sr25519_verify` v2: today's signatures only. */
  sr25519Verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** As v1: a signature without the marker bit is checked by the rules before the audit. */
  sr25519VerifyLegacy(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** `sr25519Verify` for many at about half the price of each. */
  sr25519VerifyBatch(items: readonly SignedMessage[]): boolean[];
  /** Randomised: two calls give two signatures. Throws `BadKey`. */
  sr25519Sign(secret: Uint8Array, message: Uint8Array): Uint8Array;
};

// The batch copies its input twice within the core; beyond this nothing is gained by larger ones.
const batchItems = 256;

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
  const verifySome = (items: readonly SignedMessage[]): boolean[] => {
    const writer = new Writer(items.length * 256);
    for (const { signature, message, publicKey } of items) {
      checkLength('signature', signature, 64);
      checkLength('publicKey', publicKey, 32);
      writer.raw(signature).raw(publicKey).u32(message.length).raw(message);
    }
    core.calls.sr25519_verify_batch(items.length, core.put(writer.finish()));
    return Array.from(core.read(items.length), (answer) => answer === 1);
  };
  return {
    sr25519Verify: verifyWith(core.calls.sr25519_verify),
    sr25519VerifyLegacy: verifyWith(core.calls.sr25519_verify_legacy),
    sr25519VerifyBatch(items) {
      const answers: boolean[] = [];
      const step = Math.min(batchItems, coreOutputSize);
      for (let at = 0; at < items.length; at += step) answers.push(...verifySome(items.slice(at, at + step)));
      return answers;
    },
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
