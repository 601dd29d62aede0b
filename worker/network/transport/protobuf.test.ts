import { expect, test } from 'vitest';
import { concatBytes, noBytes } from '../../bytes/bytes.ts';
import { decodeFields, encodeFields } from './protobuf.ts';

test('a message is what was written; what is absent has the default value', () => {
  const bytes = encodeFields([1, 19 * 2 ** 24], [3, Uint8Array.of(5)], [3, noBytes], [7, 1], [7, 2]);
  const fields = decodeFields(bytes);
  expect([fields.number(1), fields.all(3), fields.bytes(3), fields.number(7)]).toEqual([
    19 * 2 ** 24,
    [Uint8Array.of(5), noBytes],
    noBytes,
    2,
  ]);
  expect([fields.has(2), fields.number(2), fields.bytes(2), fields.all(2), fields.bytes(1)]).toEqual([
    ...[false, 0, noBytes, [], noBytes],
  ]);
});

test('fields of fixed size are skipped', () => {
  const fixed = Uint8Array.of((4 << 3) | 1, 1, 2, 3, 4, 5, 6, 7, 8, (5 << 3) | 5, 1, 2, 3, 4);
  const fields = decodeFields(concatBytes(fixed, encodeFields([6, 9])));
  expect([fields.has(4), fields.has(5), fields.number(6)]).toEqual([false, false, 9]);
});

test('one that is cut anywhere but between fields is none', () => {
  const parts = [encodeFields([1, 300]), encodeFields([2, new Uint8Array(200)])];
  const whole = concatBytes(...parts);
  const between = [0, parts[0]?.length, whole.length];
  for (let at = 0; at <= whole.length; at++) {
    const read = () => decodeFields(whole.subarray(0, at));
    if (between.includes(at)) expect(read).not.toThrow();
    else expect(read).toThrow(/ends too early/);
  }
});

test.each([
  ['a number that does not end', [8, ...Array<number>(10).fill(128)], /does not end/],
  ['a group', [11, 12], /wire type 3/],
  ['field 0', [0, 1], /field 0/],
  ['a length beyond any memory', [10, ...Array<number>(9).fill(255), 1], /ends too early/],
])('%s is refused', (_name, bytes, message) => {
  expect(() => decodeFields(Uint8Array.from(bytes))).toThrow(message);
});

test('more fields than any message has are not read', () => {
  const empty = new Uint8Array(2 * (2 ** 18 + 1)).map((_, index) => (index % 2 === 0 ? 10 : 0));
  expect(decodeFields(empty.subarray(2)).all(1)).toHaveLength(2 ** 18);
  expect(() => decodeFields(empty)).toThrow(/more than 262144 fields/);
});
