import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from './crypto.ts';
import { describeFixture, flip } from './vectors.fixture.ts';

const crypto = await loadCrypto();

type Fixture = {
  cases: { name: string; publicKey: string; message: string; signature: string; valid: boolean }[];
  smallOrder: { message: string; encodings: string[] };
};

describeFixture<Fixture>('crypto/ed25519.json', ({ cases, smallOrder }) => {
  test.each(cases)('$name', ({ publicKey, message, signature, valid }) => {
    expect(crypto.ed25519Verify(hexToBytes(signature), hexToBytes(message), hexToBytes(publicKey))).toBe(
      valid,
    );
  });
  test('small-order pairs: all 196 are valid (ZIP-215)', () => {
    const encodings = smallOrder.encodings.map(hexToBytes);
    let valid = 0;
    for (const key of encodings) {
      for (const r of encodings) {
        const signature = concatBytes(r, new Uint8Array(32));
        if (crypto.ed25519Verify(signature, hexToBytes(smallOrder.message), key)) valid++;
      }
    }
    expect([encodings.length, valid]).toEqual([14, 196]);
  });
});

test('agrees with @noble/curves, including on flipped bits', () => {
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(
      seeds,
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(511),
      fc.nat(255),
      (seed, message, bit, keyBit) => {
        const publicKey = ed25519.getPublicKey(seed);
        const signature = crypto.ed25519Sign(seed, message);
        expect(signature).toEqual(ed25519.sign(message, seed));
        expect(crypto.ed25519Verify(signature, message, publicKey)).toBe(true);
        const bad = flip(signature, bit);
        expect(crypto.ed25519Verify(bad, message, publicKey)).toBe(
          ed25519.verify(bad, message, publicKey, { zip215: true }),
        );
        expect(crypto.ed25519Verify(signature, message, flip(publicKey, keyBit))).toBe(false);
      },
    ),
    { numRuns: 40 },
  );
});

test("wrong lengths are reported with the argument's name", () => {
  const [signature, key, none] = [new Uint8Array(64), new Uint8Array(32), new Uint8Array(0)];
  expect(() => crypto.ed25519Verify(key, none, key)).toThrow(/^signature must have 64/);
  expect(() => crypto.ed25519Verify(signature, none, none)).toThrow(/^publicKey must have 32/);
  expect(() => crypto.ed25519Sign(signature, none)).toThrow(/^seed must have 32/);
});
