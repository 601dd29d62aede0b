import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from './crypto.ts';
import { type Ed25519Claim, loadEd25519Batch } from './ed25519-batch.ts';
import { describeFixture, flip } from './vectors.fixture.ts';

const crypto = await loadCrypto();
const verifyAll = await loadEd25519Batch();

const isValid = ({ signature, message, publicKey }: Ed25519Claim): boolean =>
  crypto.ed25519Verify(signature, message, publicKey);

const sign = (seed: Uint8Array, message: Uint8Array): Ed25519Claim => ({
  signature: crypto.ed25519Sign(seed, message),
  message,
  publicKey: ed25519.getPublicKey(seed),
});

const good = Array.from({ length: 20 }, (_, index) =>
  sign(new Uint8Array(32).fill(index + 1), new Uint8Array(index)),
);

type Fixture = {
  cases: { name: string; publicKey: string; message: string; signature: string; valid: boolean }[];
  smallOrder: { message: string; encodings: string[] };
};

describeFixture<Fixture>('crypto/ed25519.json', ({ cases, smallOrder }) => {
  test.each(cases)('$name', ({ publicKey, message, signature, valid }) => {
    const one = {
      signature: hexToBytes(signature),
      message: hexToBytes(message),
      publicKey: hexToBytes(publicKey),
    };
    expect(verifyAll([one])).toBe(valid);
    expect(verifyAll([...good, one, ...good])).toBe(valid);
  });
  test('small-order pairs: all 196 are valid together (ZIP-215), and one bad signature is not hidden', () => {
    const encodings = smallOrder.encodings.map(hexToBytes);
    const message = hexToBytes(smallOrder.message);
    const all = encodings.flatMap((publicKey) =>
      encodings.map((r) => ({ signature: concatBytes(r, new Uint8Array(32)), message, publicKey })),
    );
    expect(all.length).toBe(196);
    expect(verifyAll(all)).toBe(true);
    const [first = sign(new Uint8Array(32), message)] = good;
    expect(verifyAll([...all, { ...first, message: Uint8Array.of(1) }])).toBe(false);
  });
});

test('no signature, one and two hundred', () => {
  expect(verifyAll([])).toBe(true);
  expect(verifyAll(good.slice(0, 1))).toBe(true);
  const many = Array.from({ length: 200 }, (_, index) => good[index % good.length] as Ed25519Claim);
  expect(verifyAll(many)).toBe(true);
});

test('agrees with single verification on flipped bits and exchanged parts, wherever they are', () => {
  const [at, bit, part] = [fc.nat(good.length - 1), fc.nat(511), fc.constantFrom('signature', 'publicKey')];
  fc.assert(
    fc.property(at, bit, part, fc.nat(good.length - 1), (index, nth, name, other) => {
      const one = good[index] as Ed25519Claim;
      const changed = {
        ...one,
        [name]: flip(one[name as 'signature'], nth % (one[name as 'signature'].length * 8)),
      };
      const swapped = { ...one, publicKey: (good[other] as Ed25519Claim).publicKey };
      for (const wrong of [changed, swapped]) expect(verifyAll(good.with(index, wrong))).toBe(isValid(wrong));
    }),
    { numRuns: 60 },
  );
});

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);

test('keys with a small-order component are valid alone and together, as ZIP-215 wants', () => {
  const { Point, utils } = ed25519;
  const { Fn } = Point;
  const claims = ED25519_TORSION_SUBGROUP.map((torsion, index): Ed25519Claim => {
    const { scalar } = utils.getExtendedPublicKey(new Uint8Array(32).fill(index + 40));
    const publicKey = Point.BASE.multiply(scalar).add(Point.fromHex(torsion)).toBytes();
    const nonce = BigInt(index + 7);
    const message = Uint8Array.of(index);
    const r = Point.BASE.multiply(nonce).toBytes();
    const challenge = littleEndian(sha512(concatBytes(r, publicKey, message))) % Fn.ORDER;
    return {
      signature: concatBytes(r, Fn.toBytes((nonce + challenge * scalar) % Fn.ORDER)),
      message,
      publicKey,
    };
  });
  expect(claims.map(isValid)).toEqual(claims.map(() => true));
  expect(verifyAll(claims)).toBe(true);
  const [one, other] = claims as [Ed25519Claim, Ed25519Claim];
  expect(verifyAll([...claims, { ...one, publicKey: other.publicKey }])).toBe(false);
});
