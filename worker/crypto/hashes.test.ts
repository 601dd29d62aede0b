import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256, keccak_512 } from '@noble/hashes/sha3.js';
import { xxhashAsU8a } from '@polkadot/util-crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from './crypto.ts';
import { describeFixture } from './vectors.fixture.ts';

const crypto = await loadCrypto();

const byName = {
  blake2_128: crypto.blake2b128,
  blake2_256: crypto.blake2b256,
  twox_64: crypto.twox64,
  twox_128: crypto.twox128,
  twox_256: crypto.twox256,
  keccak_256: crypto.keccak256,
  keccak_512: crypto.keccak512,
  sha2_256: crypto.sha2256,
} as const;

describeFixture<(Record<keyof typeof byName, string> & { input: string })[]>(
  'crypto/hashes.json',
  (cases) => {
    for (const [index, vector] of cases.entries()) {
      const { input, ...digests } = vector;
      test.each(Object.entries(digests))(`input ${index}: %s`, (name, digest) => {
        expect(name in byName).toBe(true);
        expect(bytesToHex(byName[name as keyof typeof byName](hexToBytes(input)))).toBe(digest);
      });
    }
  },
);

describe('against @noble/hashes and @polkadot/util-crypto', () => {
  const data = fc.uint8Array({ maxLength: 400 });
  const sizes = [64, 128, 256, 512] as const;
  test.each(sizes)('blake2b %i', (bits) => {
    fc.assert(
      fc.property(data, (d) => {
        expect(crypto.blake2b(bits, d)).toEqual(blake2b(d, { dkLen: bits / 8 }));
      }),
    );
  });
  test('keccak and sha2', () => {
    fc.assert(
      fc.property(data, (d) => {
        expect(crypto.keccak256(d)).toEqual(keccak_256(d));
        expect(crypto.keccak512(d)).toEqual(keccak_512(d));
        expect(crypto.sha2256(d)).toEqual(sha256(d));
      }),
    );
  });
  test('twox', () => {
    fc.assert(
      fc.property(data, (d) => {
        expect(crypto.twox64(d)).toEqual(xxhashAsU8a(d, 64));
        expect(crypto.twox128(d)).toEqual(xxhashAsU8a(d, 128));
        expect(crypto.twox256(d)).toEqual(xxhashAsU8a(d, 256));
      }),
    );
  });
  test("inputs larger than the module's initial memory", () => {
    for (const length of [65_535, 65_536, 1_300_000, 5_000_001]) {
      const d = new Uint8Array(length).map((_, i) => i * 7);
      expect(crypto.blake2b256(d)).toEqual(blake2b(d, { dkLen: 32 }));
      expect(crypto.sha2256(d)).toEqual(sha256(d));
    }
    expect(crypto.blake2b256(new Uint8Array(3))).toEqual(blake2b(new Uint8Array(3), { dkLen: 32 }));
  });
});

test('each result is a separate copy', () => {
  const first = crypto.blake2b256(Uint8Array.of(1));
  const kept = first.slice();
  first.fill(9);
  expect(crypto.blake2b256(Uint8Array.of(1))).toEqual(kept);
});
