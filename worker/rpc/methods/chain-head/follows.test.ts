import { expect, it } from 'vitest';
import type { BlockHash } from '../../../codec/identity.ts';
import { createFollows, type Follow, type FollowEvent } from './follows.ts';

/** Follows that share the pin limit, with a clock controlled by the test. */
const open = () => {
  let now = 0;
  const discarded: string[] = [];
  let keep = async (_hashes: readonly BlockHash[]): Promise<ReadonlySet<BlockHash>> => new Set();
  let pinned: () => Iterable<{ readonly number: number }> = () => [];
  const chain = {
    keepPruned: (next: typeof keep) => {
      keep = next;
    },
    pinStates: async (next: typeof pinned) => {
      pinned = next;
    },
    discard: async (hashes: readonly BlockHash[]) => void discarded.push(...hashes),
  };
  const follows = createFollows(chain, () => now);
  const start = (connection: number): { follow: Follow; told: FollowEvent[]; id: string } => {
    const told: FollowEvent[] = [];
    const id = `${Math.random()}`;
    const sink = { id, emit: (event: FollowEvent) => void told.push(event), end: () => undefined };
    return {
      follow: follows.open(connection, true, { ...sink, flush: () => undefined, isBlocked: () => false }),
      told,
      id,
    };
  };
  return {
    follows,
    start,
    discarded,
    wait: (ms: number) => {
      now += ms;
    },
    states: () => [...pinned()].map(({ number }) => number),
    prune: (...hashes: BlockHash[]) => keep(hashes),
  };
};

const hash = (number: number): BlockHash => `0x${number.toString(16).padStart(64, '0')}` as BlockHash;
const block = (number: number) => ({ hash: hash(number), number });
const stop = { event: 'stop' };

it('stops follows with old pins when 512 blocks are pinned, and all follows if that is not enough', () => {
  const { start, wait } = open();
  const old = start(1);
  old.follow.pin(block(1));
  wait(60_001);
  const young = start(2);
  for (let i = 1; i <= 512; i++) young.follow.pin(block(i));
  expect([old.told, young.told]).toEqual([[], []]);
  young.follow.pin(block(513));
  expect([old.told, young.told]).toEqual([[stop], [stop]]);
  const [another, last] = [start(1), start(2)];
  another.follow.pin(block(0));
  wait(60_001);
  for (let i = 1; i <= 512; i++) last.follow.pin(block(i));
  // Stopping the old follow freed the room: nothing else had pinned its block.
  expect([another.told, last.told]).toEqual([[stop], []]);
  expect([another.follow.has(hash(0)), last.follow.has(hash(512))]).toEqual([false, true]);
});

it('belongs to its connection, which may have four', () => {
  const { follows, start } = open();
  const { id, follow } = start(1);
  expect([follows.find(1, id), follows.find(2, id)]).toEqual([follow, null]);
  for (let i = 0; i < 3; i++) start(1);
  expect(() => start(1)).toThrow('Maximum number of chainHead_follow has been reached');
  start(2);
  follow.close();
  expect(follows.find(1, id)).toBe(null);
  start(1);
});

it('keeps a pruned block until its last pin and its last operation are gone', async () => {
  const { start, prune, discarded, states } = open();
  const [one, two] = [start(1).follow, start(2).follow];
  for (const follow of [one, two]) follow.pin(block(1));
  one.pin(block(2));
  expect(await prune(hash(1), hash(3))).toEqual(new Set([hash(1)]));
  const operation = one.begin(hash(1), 3) as string;
  expect(states()).toEqual([1, 2]);
  one.unpin([hash(1), hash(2)]);
  two.close();
  expect([states(), discarded]).toEqual([[1], []]);
  one.finish(operation);
  expect(states()).toEqual([]);
  expect(discarded).toEqual([hash(1)]);
});

it('allows 16 items at the same time', () => {
  const { start } = open();
  const { follow } = start(1);
  expect([follow.begin(hash(1), 15), follow.begin(hash(1), 5), follow.begin(hash(1), 1)]).toEqual([
    '0',
    '1',
    null,
  ]);
  expect(follow.begin(hash(1), 0)).toBe(null);
  follow.finish('0');
  follow.finish('0');
  expect([follow.isRunning('0'), follow.isRunning('1')]).toEqual([false, true]);
  expect([follow.begin(hash(1), 20), follow.begin(hash(1), 1)]).toEqual(['2', null]);
});
