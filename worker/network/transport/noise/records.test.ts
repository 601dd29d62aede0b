import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../../test/rigs/random.ts';
import { concatBytes, noBytes } from '../../../bytes/bytes.ts';
import { cutInto, everySplit } from '../splits.fixture.ts';
import {
  createMessageReader,
  createRecordOpener,
  createRecordWriter,
  fillWith,
  withNoiseLength,
} from './records.ts';

const key = new Uint8Array(32).fill(3);

const createReader = () => {
  const messages = createMessageReader();
  const open = createRecordOpener(key);
  return (pieces: Iterable<Uint8Array>): Uint8Array => {
    const plain: Uint8Array[] = [];
    for (const piece of pieces) messages.read(piece, (message) => plain.push(open(message).slice()));
    return concatBytes(...plain);
  };
};

/** Writes bytes as a queue would, which does not know the spaces. */
const fillFrom = (bytes: Uint8Array) => {
  let taken = 0;
  return (target: Uint8Array, at: number, end: number): number => {
    const part = bytes.subarray(taken, taken + end - at);
    target.set(part, at);
    taken += part.length;
    return at + part.length;
  };
};

/** All that is written, in the pieces that leave at once. */
const writeAll = (bytes: Uint8Array): Uint8Array[] => {
  const { write } = createRecordWriter(key);
  const fill = fillFrom(bytes);
  const pieces: Uint8Array[] = [];
  for (let piece = write(fill); piece !== null; piece = write(fill)) pieces.push(piece);
  return pieces;
};

describe('encrypted messages', () => {
  test('are whole, wherever their bytes are cut', () => {
    const { write } = createRecordWriter(key);
    const parts = [Uint8Array.of(1), new Uint8Array(40).fill(2), Uint8Array.of(3, 4)];
    const bytes = concatBytes(...parts.map((part) => write(fillWith(part)) ?? noBytes));
    for (const pieces of everySplit(bytes)) expect(createReader()(pieces)).toEqual(concatBytes(...parts));
  });

  test('carry any amount, in pieces that other nodes take', () => {
    const random = createRandom(5);
    for (const size of [1, 4078, 4079, 65_518, 65_519, 131_036, 1_000_000]) {
      const bytes = Uint8Array.from({ length: size }, () => random() * 256);
      const pieces = writeAll(bytes);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(2 * 65_536);
      expect(createReader()(pieces)).toEqual(bytes);
      expect(createReader()(cutInto(1, 60_000, 7, 131_072)(concatBytes(...pieces)))).toEqual(bytes);
    }
    expect(writeAll(noBytes)).toEqual([]);
  });

  test('that leave are not changed by later ones', () => {
    const { write } = createRecordWriter(key);
    const first = write(fillWith(Uint8Array.of(1, 2, 3))) ?? noBytes;
    const copy = first.slice();
    write(fillWith(Uint8Array.of(4, 5, 6)));
    expect(first).toEqual(copy);
  });

  test('are refused when they were altered, repeated, left out, too short or in another order', () => {
    const { write } = createRecordWriter(key);
    const records = [1, 2, 3].map((value) => write(fillWith(Uint8Array.of(value))) ?? noBytes);
    const [first = noBytes, second = noBytes] = records;
    for (let at = 2; at < first.length; at++) {
      const altered = first.slice();
      altered[at] = (altered[at] as number) ^ 128;
      expect(() => createReader()([altered])).toThrow(/was altered/);
    }
    expect(() => createReader()([first, first])).toThrow(/was altered/);
    expect(() => createReader()([second, first])).toThrow(/was altered/);
    expect(() => createReader()([first, ...records.slice(2)])).toThrow(/was altered/);
    for (let length = 0; length < 16; length++)
      expect(() => createReader()([withNoiseLength(new Uint8Array(length))])).toThrow(/too short/);
  });
});
