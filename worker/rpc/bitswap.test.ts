import { describe, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../test/platform.ts';
import { connectRpc } from '../../test/rpc.ts';
import { createNode } from '../node.ts';
import { parseCid } from './cid.ts';

/** The bytes 0 to 31 as a sha2-256 digest of raw bytes, in each alphabet. */
const sameInAllBases = [
  'f01551220000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  'F01551220000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',
  'bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4',
  'BAFKREIAAAEBAGBAFAYDQQCIKBMGA2DQPCAIREEYUCULBOGAZDINRYHI6D4',
  'zb2rhWeJ5rsKhbfi31kikfdS3hE2pvWzhW27Es4Jmc863vFdx',
  '/ipfs/bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4',
  'https://a/ipfs/BafkreiaaaebagbafaydqqcikbmgA2DQPCAIREEYUCULBOGAZDINRYHI6D4',
  // Bytes after the digest are not looked at.
  'bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d55hu6q',
];

describe('a CID', () => {
  it.each(sameInAllBases)('%s', (text) => {
    const digest = Uint8Array.from({ length: 32 }, (_, i) => i);
    expect(parseCid(text)).toEqual({ version: 1, hashCode: 0x12n, digest });
  });
});

/** Texts and what the `cid` crate 0.11.3 says of them; the last four are of sc-rpc-spec-v2 0.62. */
const refused: readonly (readonly [text: string, why: string])[] = [
  ['', 'Input too short'],
  ['/ipfs/b', 'Input too short'],
  ['é', 'Failed to parse multihash'],
  ['Qm', 'Failed to parse multihash'],
  ['QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKLPj0', 'Failed to parse multihash'],
  ['bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d5', 'Failed to parse multihash'],
  ['bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6', 'Failed to parse multihash'],
  [`f01551241${'00'.repeat(65)}`, 'Failed to parse multihash'],
  [`z${'1'.repeat(100_000)}`, 'Failed to parse multihash'],
  ['za', 'unexpected end of file'],
  ['f8100', 'Failed to decode unsigned varint format'],
  ['f1220d51d3bd4b3', 'failed to fill whole buffer'],
  ['f0255120100', 'Unrecognized CID version'],
  ['f0055120100', 'CIDv0 cannot be specified in CIDv1 format'],
  ['QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKLPjf', 'Only CIDv1 is supported'],
  ['zQmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKLPjf', 'Only CIDv1 is supported'],
  [
    'bafkr4iaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4',
    'Only sha2-256, blake2b-256 & keccak-256 hash functions are supported',
  ],
  ['bafkreeaaaebagbafaydqqcikbmga2dqp', 'Only 256-bit hash digests are supported'],
];

/** sha2-256, keccak-256 and blake2b-256. */
const wellFormed = [
  'bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4',
  'bafkrwiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4',
  'bafk2bzaceaaacaqdaqcqmbyibefawdanbyhraeiscmkbkfqxdamrugy4dupb6',
];

describe('bitswap_v1_get', () => {
  it('refuses what it cannot look up and finds nothing, as no transaction is indexed', async () => {
    const node = await createNode(createTestPlatform(), testConfig('development', { keys: [] }));
    const { ask } = connectRpc(node);
    for (const [text, why] of refused)
      expect(await ask('bitswap_v1_get', text), text).toEqual({
        error: { code: -32602, message: `Invalid CID: ${why}`, data: { variant: 'InvalidCid' } },
      });
    for (const text of wellFormed)
      expect(await ask('bitswap_v1_get', text)).toEqual({
        error: { code: -32810, message: 'Transaction not found', data: { variant: 'NotFound' } },
      });
    await node.close();
  });
});
