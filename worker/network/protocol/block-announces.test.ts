import { expect, test } from 'vitest';
import { concatBytes } from '../../bytes/bytes.ts';
import { encodeHeader, type Header } from '../../codec/header.ts';
import { bytesToBlockHash } from '../../codec/identity.ts';
import {
  decodeAnnouncement,
  decodeRole,
  decodeStatus,
  encodeAnnouncement,
  encodeStatus,
} from './block-announces.ts';
import { protocolNames } from './names.ts';

const hash = (fill: number) => bytesToBlockHash(new Uint8Array(32).fill(fill));
const header: Header = {
  parentHash: new Uint8Array(32).fill(1),
  number: 70_000,
  stateRoot: new Uint8Array(32).fill(2),
  extrinsicsRoot: new Uint8Array(32).fill(3),
  digest: [],
};

test('a handshake is 69 bytes, and nothing else is one', () => {
  const status = { role: 'authority', best: { hash: hash(5), number: 9 }, genesis: hash(6) } as const;
  const bytes = encodeStatus(status);
  expect(bytes).toEqual(
    concatBytes(Uint8Array.of(4, 9, 0, 0, 0), new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)),
  );
  expect(decodeStatus(bytes)).toEqual(status);
  for (const wrong of [
    bytes.subarray(1),
    concatBytes(bytes, Uint8Array.of(0)),
    bytes.with(0, 0),
    bytes.with(0, 8),
  ])
    expect(decodeStatus(wrong)).toBeNull();
});

test('roles are bits: an authority is also a full node', () => {
  expect([1, 2, 3, 4, 5, 6, 0, 8, undefined].map(decodeRole)).toEqual([
    'full',
    'light',
    'full',
    'authority',
    'authority',
    'authority',
    null,
    null,
    null,
  ]);
});

test('an announcement may end after the header, or after its state, and has no data', () => {
  const bytes = encodeAnnouncement({ header, isBest: false });
  expect(decodeAnnouncement(bytes)).toEqual({ header, isBest: false });
  expect(decodeAnnouncement(encodeHeader(header))).toEqual({ header, isBest: true });
  expect(decodeAnnouncement(bytes.subarray(0, -1))).toEqual({ header, isBest: false });
  const data = concatBytes(bytes.subarray(0, -1), Uint8Array.of(8, 1, 2));
  expect(decodeAnnouncement(data)).toBeNull();
  for (const wrong of [
    concatBytes(bytes, Uint8Array.of(0)),
    bytes.with(bytes.length - 2, 2),
    bytes.subarray(0, 90),
  ])
    expect(decodeAnnouncement(wrong)).toBeNull();
});

test('names have the genesis hash, the fork id if there is one, and an older form', () => {
  const genesis = hash(0xab);
  const plain = { genesis, forkId: null, protocolId: null };
  expect(protocolNames(plain, 'sync/2')).toEqual([`/${'ab'.repeat(32)}/sync/2`, '/sup/sync/2']);
  expect(protocolNames({ ...plain, forkId: 'f', protocolId: 'dot' }, 'transactions/1')).toEqual([
    `/${'ab'.repeat(32)}/f/transactions/1`,
    '/dot/transactions/1',
  ]);
  expect(protocolNames(plain, 'grandpa/1')[1]).toBe('/paritytech/grandpa/1');
});
