import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHashMemo } from './hash-memo.ts';

test('returns the same hash, and computes it once as long as it is remembered', () => {
  let asked = 0;
  const hash = (data: Uint8Array) => {
    asked++;
    return Uint8Array.from([data.length, ...data]);
  };
  const memo = createHashMemo(hash);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (data) => {
      expect(memo(data)).toEqual(hash(data));
    }),
  );
  asked = 0;
  const data = Uint8Array.of(1, 2, 3);
  memo(data);
  const before = asked;
  data[0] = 9;
  expect(memo(Uint8Array.of(1, 2, 3))).toEqual(Uint8Array.of(3, 1, 2, 3));
  expect(asked).toBe(before);
  expect(memo(data)).toEqual(Uint8Array.of(3, 9, 2, 3));
});
