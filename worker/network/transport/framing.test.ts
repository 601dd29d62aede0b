import { describe, expect, test } from 'vitest';
import { concatBytes, noBytes } from '../../bytes/bytes.ts';
import { createDeframer, type Deframer, encodeVarint, withLength } from './framing.ts';
import { everySplit } from './splits.fixture.ts';

const readAll = (deframer: Deframer, pieces: Iterable<Uint8Array>): Uint8Array[] => {
  const messages: Uint8Array[] = [];
  for (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      at = deframer.read(piece, at);
      const message = deframer.take();
      if (message !== null) messages.push(message);
    }
  return messages;
};

describe('messages with a length before them', () => {
  test('are whole, wherever their bytes are cut', () => {
    const messages = [noBytes, Uint8Array.of(1, 2, 3), noBytes, new Uint8Array(200).fill(9)];
    const bytes = concatBytes(...messages.map(withLength));
    for (const pieces of everySplit(bytes)) {
      const deframer = createDeframer('length', 200);
      expect(readAll(deframer, pieces)).toEqual(messages);
      expect(deframer.isInside()).toBe(false);
    }
  });

  test('keep their own buffer, and tell what is missing', () => {
    const deframer = createDeframer('length', 1000);
    const bytes = withLength(new Uint8Array(600).fill(5));
    expect(readAll(deframer, [bytes.subarray(0, 1)])).toEqual([]);
    expect([deframer.isInside(), deframer.missing()]).toEqual([true, 0]);
    readAll(deframer, [bytes.subarray(1, 102)]);
    expect([deframer.isInside(), deframer.missing()]).toEqual([true, 500]);
    const [message] = readAll(deframer, [bytes.subarray(102)]);
    bytes.fill(0);
    expect(message).toEqual(new Uint8Array(600).fill(5));
    expect(message?.buffer.byteLength).toBe(600);
    expect([deframer.isInside(), deframer.missing()]).toEqual([false, 0]);
  });

  test.each([
    ['too large', withLength(new Uint8Array(201)).subarray(0, 2), /more than 200 bytes/],
    ['far too large', Uint8Array.of(255, 255, 255, 127), /more than 200 bytes/],
    ['endless', Uint8Array.of(128, 128, 128, 128), /more than 200 bytes/],
    ['not in the shortest form', Uint8Array.of(129, 0), /shortest form/],
  ])('are refused by their length: %s', (_name, bytes, message) => {
    expect(() => readAll(createDeframer('length', 200), [bytes])).toThrow(message);
    expect(() =>
      readAll(
        createDeframer('length', 200),
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toThrow(message);
  });

  test('take memory as they arrive, not as they announce, and return it', () => {
    let held = 0;
    let most = 0;
    const deframer = createDeframer('length', 2 ** 24, (bytes) => {
      held += bytes;
      most = Math.max(most, held);
    });
    readAll(deframer, [encodeVarint(2 ** 24), new Uint8Array(100)]);
    expect(held).toBeGreaterThanOrEqual(100);
    expect(held).toBeLessThanOrEqual(16 * 1024);
    readAll(deframer, [new Uint8Array(2 ** 20)]);
    expect(held).toBeLessThan(2 ** 21);
    deframer.drop();
    expect(held).toBe(0);
    expect(deframer.isInside()).toBe(false);
    expect(readAll(deframer, [withLength(new Uint8Array(2 ** 20))])).toHaveLength(1);
    expect(held).toBe(0);
    expect(most).toBeLessThan(2 ** 21);
  });
});

test('messages of a fixed size are whole, wherever their bytes are cut', () => {
  const bytes = Uint8Array.from({ length: 96 }, (_, index) => index);
  const messages = [bytes.slice(0, 32), bytes.slice(32, 64), bytes.slice(64)];
  for (const pieces of everySplit(bytes))
    expect(readAll(createDeframer({ fixed: 32 }, 32), pieces)).toEqual(messages);
  const deframer = createDeframer({ fixed: 32 }, 32);
  expect(deframer.isInside()).toBe(false);
  readAll(deframer, [bytes.subarray(0, 31)]);
  expect(deframer.isInside()).toBe(true);
});

test.each([
  [0, [0]],
  [127, [127]],
  [128, [128, 1]],
  [2 ** 24, [128, 128, 128, 8]],
  [2 ** 32 - 1, [255, 255, 255, 255, 15]],
])('%d is written in LEB128', (value, bytes) => {
  expect([...encodeVarint(value)]).toEqual(bytes);
});
