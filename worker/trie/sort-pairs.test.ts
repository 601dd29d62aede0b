import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesToKey, compareBytes } from '../bytes/bytes.ts';
import { sortPairs } from './sort-pairs.ts';

const key = fc.oneof(
  fc.uint8Array({ max: 1, maxLength: 5 }),
  fc.uint8Array({ maxLength: 3 }),
  fc.uint8Array({ max: 1, minLength: 20, maxLength: 21 }),
);

it('pairs are sorted by their keys, and of equal keys the last one is left', () => {
  const list = fc.array(fc.tuple(key, fc.uint8Array({ maxLength: 2 })), { maxLength: 300, size: 'max' });
  fc.assert(
    fc.property(list, (pairs) => {
      const last = new Map(pairs.map((pair) => [bytesToKey(pair[0]), pair]));
      expect(sortPairs(pairs)).toEqual([...last.values()].sort(([a], [b]) => compareBytes(a, b)));
    }),
    { numRuns: 500 },
  );
});
