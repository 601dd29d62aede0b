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
});

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const message = fc.uint8Array({ maxLength: 300 });

/** scure's result. It throws for malformed input, for which the host function must return false. */
const scureVerify = (m: Uint8Array, s: Uint8Array, p: Uint8Array): boolean => {
  try {
    return scure.verify(m, s, p);
  } catch {
    return false;
  }
};

describe('against @scure/sr25519 and @polkadot/util-crypto', () => {
  test('they accept our signatures', () => {
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
  test('we accept their signatures, and agree on one flipped bit', () => {
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

describe('arguments', () => {
  const secret = scure.secretFromSeed(new Uint8Array(32));
  const publicKey = scure.getPublicKey(secret);
  const text = Uint8Array.of(1);
  test("wrong lengths are reported with the argument's name", () => {
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
  test('a message may need more memory than the core has initially', () => {
    const large = new Uint8Array(4_000_000).fill(3);
    expect(crypto.sr25519Verify(crypto.sr25519Sign(secret, large), large, publicKey)).toBe(true);
  });
  test('two signatures of the same message differ', () => {
    expect(crypto.sr25519Sign(secret, text)).not.toEqual(crypto.sr25519Sign(secret, text));
  });
});
