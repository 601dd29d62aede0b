import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureJson } from '../../test/rigs/fixtures.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { decodeHeader, encodeHeader, splitSeals } from './header.ts';

type Recorded = { name?: string; header?: string; scale?: string; hash: string };

describe.skipIf(!hasFixtures)('headers of real chains', () => {
  it('decode, encode to the same bytes and hash to the recorded hash', async () => {
    const crypto = await loadCrypto();
    const blocks = await loadFixtureJson<Recorded[]>('blocks/westend-1-128.json');
    for (const block of blocks) {
      const bytes = hexToBytes(block.header as string);
      const header = decodeHeader(bytes);
      expect(encodeHeader(header)).toEqual(bytes);
      expect(bytesToHex(crypto.blake2b256(bytes))).toBe(block.hash);
      expect(splitSeals(header).seals.length).toBe(1);
    }
  });

  it('are refused if truncated or too long', async () => {
    const [block] = await loadFixtureJson<Recorded[]>('blocks/westend-1-128.json');
    const bytes = hexToBytes(block?.header as string);
    expect(() => decodeHeader(bytes.subarray(0, -1))).toThrow('Not enough data');
    expect(() => decodeHeader(Uint8Array.of(...bytes, 0))).toThrow('left over');
  });
});
