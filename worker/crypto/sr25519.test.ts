import { sr25519Verify as utilVerify } from '@polkadot/util-crypto';
import * as scure from '@scure/sr25519';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from './crypto.ts';
import { describeFixture, flip } from './vectors.fixture.ts';

const crypto = await loadCrypto();

type Case = {
  name: string;
  publicKey: string;
  message: string;
  signature: string;
  verifyV1: boolean;
  verifyV2: boolean;
};

describeFixture<{ cases: Case[] }>('crypto/sr25519.json', ({ cases }) => {
  test.each(cases)('$name', ({ signature, message, publicKey, verifyV1, verifyV2 }) => {
    const parts = [hexToBytes(signature), hexToBytes(message), hexToBytes(publicKey)] as const;
    expect(crypto.sr25519VerifyLegacy(...parts)).toBe(verifyV1);
    expect(crypto.sr25519Verify(...parts)).toBe(verifyV2);
  });
  test('all of them in one batch', () => {
    const items = cases.map((c) => ({
      signature: hexToBytes(c.signature),
      message: hexToBytes(c.message),
      publicKey: hexToBytes(c.publicKey),
    }));
    expect(crypto.sr25519VerifyBatch(items)).toEqual(cases.map((c) => c.verifyV2));
  });
});

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const message = fc.uint8Array({ maxLength: 300 });

/** What scure says; it throws for what is malformed, where the host function must answer no. */
const scureVerify = (m: Uint8Array, s: Uint8Array, p: Uint8Array): boolean => {
  try {
    return scure.verify(m, s, p);
  } catch {
    return false;
  }
};

describe('against @scure/sr25519 and @polkadot/util-crypto', () => {
  test('what we sign they accept', () => {
    fc.assert(
      fc.property(seed, message, (s, m) => {
        const secret = scure.secretFromSeed(s);
        const kept = secret.slice();
        const signature = crypto.sr25519Sign(secret, m);
        expect(secret).toEqual(kept);
        expect(scure.verify(m, signature, scure.getPublicKey(secret))).toBe(true);
        expect(utilVerify(m, signature, scure.getPublicKey(secret))).toBe(true);
      }),
      { numRuns: 15 },
    );
  });
  test('what they sign we accept, and one flipped bit is judged alike', () => {
    fc.assert(
      fc.property(seed, message, fc.nat(511), fc.nat(255), (s, m, signatureBit, keyBit) => {
        const secret = scure.secretFromSeed(s);
        const publicKey = scure.getPublicKey(secret);
        const signature = scure.sign(secret, m);
        expect(crypto.sr25519Verify(signature, m, publicKey)).toBe(true);
        expect(crypto.sr25519VerifyLegacy(signature, m, publicKey)).toBe(true);
        const bad = flip(signature, signatureBit);
        expect(crypto.sr25519Verify(bad, m, publicKey)).toBe(scureVerify(m, bad, publicKey));
        const other = flip(publicKey, keyBit);
        expect(crypto.sr25519Verify(signature, m, other)).toBe(scureVerify(m, signature, other));
      }),
      { numRuns: 15 },
    );
  });
});

describe('batch', () => {
  const secrets = [1, 2, 3].map((n) => scure.secretFromSeed(new Uint8Array(32).fill(n)));
  const item = (n: number) => {
    const secret = secrets[n % 3] as Uint8Array;
    const text = new Uint8Array((n * 37) % 200).fill(n);
    return {
      signature: crypto.sr25519Sign(secret, text),
      message: text,
      publicKey: scure.getPublicKey(secret),
    };
  };
  const many = Array.from({ length: 300 }, (_, n) => item(n));
  test('none, one, and more than one call of the core takes', () => {
    expect(crypto.sr25519VerifyBatch([])).toEqual([]);
    expect(crypto.sr25519VerifyBatch([item(5)])).toEqual([true]);
    expect(crypto.sr25519VerifyBatch(many).every(Boolean)).toBe(true);
  });
  test('bad ones are named, the others stay valid', () => {
    const bad = new Set([0, 17, 299]);
    const items = many.map((one, n) => (bad.has(n) ? { ...one, signature: flip(one.signature, n) } : one));
    expect(crypto.sr25519VerifyBatch(items)).toEqual(items.map((_, n) => !bad.has(n)));
  });
  test('two errors that cancel out in a plain sum do not pass', () => {
    // s1 + 1 and s2 − 1 (here: two items with their s parts exchanged) keep the sum of all s.
    const [a, b] = [item(1), item(4)];
    const swapped = (x: typeof a, y: typeof a) => ({
      ...x,
      signature: Uint8Array.of(...x.signature.slice(0, 32), ...y.signature.slice(32)),
    });
    expect(crypto.sr25519VerifyBatch([swapped(a, b), swapped(b, a)])).toEqual([false, false]);
  });
  test('messages that need more memory', () => {
    const big = new Uint8Array(400_000).fill(3);
    const secret = secrets[0] as Uint8Array;
    const publicKey = scure.getPublicKey(secret);
    const one = { signature: crypto.sr25519Sign(secret, big), message: big, publicKey };
    expect(crypto.sr25519VerifyBatch(Array.from({ length: 20 }, () => one)).every(Boolean)).toBe(true);
  });
});

describe('arguments', () => {
  const secret = scure.secretFromSeed(new Uint8Array(32));
  const publicKey = scure.getPublicKey(secret);
  const text = Uint8Array.of(1);
  test('wrong lengths are named', () => {
    expect(() => crypto.sr25519Verify(new Uint8Array(63), text, publicKey)).toThrow(
      /^signature must have 64/,
    );
    expect(() => crypto.sr25519Verify(new Uint8Array(64), text, new Uint8Array(33))).toThrow(
      /^publicKey must have 32/,
    );
    expect(() => crypto.sr25519Sign(new Uint8Array(32), text)).toThrow(/^secret must have 64/);
  });
  test('a scalar beyond the order is refused', () => {
    expect(() => crypto.sr25519Sign(new Uint8Array(64).fill(255), text)).toThrow(
      expect.objectContaining({ code: 'BadKey' }),
    );
  });
  test('two signatures over the same message differ', () => {
    expect(crypto.sr25519Sign(secret, text)).not.toEqual(crypto.sr25519Sign(secret, text));
  });
});
