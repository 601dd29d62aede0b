import { expect, test } from 'vitest';
import { reputationChanges } from '../reputation-changes.ts';
import type { Member } from './members.ts';
import { createReputations } from './reputation.ts';

/** Reputations of peers that are all connected. `closed`: those that were disconnected. */
const create = (now: () => number = () => 0) => {
  const closed: string[] = [];
  const get = (id: string) => ({ connection: { close: () => void closed.push(id) } }) as unknown as Member;
  return { closed, ...createReputations({ get }, now) };
};

test('a reputation fades by half in 139 seconds, and a ban ends after 69', () => {
  let nowMs = 0;
  const { rate, of, isBanned } = create(() => nowMs);
  rate('a', -10_000);
  nowMs = 138_300;
  expect(Math.abs(of('a') + 5000)).toBeLessThan(5);
  rate('b', reputationChanges.fatal);
  expect([of('b'), isBanned('b')]).toEqual([-0x8000_0000, true]);
  nowMs += 68_000;
  expect(isBanned('b')).toBe(true);
  nowMs += 1000;
  expect(isBanned('b')).toBe(false);
});

test('three bad blocks are a ban, two are not; nothing goes beyond 32 bits', () => {
  const { rate, of, closed } = create();
  for (const isLast of [false, false, true]) {
    rate('a', reputationChanges.badBlock);
    expect(closed).toEqual(isLast ? ['a'] : []);
  }
  for (let count = 0; count < 9; count++) rate('a', reputationChanges.fatal);
  expect(of('a')).toBe(-0x8000_0000);
  for (let count = 0; count < 9; count++) rate('b', 0x7fff_ffff);
  expect(of('b')).toBe(0x7fff_ffff);
  expect(of('unknown')).toBe(0);
});

test('a peer that is punished is disconnected even if it is not banned', () => {
  const { punish, isBanned, closed } = create();
  punish('a', reputationChanges.timeout);
  expect([isBanned('a'), closed]).toEqual([false, ['a']]);
});
