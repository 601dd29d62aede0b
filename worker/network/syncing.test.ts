import { expect, test } from 'vitest';
import { bytesToBlockHash } from '../codec/identity.ts';
import { createSyncing } from './syncing.ts';

const hash = bytesToBlockHash(new Uint8Array(32));
const at = (own: number, ...peers: readonly number[]) =>
  createSyncing({
    best: () => ({ hash, number: own }),
    peers: () => peers.map((number) => ({ best: { hash, number } })),
  });

test('a node is syncing when most of its peers are more than five blocks ahead', () => {
  const states = [
    at(10),
    at(10, 15),
    at(10, 16),
    at(10, 3),
    at(10, 10, 4_000_000_000, 10),
    at(10, 90, 10, 80),
  ];
  expect(states.map((one) => [one.highest(), one.isMajor()])).toEqual([
    [10, false],
    [15, false],
    [16, true],
    [10, false],
    [10, false],
    [80, true],
  ]);
});
