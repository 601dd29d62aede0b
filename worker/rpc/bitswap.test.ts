import { expect, it } from 'vitest';
import { connect } from './connection/fake-connection.fixture.ts';

/** CIDs, with the results of the `cid` crate 0.11.3 and sc-rpc-spec-v2 0.62 for them. */
const refused: readonly (readonly [text: string, why: string])[] = [
  ['', 'Input too short'],
  ['x', 'Input too short'],
  ['/ipfs/b', 'Input too short'],
  ['Qm', 'Failed to parse multihash'],
  ['QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKLPj0', 'Failed to parse multihash'],
  ['bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d1', 'Failed to parse multihash'],
  ['f01551', 'Failed to parse multihash'],
  ['QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKLPjf', 'Only CIDv1 is supported'],
];

/** The bytes 0 to 31 as a digest: sha2-256 in each base, then keccak-256 and blake2b-256. */
const wellFormed = [
  'f01551220000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  'F01551220000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F',
  'bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4',
  'BAFKREIAAAEBAGBAFAYDQQCIKBMGA2DQPCAIREEYUCULBOGAZDINRYHI6D4',
  'zb2rhWeJ5rsKhbfi31kikfdS3hE2pvWzhW27Es4Jmc863vFdx',
  '/ipfs/bafkreiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4',
  'bafkrwiaaaebagbafaydqqcikbmga2dqpcaireeyuculbogazdinryhi6d4',
  'bafk2bzaceaaacaqdaqcqmbyibefawdanbyhraeiscmkbkfqxdamrugy4dupb6',
];

it.each(refused)('bitswap_v1_get refuses "%s": %s', async (text, why) => {
  expect(await connect().ask('bitswap_v1_get', [text])).toMatchObject({
    error: { code: -32602, message: `Invalid CID: ${why}`, data: { variant: 'InvalidCid' } },
  });
});

it.each(wellFormed)(
  'bitswap_v1_get finds nothing for %s, because no transaction is indexed',
  async (text) => {
    expect(await connect().ask('bitswap_v1_get', [text])).toMatchObject({
      error: { code: -32810, message: 'Transaction not found', data: { variant: 'NotFound' } },
    });
  },
);
