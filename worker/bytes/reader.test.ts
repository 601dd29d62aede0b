import fc from 'fast-check';
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
  ])('reads %s', (hex, value) => expect(compactBig(hex)).toBe(value));

  // parity-scale-codec: "out of range decoding Compact".
  it.each([
    '0x0100',
    '0xfd00',
    '0x02000000',
    '0xfeff0000',
    '0x03ffffff3f',
    '0x07ffffffff00',
    '0x130000000000000000',
  ])('refuses %s, which fits into fewer bytes', (hex) =>
    expect(() => compactBig(hex)).toThrow(expect.objectContaining({ code: 'BadScale' })),
  );

  it('refuses more than a u64', () =>
    expect(() => compactBig('0x17ffffffffffffffffff')).toThrow(
      expect.objectContaining({ code: 'BadScale' }),
    ));

  it('reads what the writer writes', () => {
    for (const value of [0, 1, 63, 64, 16_383, 16_384, 2 ** 30 - 1, 2 ** 30, 2 ** 32 - 1])
      expect(new Reader(new Writer().compact(value).finish()).compact()).toBe(value);
  });
});

describe('text', () => {
  it('is read as UTF-8', () =>
    expect(new Reader(new Writer().vecBytes(Uint8Array.of(0xc3, 0xa9)).finish()).text()).toBe('é'));

  it('refuses text that is not UTF-8', () =>
    expect(() => new Reader(Uint8Array.of(8, 0xff, 0xfe)).text()).toThrow(
      expect.objectContaining({ code: 'BadScale' }),
    ));
});

/** Each primitive by its definition, over an iterator of bytes. Throws if a read fails. */
const naive = (bytes: readonly number[]) => {
  const rest = [...bytes];
  const take = (length: number): number[] => {
    if (length > rest.length) throw new Error('short');
    return rest.splice(0, length);
  };
  const little = (length: number): bigint =>
    take(length).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  const compactBig = (): bigint => {
    const first = BigInt(take(1)[0] as number);
    const mode = Number(first % 4n);
    const more = mode === 3 ? Number(first / 4n) + 4 : [0, 1, 3][mode];
    if (more === undefined || more > 8) throw new Error('range');
    const value = mode === 3 ? little(more) : (first + 256n * little(more)) / 4n;
    if (new Writer().compact(value).finish().length !== more + 1) throw new Error('not canonical');
    return value;
  };
  const compact = (): number => {
    const value = compactBig();
    if (value >= 2n ** 32n) throw new Error('range');
    return Number(value);
  };
  return {
    u8: () => Number(little(1)),
    u16: () => Number(little(2)),
    u32: () => Number(little(4)),
    u64: () => little(8),
    u128: () => little(16),
    compactBig,
    compact,
    vecBytes: () => Uint8Array.from(take(compact())),
    remaining: () => rest.length,
  };
};

describe('the reader', () => {
  const read = fc.constantFrom('u8', 'u16', 'u32', 'u64', 'u128', 'compactBig', 'compact', 'vecBytes');
  // Numbers in each compact mode, canonical or not, are more frequent than in random bytes.
  const some = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new Writer().compact(value).finish()),
    fc.nat(2 ** 31).map((value) => new Writer().compact(value).finish()),
    fc.nat(300).map((value) => new Writer().u32(value * 4 + 2).finish()),
    fc.nat(300).map((value) => new Writer().u8(3).u32(value).finish()),
    fc.nat(30).map((value) => new Writer().u16(value * 4 + 1).finish()),
  );
  it('reads like the definition, and fails where it fails', () => {
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), fc.array(read, { maxLength: 12 }), (parts, reads) => {
        const bytes = parts.flatMap((part) => [...part]);
        // Placed between other bytes, so that an index from the wrong start is detected.
        const reader = new Reader(Uint8Array.from([9, 9, 9, ...bytes]).subarray(1), 2);
        const expected = naive(bytes);
        for (const name of reads) {
          let value: unknown;
          try {
            value = expected[name]();
          } catch {
            expect(() => reader[name]()).toThrow(expect.objectContaining({ code: 'BadScale' }));
            return;
          }
          expect(reader[name]()).toEqual(value);
          expect(reader.remaining).toBe(expected.remaining());
        }
      }),
      { seed: 6, numRuns: 2000 },
    );
  });
});
