import { expect, test } from 'vitest';
import { findGrowth } from '../../bench/network/growth.ts';

const memory = { factor: 1.05, amount: 5 };
const series = (count: number, valueAt: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => valueAt(index));

test('what grows to the end of a soak is found, what fills up or jumps once is not', () => {
  expect(
    findGrowth(
      'Memory',
      series(60, (at) => 100 + at),
      memory,
    ),
  ).toBe('Memory has grown from 122.0 to 152.0');
  expect(
    findGrowth(
      'Memory',
      series(60, (at) => 100 + Math.min(at, 15) * 3),
      memory,
    ),
  ).toBeNull();
  expect(
    findGrowth(
      'Memory',
      series(60, (at) => (at === 55 ? 500 : 100)),
      memory,
    ),
  ).toBeNull();
});

test('a few values say nothing', () => {
  expect(findGrowth('Memory', [1, 1, 1, 1, 1, 1, 100], memory)).toBeNull();
  expect(findGrowth('Memory', [1, 1, 1, 1, 1, 1, 100, 100], memory)).toMatch(/^Memory has grown/);
});
