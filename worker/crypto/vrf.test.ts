import * as scure from '@scure/sr25519';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { VrfTranscript } from './crypto.ts';
import { loadCrypto } from './crypto.ts';
import { describeFixture, flip } from './vectors.fixture.ts';

const crypto = await loadCrypto();
const u64 = (value: bigint): Uint8Array => new Writer(8).u64(value).finish();

const babe = (slot: number, epoch: number, randomness: string): VrfTranscript => ({
  label: 'BABE',
  items: [
    ['slot number', u64(BigInt(slot))],
    ['current epoch', u64(BigInt(epoch))],
    ['chain randomness', hexToBytes(randomness)],
  ],
});

type Sealed = {
  block: number;
  slot: number;
  authorityIndex: number;
  publicKey: string;
  preSealHash: string;
  seal: string;
};
type Primary = Sealed & {
  epoch: number;
  randomness: string;
  preOutput: string;
  proof: string;
  score: string;
  randomnessContribution: string;
};
type Claims = {
  configuration: { authorities: [string, number][]; randomness: string };
  threshold: string;
  primary: Primary[];
  secondary: Sealed[];
};

describeFixture<Claims>('babe/westend-claims.json', ({ configuration, threshold, primary, secondary }) => {
  test.each(primary)('primary claim of block $block', (claim) => {
    const [key, preOutput, proof] = [claim.publicKey, claim.preOutput, claim.proof].map(hexToBytes) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    const transcript = babe(claim.slot, claim.epoch, claim.randomness);
    expect(crypto.sr25519VrfVerify(key, transcript, preOutput, proof)).toBe(true);
    expect(
      crypto.sr25519VrfVerify(key, babe(claim.slot, claim.epoch + 1, claim.randomness), preOutput, proof),
    ).toBe(false);
    const score = crypto.sr25519VrfMakeBytes(
      key,
      transcript,
      preOutput,
      textToBytes('substrate-babe-vrf'),
      16,
    );
    expect(new Reader(score).u128().toString()).toBe(claim.score);
    expect(new Reader(score).u128() < BigInt(threshold)).toBe(true);
    const randomness = crypto.sr25519VrfMakeBytes(
      key,
      transcript,
      preOutput,
      textToBytes('BabeVRFInOutContext'),
      32,
    );
    expect(bytesToHex(randomness)).toBe(claim.randomnessContribution);
  });
  test('secondary claims: the author follows from randomness and slot', () => {
    for (const { slot, authorityIndex } of secondary) {
      const input = new Writer(40).raw(hexToBytes(configuration.randomness)).u64(BigInt(slot)).finish();
      const index = BigInt(bytesToHex(crypto.blake2b256(input))) % BigInt(configuration.authorities.length);
      expect(Number(index)).toBe(authorityIndex);
    }
  });
  test('every seal verifies, but not with another hash', () => {
    for (const { authorityIndex, preSealHash, seal } of [...primary, ...secondary]) {
      const key = hexToBytes((configuration.authorities[authorityIndex] as [string, number])[0]);
      const hash = hexToBytes(preSealHash);
      expect(crypto.sr25519Verify(hexToBytes(seal), hash, key)).toBe(true);
      expect(crypto.sr25519Verify(hexToBytes(seal), flip(hash, 3), key)).toBe(false);
    }
  });
});

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const context = textToBytes('BabeVRFInOutContext');

describe('sign and verify', () => {
  test('a proof is valid only for its key and transcript', () => {
    fc.assert(
      fc.property(seed, fc.nat(), fc.nat(255), (s, slot, bit) => {
        const secret = scure.secretFromSeed(s);
        const kept = secret.slice();
        const publicKey = scure.getPublicKey(secret);
        const transcript = babe(slot, 3, bytesToHex(s));
        const { preOutput, proof } = crypto.sr25519VrfSign(secret, transcript);
        expect(secret).toEqual(kept);
        expect(crypto.sr25519VrfVerify(publicKey, transcript, preOutput, proof)).toBe(true);
        expect(crypto.sr25519VrfVerify(publicKey, babe(slot + 1, 3, bytesToHex(s)), preOutput, proof)).toBe(
          false,
        );
        expect(crypto.sr25519VrfVerify(publicKey, transcript, preOutput, flip(proof, bit * 2))).toBe(false);
        expect(crypto.sr25519VrfVerify(publicKey, transcript, flip(preOutput, bit), proof)).toBe(false);
        expect(crypto.sr25519VrfSign(secret, transcript).preOutput).toEqual(preOutput);
        expect(crypto.sr25519VrfMakeBytes(secret, transcript, preOutput, context, 32)).toEqual(
          crypto.sr25519VrfMakeBytes(publicKey, transcript, preOutput, context, 32),
        );
      }),
      { numRuns: 20 },
    );
  });
  test('agrees with @scure/sr25519 in both directions', () => {
    fc.assert(
      fc.property(
        seed,
        fc.uint8Array({ maxLength: 80 }),
        fc.uint8Array({ maxLength: 20 }),
        (s, text, name) => {
          const secret = scure.secretFromSeed(s);
          const publicKey = scure.getPublicKey(secret);
          const transcript: VrfTranscript = {
            label: 'SigningContext',
            items: [
              ['', name],
              ['sign-bytes', text],
            ],
          };
          const { preOutput, proof } = crypto.sr25519VrfSign(secret, transcript);
          expect(scure.vrf.verify(text, Uint8Array.of(...preOutput, ...proof), publicKey, name)).toBe(true);
          const theirs = scure.vrf.sign(text, secret, name, new Uint8Array(0));
          expect(theirs.slice(0, 32)).toEqual(preOutput);
          expect(crypto.sr25519VrfVerify(publicKey, transcript, theirs.slice(0, 32), theirs.slice(32))).toBe(
            true,
          );
        },
      ),
      { numRuns: 10 },
    );
  });
});

describe('malformed input', () => {
  const secret = scure.secretFromSeed(new Uint8Array(32));
  const publicKey = scure.getPublicKey(secret);
  const transcript = babe(1, 0, '0x');
  const noPoint = new Uint8Array(32).fill(255);
  test('is not valid', () => {
    expect(crypto.sr25519VrfVerify(publicKey, transcript, noPoint, new Uint8Array(64))).toBe(false);
    expect(crypto.sr25519VrfVerify(noPoint, transcript, noPoint, new Uint8Array(64).fill(255))).toBe(false);
  });
  test('throws when bytes are made from it', () => {
    expect(() => crypto.sr25519VrfMakeBytes(publicKey, transcript, noPoint, context, 16)).toThrow(
      expect.objectContaining({ code: 'BadKey' }),
    );
    expect(() => crypto.sr25519VrfMakeBytes(publicKey, transcript, publicKey, context, 1025)).toThrow(
      RangeError,
    );
  });
});
