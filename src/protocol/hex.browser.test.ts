import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToDigits, digitsToBytes } from './hex.ts';

const naive = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

describe('hexadecimal text', () => {
  it('encodes and decodes any bytes, in either case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const digits = naive(bytes);
        expect(bytesToDigits(bytes)).toBe(digits);
        expect(digitsToBytes(digits, 0)).toEqual(bytes);
        expect(digitsToBytes(`0x${digits.toUpperCase()}`, 2)).toEqual(bytes);
      }),
    );
  });

  it('rejects any length with one wrong character', () => {
    fc.assert(
      fc.property(
        fc.nat(1200),
        fc.nat(),
        fc.constantFrom('g', ' ', '\u0130', '\u0661'),
        (length, at, wrong) => {
          const digits = 'a7'.repeat(length + 1);
          const from = at % digits.length;
          expect(digitsToBytes(digits, 0)).toEqual(new Uint8Array(length + 1).fill(0xa7));
          expect(digitsToBytes(digits.slice(0, from) + wrong + digits.slice(from + 1), 0)).toBeNull();
        },
      ),
    );
  });

  it('adds a leading zero to an odd number of digits', () => {
    expect(digitsToBytes('0xabc', 2)).toEqual(Uint8Array.of(0x0a, 0xbc));
    expect(digitsToBytes('', 0)).toEqual(new Uint8Array(0));
  });

  it.each(['0g', 'g0', 'abc ', ' a', '0x0x', 'a\u0130', '1\u{1F600}', '\u0661\u0661', 'g'])(
    'refuses %j',
    (text) => {
      expect(digitsToBytes(text, 0)).toBeNull();
    },
  );
});
