import { describe, expect, test, vi } from 'vitest';
import { type ErrorCode, errorCodes, NodeError } from '../../src/protocol/errors.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Runtime } from '../executor/executor.ts';
import { createSignatureCache } from '../executor/signature-cache.ts';
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
