import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeFields, encodeFields } from '../transport/protobuf.ts';
import { maxKademliaBytes, respondKademlia } from './kademlia.ts';

const peerOf = (seed: number, addresses = 1, addressBytes = 8) => ({
  id: new Uint8Array(38).fill(seed),
  addresses: Array.from({ length: addresses }, () => new Uint8Array(addressBytes).fill(4)),
});

const typed = (type: number): Uint8Array => encodeFields([1, type], [2, new Uint8Array(32).fill(9)]);
const peersIn = (response: Uint8Array | null) =>
  decodeFields(response ?? new Uint8Array(0))
    .all(8)
    .map((peer) => decodeFields(peer));

test.each([
  ['a node', 4],
  ['a value', 1],
  ['providers', 3],
])('a search for %s is told peers that can be dialled', (_what, type) => {
  const response = respondKademlia(typed(type), () => [peerOf(1), peerOf(2, 2)]);
  expect(decodeFields(response ?? new Uint8Array(0)).number(1)).toBe(type);
  const peers = peersIn(response);
  const found = peers.map((peer) => [peer.bytes(1)[0], peer.all(2).length]);
  expect(found.sort()).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(peers.map((peer) => peer.number(3))).toEqual([1, 1]);
});

test('of many peers the 20 closest to the key are named, the closest first', () => {
  const hash = (bytes: Uint8Array): bigint => BigInt(`0x${createHash('sha256').update(bytes).digest('hex')}`);
  const distance = (seed: number): bigint => hash(peerOf(seed).id) ^ hash(new Uint8Array(32).fill(9));
  const seeds = Array.from({ length: 100 }, (_, seed) => seed);
  const response = respondKademlia(typed(4), () => seeds.map((seed) => peerOf(seed)));
  const closest = [...seeds].sort((a, b) => (distance(a) < distance(b) ? -1 : 1)).slice(0, 20);
  expect(peersIn(response).map((peer) => peer.bytes(1)[0])).toEqual(closest);
});

test('with nobody to name, the response is well-formed and empty', () => {
  expect(respondKademlia(typed(4), () => [])).toEqual(encodeFields([1, 4]));
  expect(respondKademlia(typed(5), () => [peerOf(1)])).toEqual(encodeFields([1, 5]));
});

test('what would be stored, is unknown or no message gets no response', () => {
  const requests = [typed(0), typed(2), typed(6), new Uint8Array(0), new Uint8Array(20).fill(255)];
  for (const request of requests) expect(respondKademlia(request, () => [peerOf(1)])).toBeNull();
});

test('a response stays below the limit, however many peers there are and whatever they say', () => {
  const many = Array.from({ length: 200 }, (_, seed) => peerOf(seed & 255, 50, 256));
  const response = respondKademlia(typed(4), () => [peerOf(0, 1, 257), ...many]);
  expect(response?.length).toBeLessThan(maxKademliaBytes);
  const peers = peersIn(response);
  expect(peers).toHaveLength(20);
  for (const peer of peers) expect(peer.all(2)).toHaveLength(peer.bytes(1)[0] === 0 ? 0 : 8);
});
