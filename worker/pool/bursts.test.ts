import { expect, it, vi } from 'vitest';
import { loadCrypto } from '../crypto/crypto.ts';
import { batchSignatures } from '../executor/batched-signatures.ts';
import { createSignatureCache, type SignatureCache } from '../executor/signature-cache.ts';
import { createBursts } from './bursts.ts';

const crypto = await loadCrypto();
const { secret, publicKey } = crypto.suriToPair('//Alice', 'sr25519');
const signed = (index: number, isGood = true) => {
  const message = Uint8Array.of(index);
  const signature = crypto.sr25519Sign(secret, message);
  return { signature, message: isGood ? message : Uint8Array.of(index, 1), publicKey };
};

const create = () => {
  const known = createSignatureCache();
  const batch = vi.fn(() => batchSignatures(known));
  const inBurst = createBursts(batch);
  const alone: number[] = [];
  /** As the runtime validates: its result is that of the signature, now or later. */
  const validate = (index: number, isGood = true): Promise<boolean> =>
    inBurst(async (signatures: SignatureCache | null) => {
      const claim = signed(index, isGood);
      const verify = () => {
        alone.push(index);
        return crypto.sr25519Verify(claim.signature, claim.message, publicKey);
      };
      return signatures?.defer?.('sr25519', claim, verify) || verify();
    });
  return { validate, batch, alone };
};

it('one transaction after another is verified alone, at once', async () => {
  const { validate, batch, alone } = create();
  const clock = vi.spyOn(performance, 'now');
  for (let index = 0; index < 3; index++) {
    clock.mockReturnValue(index * 10);
    expect(await validate(index)).toBe(true);
  }
  clock.mockRestore();
  expect(alone).toEqual([0, 1, 2]);
  expect(batch).not.toHaveBeenCalled();
});

it('many at once share verdicts, at most 64 each', async () => {
  const { validate, batch, alone } = create();
  const all = await Promise.all(Array.from({ length: 129 }, (_, index) => validate(index)));
  expect(all.every(Boolean)).toBe(true);
  expect(batch).toHaveBeenCalledTimes(2);
  expect(alone).toEqual([0]);
});

it('of many at once, only the bad ones are refused', async () => {
  const { validate } = create();
  const isBad = (index: number) => index % 50 === 13;
  const all = await Promise.all(Array.from({ length: 150 }, (_, index) => validate(index, !isBad(index))));
  expect(all.flatMap((valid, index) => (valid ? [] : [index]))).toEqual([13, 63, 113]);
});

it('without the code for many, each is verified alone, and a failure concerns one', async () => {
  const inBurst = createBursts(async () => null);
  const run = async (index: number, signatures: SignatureCache | null) => {
    if (index === 3) throw new Error('unread');
    return [index, signatures];
  };
  const all = [0, 1, 2, 3, 4].map((index) => inBurst((signatures) => run(index, signatures)));
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true]);
});

it('a validation that takes longer than its burst is verified alone', async () => {
  const late = Promise.withResolvers<void>();
  const known = createSignatureCache();
  const inBurst = createBursts(() => batchSignatures(known));
  const bad = signed(1, false);
  const verify = () => crypto.sr25519Verify(bad.signature, bad.message, publicKey);
  const first = inBurst(async () => true);
  const slow = inBurst(async (signatures) => {
    await late.promise;
    return signatures?.defer?.('sr25519', bad, verify) || verify();
  });
  const quick = inBurst(async () => true);
  expect(await Promise.all([first, quick])).toEqual([true, true]);
  late.resolve();
  expect(await slow).toBe(false);
});

it('a verdict that fails, and that no validation awaits, is no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const areValid = vi.fn(() => Promise.reject(new Error('no memory')));
  const inBurst = createBursts(async () => ({ signatures: createSignatureCache(), areValid }));
  const fail = () => Promise.reject(new Error('no memory'));
  const settled = await Promise.allSettled([inBurst(fail), inBurst(fail), inBurst(fail)]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await vi.waitFor(() => expect(areValid).toHaveBeenCalled());
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
