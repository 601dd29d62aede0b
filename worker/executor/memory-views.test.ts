import { expect, test } from 'vitest';
import { createViews, pageBytes } from './memory-views.ts';

test('a part shows the memory as it is, whatever was asked for at its address before', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const views = createViews();
  views.attach(memory);
  views.bytes().set([1, 2, 3, 4, 5, 6, 7, 8], 16);
  expect([...views.part(16, 4)]).toEqual([1, 2, 3, 4]);
  expect([...views.part(16, 2)]).toEqual([1, 2]);
  expect(views.part(16, 4)).toBe(views.part(16, 4));
  views.bytes()[16] = 9;
  expect([...views.part(16, 4)]).toEqual([9, 2, 3, 4]);
  // Another address with the same place in the list of views.
  expect([...views.part(16 + 8 * 1024, 4)]).toEqual([0, 0, 0, 0]);
  expect([...views.part(16, 4)]).toEqual([9, 2, 3, 4]);
  expect(views.part(0, 0)).toHaveLength(0);
});

test('parts follow a memory that grew, by the host or by its code', () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 16 });
  const views = createViews();
  views.attach(memory);
  const before = views.part(8, 4);
  expect(views.growTo(2)).toBe(true);
  expect(before).toHaveLength(0);
  views.bytes()[8] = 7;
  expect([...views.part(8, 4)]).toEqual([7, 0, 0, 0]);
  memory.grow(1);
  expect(views.bytes()).toHaveLength(memory.buffer.byteLength);
  expect([...views.part(8, 4)]).toEqual([7, 0, 0, 0]);
  expect(views.part(memory.buffer.byteLength - pageBytes, pageBytes)).toHaveLength(pageBytes);
});
