import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from './crypto.ts';
import { loadSignatureBatch, type SignatureClaim } from './signature-batch.ts';
import { describeFixture, flip } from './vectors.fixture.ts';

const crypto = await loadCrypto();
const { ed25519: verifyAll, sr25519: verifyAllSchnorr } = await loadSignatureBatch();

const isValid = ({ signature, message, publicKey }: SignatureClaim): boolean =>
  crypto.ed25519Verify(signature, message, publicKey);

const sign = (seed: Uint8Array, message: Uint8Array): SignatureClaim => ({
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
  const many = Array.from({ length: 200 }, (_, index) => good[index % good.length] as SignatureClaim);
  expect(verifyAll(many)).toBe(true);
});

test('agrees with single verification on flipped bits and exchanged parts, wherever they are', () => {
  const [at, bit, part] = [fc.nat(good.length - 1), fc.nat(511), fc.constantFrom('signature', 'publicKey')];
  fc.assert(
    fc.property(at, bit, part, fc.nat(good.length - 1), (index, nth, name, other) => {
      const one = good[index] as SignatureClaim;
      const changed = {
        ...one,
        [name]: flip(one[name as 'signature'], nth % (one[name as 'signature'].length * 8)),
      };
      const swapped = { ...one, publicKey: (good[other] as SignatureClaim).publicKey };
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
  const claims = ED25519_TORSION_SUBGROUP.map((torsion, index): SignatureClaim => {
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
  const [one, other] = claims as [SignatureClaim, SignatureClaim];
  expect(verifyAll([...claims, { ...one, publicKey: other.publicKey }])).toBe(false);
});

describe('sr25519', () => {
  const isValidAlone = ({ signature, message, publicKey }: SignatureClaim): boolean =>
    crypto.sr25519Verify(signature, message, publicKey);
  const pairs = Array.from({ length: 40 }, (_, index) => crypto.suriToPair(`//${index}`, 'sr25519'));
  const signed = pairs.map(({ secret, publicKey }, index): SignatureClaim => {
    const message = new Uint8Array(index * 7).fill(index);
    return { signature: crypto.sr25519Sign(secret, message), message, publicKey };
  });

  type Case = { name: string; publicKey: string; message: string; signature: string; verifyV2: boolean };
  describeFixture<{ cases: Case[] }>('crypto/sr25519.json', ({ cases }) => {
    test.each(cases)('$name', ({ publicKey, message, signature, verifyV2 }) => {
      const parts = { signature: hexToBytes(signature), publicKey: hexToBytes(publicKey) };
      const one = { ...parts, message: hexToBytes(message) };
      expect(verifyAllSchnorr([one])).toBe(verifyV2);
      expect(verifyAllSchnorr([...signed, one])).toBe(verifyV2);
    });
  });

  test('none, one, and as many as a large block has', () => {
    expect(verifyAllSchnorr([])).toBe(true);
    expect(verifyAllSchnorr(signed.slice(0, 1))).toBe(true);
    const many = Array.from({ length: 1000 }, (_, index) => signed[index % signed.length] as SignatureClaim);
    expect(verifyAllSchnorr(many)).toBe(true);
    expect(
      verifyAllSchnorr(many.with(731, { ...(many[731] as SignatureClaim), message: Uint8Array.of(1) })),
    ).toBe(false);
  });

  test('one bad signature at each place, and nothing but bad ones', () => {
    const bad = signed.map((one) => ({ ...one, signature: flip(one.signature, 300) }));
    for (const [index, one] of bad.entries()) expect(verifyAllSchnorr(signed.with(index, one))).toBe(false);
    expect(verifyAllSchnorr(bad)).toBe(false);
  });

  test('two bad signatures do not cancel each other', () => {
    const [first, second, ...rest] = signed as [SignatureClaim, SignatureClaim, ...SignatureClaim[]];
    const exchanged = [
      { ...first, signature: second.signature },
      { ...second, signature: first.signature },
    ];
    expect(verifyAllSchnorr([...exchanged, ...rest])).toBe(false);
  });

  test('agrees with single verification on flipped bits and malleable forms, wherever they are', () => {
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const toBytes = (value: bigint): Uint8Array =>
      Uint8Array.from({ length: 32 }, (_, index) => Number((value >> BigInt(8 * index)) & 255n));
    const scalarOf = (signature: Uint8Array): bigint => littleEndian(signature.slice(32)) & (2n ** 255n - 1n);
    /** The same number modulo the order of the group, with the marker. */
    const unreduced = (signature: Uint8Array): Uint8Array => {
      const proof = toBytes(scalarOf(signature) + order);
      proof[31] = (proof[31] as number) | 128;
      return concatBytes(signature.slice(0, 32), proof);
    };
    const place = fc.nat(signed.length - 1);
    const part = fc.constantFrom('signature', 'publicKey', 'unreduced', 'zeros', 'ones');
    fc.assert(
      fc.property(place, fc.nat(511), part, (index, nth, name) => {
        const one = signed[index] as SignatureClaim;
        const changed = {
          signature: () => ({ ...one, signature: flip(one.signature, nth) }),
          publicKey: () => ({ ...one, publicKey: flip(one.publicKey, nth % 256) }),
          unreduced: () => ({ ...one, signature: unreduced(one.signature) }),
          zeros: () => ({ ...one, publicKey: new Uint8Array(32), signature: new Uint8Array(64) }),
          ones: () => ({ ...one, publicKey: new Uint8Array(32).fill(255) }),
        }[name]();
        expect(verifyAllSchnorr(signed.with(index, changed))).toBe(isValidAlone(changed));
      }),
      { numRuns: 150 },
    );
  });
});
