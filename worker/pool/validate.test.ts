import { describe, expect, test, vi } from 'vitest';
import { type ErrorCode, errorCodes, NodeError } from '../../src/protocol/errors.ts';
import type { BlockHash } from '../codec/identity.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { batchSignatures } from '../executor/batched-signatures.ts';
import type { Runtime } from '../executor/executor.ts';
import { createSignatureCache } from '../executor/signature-cache.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { emptySource } from '../trie/node-source.ts';
import { createValidator } from './validate.ts';

const hash = (fill: number) => `0x${String(fill).repeat(64)}` as BlockHash;

/** A validator on a chain whose reads of a state end like this, one after the other. */
const validating = (...ends: readonly (() => unknown)[]) => {
  let best = { hash: hash(1), number: 1 };
  let reads = 0;
  const chain = {
    best: () => best as never,
    runtimeAt: async () => ({}) as Runtime,
    withState: vi.fn(async () => ends[Math.min(reads++, ends.length - 1)]?.() as never),
  };
  const validate = createValidator({
    chain,
    signatures: createSignatureCache(),
    batchSignatures: async () => null,
    readAlong: null,
  });
  const moveTo = (number: number): void => {
    best = { hash: hash(number), number };
  };
  return { moveTo, reads: chain.withState, validate: () => validate(Uint8Array.of(1), 1) };
};
const fail =
  (code: ErrorCode, details: Record<string, unknown> = {}) =>
  () => {
    throw new NodeError(code, `failed with ${code}`, { details });
  };

/** How the runtime itself can fail on a transaction. */
const ofRuntime: readonly ErrorCode[] = ['BadScale', 'MissingApi', 'OutOfFuel', 'RuntimeTrap'];
const ofNode = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => !ofRuntime.includes(code));

describe('a validation that fails', () => {
  test.each(ofRuntime)('by the runtime with %s is a verdict on the transaction', async (code) => {
    const { validate } = validating(fail(code, { trap: 'panicked' }));
    expect(await validate()).toEqual({ kind: 'failed', message: `failed with ${code}`, trap: 'panicked' });
  });
  test.each(ofNode)('by the node with %s is none', async (code) => {
    await expect(validating(fail(code)).validate()).rejects.toMatchObject({ code });
  });
  test('for lack of memory is none', async () => {
    const { validate } = validating(fail('RuntimeTrap', { trap: 'No memory', kind: 'memory' }));
    await expect(validate()).rejects.toMatchObject({ code: 'RuntimeTrap' });
  });
  test('because the head moved is repeated at the new one', async () => {
    const valid = { kind: 'valid' };
    const { validate, moveTo, reads } = validating(
      () => {
        moveTo(2);
        return fail('StateDiscarded')();
      },
      () => valid,
    );
    expect(await validate()).toBe(valid);
    expect(reads).toHaveBeenCalledTimes(2);
  });
  test('because the head moves again and again is repeated three times', async () => {
    let at = 1;
    const { validate, moveTo, reads } = validating(() => {
      moveTo(++at);
      return fail('StateDiscarded')();
    });
    await expect(validate()).rejects.toMatchObject({ code: 'StateDiscarded' });
    expect(reads).toHaveBeenCalledTimes(4);
  });
});

test('what a trial verifies on guessed values is no verdict on the transactions of the same burst', async () => {
  const crypto = await loadCrypto();
  const { secret, publicKey } = crypto.suriToPair('//Alice', 'sr25519');
  const message = Uint8Array.of(1, 2, 3);
  const signature = crypto.sr25519Sign(secret, message);
  const backend = createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource });
  let validations = 0;
  const call: Runtime['call'] = (overlay, _method, _input, options) => {
    const isTrial = overlay.backend.isTrial === true;
    if (!isTrial) validations += 1;
    const claim = { signature, message: isTrial ? new Uint8Array(3) : message, publicKey };
    const verify = () => crypto.sr25519Verify(signature, claim.message, publicKey);
    const isValid = options?.verifiedSignatures?.defer?.('sr25519', claim, verify) || verify();
    return { ok: true, output: Uint8Array.of(1, 0, isValid ? 1 : 4), logs: [] };
  };
  const signatures = createSignatureCache();
  const validate = createValidator({
    chain: {
      best: () => ({ hash: hash(1), number: 1 }) as never,
      runtimeAt: async () => ({ apiVersion: () => 3, call }) as unknown as Runtime,
      withState: async (_hash, read, foresee) => {
        foresee?.({ ...backend, isTrial: true });
        return read(backend);
      },
    },
    signatures,
    batchSignatures: () => batchSignatures(signatures),
    readAlong: () => undefined,
  });
  const all = await Promise.all([1, 2, 3, 4].map((byte) => validate(Uint8Array.of(byte), 1)));
  expect(all).toEqual(all.map(() => ({ kind: 'invalid', error: Uint8Array.of(1) })));
  expect(validations).toBe(4);
});
