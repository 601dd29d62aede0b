import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureJson } from '../../../test/rigs/fixtures.ts';
import { hexToBytes } from '../../bytes/hex.ts';
import { decodeDigestItem } from '../../codec/digest.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { decodePreDigest, encodePreDigest } from './codec.ts';
import { primaryThreshold, secondaryAuthor, slotScore, slotTranscript } from './lottery.ts';

type Threshold = { c: [number, number]; weight: number; totalWeight: number; threshold: string };
type Claim = {
  slot: number;
  epoch: number;
  authorityIndex: number;
  publicKey: string;
  randomness: string;
  preOutput: string;
  proof: string;
  score: string;
};
type Claims = {
  configuration: { authorities: [string, number][]; randomness: string };
  primary: Claim[];
  secondary: { slot: number; authorityIndex: number }[];
};

describe.skipIf(!hasFixtures)('BABE lottery on real chains', () => {
  it('computes the recorded thresholds', async () => {
    const rows = await loadFixtureJson<Threshold[]>('babe/thresholds.json');
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const rest = BigInt(row.totalWeight - row.weight);
      const authorities = [{ weight: BigInt(row.weight) }, { weight: rest }];
      expect(primaryThreshold([BigInt(row.c[0]), BigInt(row.c[1])], authorities, 0).toString()).toBe(
        row.threshold,
      );
    }
  });

  it('scores and verifies the primary claims of Westend, and refuses them in another epoch', async () => {
    const crypto = await loadCrypto();
    const { primary } = await loadFixtureJson<Claims>('babe/westend-claims.json');
    for (const claim of primary) {
      const key = hexToBytes(claim.publicKey);
      const preOutput = hexToBytes(claim.preOutput);
      const transcript = slotTranscript(BigInt(claim.slot), {
        index: 0n,
        randomness: hexToBytes(claim.randomness),
      });
      const later = slotTranscript(BigInt(claim.slot), {
        index: 1n,
        randomness: hexToBytes(claim.randomness),
      });
      expect(crypto.sr25519VrfVerify(key, transcript, preOutput, hexToBytes(claim.proof))).toBe(true);
      expect(crypto.sr25519VrfVerify(key, later, preOutput, hexToBytes(claim.proof))).toBe(false);
      expect(slotScore(crypto, key, transcript, preOutput).toString()).toBe(claim.score);
    }
  });

  it('computes the author of each secondary slot', async () => {
    const crypto = await loadCrypto();
    const { configuration, secondary } = await loadFixtureJson<Claims>('babe/westend-claims.json');
    const authorities = configuration.authorities.map(([key, weight]) => ({
      publicKey: hexToBytes(key),
      weight: BigInt(weight),
    }));
    const epoch = { authorities, randomness: hexToBytes(configuration.randomness) };
    for (const claim of secondary)
      expect(secondaryAuthor(crypto, BigInt(claim.slot), epoch)).toBe(claim.authorityIndex);
  });

  it('decodes and encodes pre-digests without loss', async () => {
    const claims = await loadFixtureJson<{
      primary: { preDigest: string }[];
      secondary: { preDigest: string }[];
    }>('babe/westend-claims.json');
    for (const { preDigest } of [...claims.primary, ...claims.secondary]) {
      const bytes = hexToBytes(preDigest);
      expect(encodePreDigest(decodePreDigest(bytes))).toEqual(bytes);
    }
    expect(() => decodeDigestItem(Uint8Array.of(9))).toThrow('not a digest item');
  });
});
