import { expect, test } from 'vitest';
import { prices } from '../prices.ts';
import { createReputations } from './reputation.ts';

test('a reputation fades by half in 139 seconds, and a ban ends after 69', () => {
  let nowMs = 0;
  const reputations = createReputations(() => nowMs);
  reputations.change('a', -10_000);
  nowMs = 138_300;
  expect(Math.abs(reputations.of('a') + 5000)).toBeLessThan(5);
  expect(reputations.change('b', prices.fatal)).toBe(true);
  expect(reputations.of('b')).toBe(-0x8000_0000);
  nowMs += 68_000;
  expect(reputations.isBanned('b')).toBe(true);
  nowMs += 1000;
  expect(reputations.isBanned('b')).toBe(false);
});

test('three bad blocks are a ban, two are not; nothing goes beyond 32 bits', () => {
  const reputations = createReputations(() => 0);
  expect([1, 2, 3].map(() => reputations.change('a', prices.badBlock))).toEqual([false, false, true]);
  for (let count = 0; count < 9; count++) reputations.change('a', prices.fatal);
  expect(reputations.of('a')).toBe(-0x8000_0000);
  for (let count = 0; count < 9; count++) reputations.change('b', 0x7fff_ffff);
  expect(reputations.of('b')).toBe(0x7fff_ffff);
  expect(reputations.of('unknown')).toBe(0);
});
