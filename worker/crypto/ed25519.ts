import { type Core, checkLength } from './core.ts';

/** Ed25519 with the verification rules of ZIP-215, as host and runtime expect. */
export type Ed25519 = {
  ed25519Verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /** Deterministic (RFC 8032). */
  ed25519Sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
};

export const createEd25519 = (core: Core): Ed25519 => ({
  ed25519Verify(signature, message, publicKey) {
    checkLength('signature', signature, 64);
    checkLength('publicKey', publicKey, 32);
    core.put(signature, publicKey, message);
    return core.calls.ed25519_verify(message.length) === 1;
  },
  ed25519Sign(seed, message) {
    checkLength('seed', seed, 32);
    const length = core.put(seed, message);
    core.calls.ed25519_sign(message.length);
    core.wipe(length);
    return core.read(64);
  },
});
