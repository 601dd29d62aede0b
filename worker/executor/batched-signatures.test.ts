import { describe, expect, it, vi } from 'vitest';
import { loadCrypto } from '../crypto/crypto.ts';
import type { SignatureClaim } from '../crypto/signature-batch.ts';
import type { SignatureHelper } from '../crypto/signature-helper.ts';
import { batchSignatures } from './batched-signatures.ts';
import { createSignatureCache, type SignatureCache } from './signature-cache.ts';

const crypto = await loadCrypto();
const { secret, publicKey } = crypto.suriToPair('//Alice', 'sr25519');
const claimOf = (index: number): SignatureClaim => {
  const message = Uint8Array.of(index, index >> 8);
  return { message, signature: crypto.sr25519Sign(secret, message), publicKey };
};
const all = Array.from({ length: 200 }, (_, index) => claimOf(index));
const bad = { ...claimOf(300), message: Uint8Array.of(1) };
const isValid = ({ signature, message, publicKey: key }: SignatureClaim): boolean =>
  crypto.sr25519Verify(signature, message, key);

/** What a host function does with a signature. Returns whether it was left for later. */
const leave = (signatures: SignatureCache, claim: SignatureClaim): boolean =>
  signatures.defer?.('sr25519', claim, () => isValid(claim)) === true;
const isKnown = (known: SignatureCache, { signature, message, publicKey: key }: SignatureClaim): boolean =>
  known.has('sr25519', signature, message, key);

/** Verifies in this thread; `verdict` replaces that of some calls. */
const pretend = (verdict: (call: number) => Promise<boolean> | null = () => null) => {
  const giveUps: (() => void)[] = [];
  let calls = 0;
  const helper = {
    verify: vi.fn((_scheme: string, claims: readonly SignatureClaim[]) => {
      const told = verdict(calls++);
      const ended = new Promise<never>((_, reject) => giveUps.push(() => reject(new Error('ended'))));
      return Promise.race([told ?? Promise.resolve(claims.every(isValid)), ended]);
    }),
    giveUp: vi.fn(() => {
      for (const end of giveUps) end();
    }),
  } satisfies SignatureHelper;
  return helper;
};

describe.each([
  ['in this thread', () => null],
  ['by a helper', pretend],
  ['by a helper that dies', () => pretend((call) => (call === 1 ? Promise.reject(new Error('dead')) : null))],
  ['by a helper that hangs', () => pretend((call) => (call === 1 ? new Promise(() => undefined) : null))],
])('many signatures, verified %s', (_, create) => {
  it.each([1, 7, 8, 64, 65, 200])('%i good ones are valid, and known afterward', async (count) => {
    const known = createSignatureCache();
    const batch = await batchSignatures(known, create());
    for (const claim of all.slice(0, count)) expect(leave(batch.signatures, claim)).toBe(true);
    expect(await batch.areValid()).toBe(true);
    expect(all.filter((claim) => isKnown(known, claim)).length).toBe(count);
  });

  it.each([0, 63, 64, 150, 199])('a bad one at place %i is found, and none is known', async (place) => {
    const known = createSignatureCache();
    const batch = await batchSignatures(known, create());
    for (const claim of all.with(place, bad)) leave(batch.signatures, claim);
    expect(await batch.areValid()).toBe(false);
    expect(all.some((claim) => isKnown(known, claim))).toBe(false);
  });
});

it('a helper is ended if its verdict does not arrive', async () => {
  const helper = pretend((call) => (call === 0 ? new Promise(() => undefined) : null));
  const batch = await batchSignatures(createSignatureCache(), helper);
  for (const claim of all) leave(batch.signatures, claim);
  expect(await batch.areValid()).toBe(true);
  expect(helper.giveUp).toHaveBeenCalledOnce();
});

it('an execution that begins again leaves its signatures once; known ones are not left at all', async () => {
  const known = createSignatureCache();
  const [first] = all as [SignatureClaim];
  known.add('sr25519', first.signature, first.message, first.publicKey);
  const helper = pretend();
  const batch = await batchSignatures(known, helper);
  for (let run = 0; run < 3; run++)
    for (const claim of all) expect(leave(batch.signatures, claim)).toBe(true);
  expect(await batch.areValid()).toBe(true);
  const given = helper.verify.mock.calls.flatMap(([, claims]) => claims);
  expect(given.length).toBe(all.length - 1);
});

it('signatures of other schemes, and those that come after the verdict, are verified at once', async () => {
  const batch = await batchSignatures(createSignatureCache(), null);
  expect(batch.signatures.defer?.('ed25519', bad, () => false)).toBe(false);
  const verdict = batch.areValid();
  expect(leave(batch.signatures, bad)).toBe(false);
  expect(await verdict).toBe(true);
});
