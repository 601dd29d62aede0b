import { secp256k1 } from '@noble/curves/secp256k1.js';
import { secp256k1Recover, secp256k1Sign } from '@polkadot/util-crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { EcdsaRecovery } from './crypto.ts';
import { loadCrypto } from './crypto.ts';
import { describeFixture } from './vectors.fixture.ts';

const crypto = await loadCrypto();

type Fixture = {
  digest: string;
  secret: string;
  publicKeyCompressed: string;
  cases: { name: string; signature: string; recover: string; recoverCompressed: string }[];
};

/** The SCALE Result returned by the host function. */
const encodeAnswer = (answer: EcdsaRecovery): string =>
  bytesToHex(answer.ok ? concatBytes(Uint8Array.of(0), answer.publicKey) : Uint8Array.of(1, answer.error));

describeFixture<Fixture>('crypto/secp256k1.json', ({ digest, secret, publicKeyCompressed, cases }) => {
  const hash = hexToBytes(digest);
  test.each(cases)('$name', ({ signature, recover, recoverCompressed }) => {
    for (const strict of [true, false]) {
      const answer = (compressed: boolean) =>
        encodeAnswer(crypto.ecdsaRecover(hexToBytes(signature), hash, { compressed, strict }));
      expect(answer(false)).toBe(recover);
      expect(answer(true)).toBe(recoverCompressed);
    }
  });
  test('our signature recovers the key', () => {
    const answer = crypto.ecdsaRecover(crypto.ecdsaSign(hexToBytes(secret), hash), hash, {
      compressed: true,
      strict: true,
    });
    expect(encodeAnswer(answer)).toBe(publicKeyCompressed.replace('0x', '0x00'));
  });
});

const order = secp256k1.Point.CURVE().n;
const toBytes = (value: bigint): Uint8Array => hexToBytes(value.toString(16).padStart(64, '0'));
const toNumber = (bytes: Uint8Array): bigint => BigInt(bytesToHex(bytes));
const seeds = fc.bigInt({ min: 1n, max: order - 1n }).map(toBytes);
const digests = fc.uint8Array({ minLength: 32, maxLength: 32 });
const loose = { compressed: true, strict: false };
const strict = { compressed: true, strict: true };

describe('against @noble/curves and @polkadot/util-crypto', () => {
  test('signing', () => {
    fc.assert(
      fc.property(seeds, digests, (seed, digest) => {
        const ours = crypto.ecdsaSign(seed, digest);
        const pair = { publicKey: secp256k1.getPublicKey(seed), secretKey: seed };
        expect(crypto.ecdsaSign(seed, crypto.blake2b256(digest))).toEqual(secp256k1Sign(digest, pair));
        expect(crypto.ecdsaRecover(ours, digest, strict)).toEqual({
          ok: true,
          publicKey: secp256k1.getPublicKey(seed),
        });
        expect(ours.slice(0, 64)).toEqual(secp256k1.sign(digest, seed, { prehash: false }));
      }),
      { numRuns: 25 },
    );
  });
  test('recovery, for every v, including a high s', () => {
    fc.assert(
      fc.property(seeds, digests, fc.boolean(), (seed, digest, high) => {
        const signature = crypto.ecdsaSign(seed, digest);
        if (high) {
          signature.set(toBytes(order - toNumber(signature.slice(32, 64))), 32);
          signature[64] = (signature[64] as number) ^ 1;
        }
        const ours = crypto.ecdsaRecover(signature, digest, strict);
        expect(ours).toEqual({ ok: true, publicKey: secp256k1.getPublicKey(seed) });
        const recovered = concatBytes(signature.slice(64), signature.slice(0, 64));
        expect(ours.ok && ours.publicKey).toEqual(
          secp256k1.recoverPublicKey(recovered, digest, { prehash: false }),
        );
        // util-crypto's module traps on a high s.
        if (!high)
          expect(ours.ok && ours.publicKey).toEqual(
            secp256k1Recover(digest, signature, signature[64] as number),
          );
      }),
      { numRuns: 25 },
    );
  });
});

describe('the rules of the two host functions', () => {
  const seed = new Uint8Array(32).fill(7);
  const digest = new Uint8Array(32).fill(9);
  const signature = crypto.ecdsaSign(seed, digest);
  const [r, s, v] = [signature.slice(0, 32), signature.slice(32, 64), signature.slice(64)];
  const whole = { ok: true, publicKey: secp256k1.getPublicKey(seed) };
  const ones = new Uint8Array(32).fill(255);

  test('r or s beyond the order: refused by v2, reduced by v1', () => {
    for (const bad of [concatBytes(ones, s, v), concatBytes(r, ones, v)]) {
      expect(crypto.ecdsaRecover(bad, digest, strict)).toEqual({ ok: false, error: 0 });
    }
    const reduced = concatBytes(r, toBytes(toNumber(ones) % order), v);
    expect(crypto.ecdsaRecover(concatBytes(r, ones, v), digest, loose)).toEqual(
      crypto.ecdsaRecover(reduced, digest, strict),
    );
  });
  test('zero r or s is a bad signature; under v1 the order is as well', () => {
    for (const zero of [new Uint8Array(32), toBytes(order)]) {
      expect(crypto.ecdsaRecover(concatBytes(zero, s, v), digest, loose)).toEqual({ ok: false, error: 2 });
      expect(crypto.ecdsaRecover(concatBytes(r, zero, v), digest, loose)).toEqual({ ok: false, error: 2 });
    }
    expect(crypto.ecdsaRecover(concatBytes(new Uint8Array(32), s, v), digest, strict)).toEqual({
      ok: false,
      error: 2,
    });
  });
  test('v: 0 to 3 and 27 to 30; anything else is error 1, before r and s are checked', () => {
    expect(
      crypto.ecdsaRecover(concatBytes(r, s, Uint8Array.of((v[0] as number) + 27)), digest, strict),
    ).toEqual(whole);
    for (const other of [4, 26, 31, 255]) {
      expect(crypto.ecdsaRecover(concatBytes(ones, s, Uint8Array.of(other)), digest, strict)).toEqual({
        ok: false,
        error: 1,
      });
    }
  });
  test('v of 2 or 3 adds the order to r, which is possible for almost no r', () => {
    expect(crypto.ecdsaRecover(concatBytes(r, s, Uint8Array.of(2)), digest, strict)).toEqual({
      ok: false,
      error: 2,
    });
    // A small r for which r + n is the x-coordinate of a point. Recovers the key here, and checks the
    // equation r·Q = s·R − z·G with noble.
    const { Point } = secp256k1;
    for (let small = 1n; small < 20n; small++) {
      const answer = crypto.ecdsaRecover(concatBytes(toBytes(small), s, Uint8Array.of(2)), digest, strict);
      const x = bytesToHex(toBytes(small + order)).slice(2);
      let point: InstanceType<typeof Point> | null = null;
      try {
        point = Point.fromHex(`02${x}`);
      } catch {
        expect(answer).toEqual({ ok: false, error: 2 });
      }
      if (point === null || !answer.ok) continue;
      const left = Point.fromBytes(answer.publicKey).multiply(small);
      const right = point.multiply(toNumber(s)).subtract(Point.BASE.multiply(toNumber(digest) % order));
      expect(left.equals(right)).toBe(true);
    }
  });
  test('a seed outside the order is refused', () => {
    expect(() => crypto.ecdsaSign(ones, digest)).toThrow(expect.objectContaining({ code: 'BadKey' }));
    expect(() => crypto.ecdsaSign(new Uint8Array(32), digest)).toThrow(
      expect.objectContaining({ code: 'BadKey' }),
    );
  });
});
