import { expect, test } from 'vitest';
import { createRandom } from '../../../test/rigs/random.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { createDownload, type Range } from './download.ts';
import type { Downloaded } from './response.ts';

const hashOf = (number: number, branch = 0): BlockHash =>
  bytesToBlockHash(
    new Uint8Array(32)
      .fill(branch)
      .with(0, number & 0xff)
      .with(1, number >> 8),
  );

const blocksOf = ({ first, last }: Range, peer: string, branch = 0): Downloaded[] =>
  Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index;
    const parent = hashOf(number - 1, branch);
    return { hash: hashOf(number, branch), number, parent, peer, bytes: 1, block: null as never };
  });

const base = { hash: hashOf(0), number: 0 };

test('several peers fill one chain in order, whatever each sends, and when', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const target = 1 + below(1000);
    const download = createDownload({ id: 'target', onOtherFork: new Set() }, base, target);
    const peers = ['target', 'fast', 'short', 'foreign'];
    const asked = new Map<string, Range>();
    const taken: number[] = [];
    for (let turn = 0; !download.isDone(); turn++) {
      expect(turn).toBeLessThan(20_000);
      const peer = peers[below(peers.length)] as string;
      const range = asked.get(peer) ?? download.next(peer, peer === 'fast' ? below(target + 1) : target, 64);
      if (range === null) continue;
      if (!asked.has(peer)) {
        asked.set(peer, range);
        continue;
      }
      asked.delete(peer);
      if (random() < 0.2) download.release(peer);
      else {
        const length = 1 + below(range.last - range.first + 1);
        const blocks = blocksOf(range, peer, peer === 'foreign' ? 9 : 0);
        download.received(range, peer === 'short' ? blocks.slice(0, length) : blocks);
      }
      for (const { number, hash } of download.take()) {
        expect(hash).toBe(hashOf(number));
        taken.push(number);
      }
    }
    expect(taken).toEqual(Array.from({ length: target }, (_, index) => index + 1));
    expect(download.count()).toBe(0);
    expect(download.isBroken()).toBe(false);
  }
});

test('a target peer whose chain has changed breaks the download', () => {
  const download = createDownload({ id: 'target', onOtherFork: new Set() }, base, 10);
  const first = download.next('target', 10, 5) as Range;
  download.received(first, blocksOf(first, 'target'));
  expect(download.take()).toHaveLength(5);
  const second = download.next('target', 10, 5) as Range;
  expect(second).toEqual({ first: 6, last: 10 });
  download.received(second, blocksOf(second, 'target', 7));
  expect(download.take()).toEqual([]);
  expect(download.isBroken()).toBe(true);
});

test('a later block of the target peer extends it; what is under way and held is counted', () => {
  const download = createDownload({ id: 'target', onOtherFork: new Set() }, base, 10);
  const first = download.next('target', 20, 64) as Range;
  expect(first).toEqual({ first: 1, last: 10 });
  expect(download.next('other', 20, 64)).toBeNull();
  download.extend(20);
  const second = download.next('other', 20, 64) as Range;
  download.received(second, blocksOf(second, 'other'));
  expect([download.count(), download.heldBytes(), download.take()]).toEqual([20, 10, []]);
  // A response that is late changes nothing.
  download.received(second, blocksOf(second, 'other', 3));
  download.received(first, blocksOf(first, 'target'));
  expect(download.take().map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});
