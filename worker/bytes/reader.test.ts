import { describe, expect, it } from 'vitest';
import { hexToBytes } from './hex.ts';
import { Reader } from './reader.ts';
import { Writer } from './writer.ts';

const compactBig = (hex: string): bigint => {
  const reader = new Reader(hexToBytes(hex));
  const value = reader.compactBig();
  reader.end();
  return value;
};

describe('compact numbers', () => {
  it.each([
    ['0x00', 0n],
    ['0xfc', 63n],
    ['0x0101', 64n],
    ['0xfdff', 16_383n],
    ['0x02000100', 16_384n],
    ['0xfeffffff', 2n ** 30n - 1n],
    ['0x0300000040', 2n ** 30n],
    ['0x03ffffffff', 2n ** 32n - 1n],
    ['0x070000000001', 2n ** 32n],
    ['0x13ffffffffffffffff', 2n ** 64n - 1n],
  ])('%s is read', (hex, value) => expect(compactBig(hex)).toBe(value));

  // parity-scale-codec: "out of range decoding Compact".
  it.each([
    '0x0100',
    '0xfd00',
    '0x02000000',
    '0xfeff0000',
    '0x03ffffff3f',
    '0x07ffffffff00',
    '0x130000000000000000',
  ])('%s, which fewer bytes would hold, is refused', (hex) =>
    expect(() => compactBig(hex)).toThrow(expect.objectContaining({ code: 'BadScale' })),
  );

  it('more than a u64 is refused', () =>
    expect(() => compactBig('0x17ffffffffffffffffff')).toThrow(
      expect.objectContaining({ code: 'BadScale' }),
    ));

  it('what the writer writes is read', () => {
    for (const value of [0, 1, 63, 64, 16_383, 16_384, 2 ** 30 - 1, 2 ** 30, 2 ** 32 - 1])
      expect(new Reader(new Writer().compact(value).finish()).compact()).toBe(value);
  });
});

describe('text', () => {
  it('is read as UTF-8', () =>
    expect(new Reader(new Writer().vecBytes(Uint8Array.of(0xc3, 0xa9)).finish()).text()).toBe('é'));

  it('that is no UTF-8 does not decode', () =>
    expect(() => new Reader(Uint8Array.of(8, 0xff, 0xfe)).text()).toThrow(
      expect.objectContaining({ code: 'BadScale' }),
    ));
});
