import { expect, test } from 'vitest';
import { keepEarly, maxEarly, maxEarlyBytes, type VoteListeners } from './votes.ts';

test('of messages that wait for a voter the last are kept, by number and by size', () => {
  const early: VoteListeners['early'] = [];
  for (let nth = 0; nth < maxEarly + 5; nth++) keepEarly(early, ['a', Uint8Array.of(nth)]);
  expect([early.length, early[0]?.[1][0]]).toEqual([maxEarly, 5]);
  for (const nth of [200, 201, 202]) keepEarly(early, ['a', new Uint8Array(maxEarlyBytes / 2).fill(nth)]);
  expect(early.map(([, bytes]) => bytes[0])).toEqual([201, 202]);
});
