import { expect, test } from 'vitest';
import { FreezableList } from './freezable-list.svelte.ts';

test('a list that is paused or held stays as it is, and counts what was added since', () => {
  const list: string[] = ['a'];
  const tail = new FreezableList(() => ({ list, total: list.length }));
  tail.hold(true);
  list.push('b', 'c');
  expect([tail.list, tail.waiting, tail.since]).toEqual([['a'], 2, 1]);
  tail.pause(true);
  tail.hold(false);
  expect([tail.list, tail.paused, tail.still]).toEqual([['a'], true, true]);
  tail.clear();
  expect([tail.list, tail.waiting]).toEqual([[], 0]);
  tail.pause(false);
  expect([tail.list, tail.waiting, tail.since]).toEqual([['a', 'b', 'c'], 0, null]);
});
