import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeOut } from '../../../src/scale/encode.ts';
import { amountText, readAmount, shortAmount } from './amount.ts';

const unit = fc.record({ decimals: fc.nat(36), symbol: fc.constantFrom('UNIT', 'DOT', 'm', 'XP') });
const value = fc.bigInt(0n, 2n ** 128n - 1n).chain((max) => fc.constantFrom(max, max % 10n ** 7n));

test('an amount that is shown can be entered: with every digit as itself, a short one as what it shows', () => {
  fc.assert(
    fc.property(value, unit, (of, token) => {
      expect(readAmount(amountText(of, token), token).amount).toBe(of);
      const short = shortAmount(of, token);
      const { amount } = readAmount(short, token);
      expect(amount).not.toBeNull();
      expect(amount).toBeLessThanOrEqual(of);
      expect(shortAmount(amount ?? -1n, token)).toBe(short);
    }),
  );
});

test('an amount may have a prefix, and is exact', () => {
  const read = (text: string, decimals = 12) => readAmount(text, { decimals, symbol: 'UNIT' });
  expect(read('5 mUNIT').amount).toBe(5_000_000_000n);
  // The sign of micro and the Greek letter look the same.
  for (const micro of ['\u00b5', '\u03bc', 'u'])
    expect(read(`1,234.5${micro}Unit`).amount, micro).toBe(1_234_500_000n);
  expect(read('2 uUNIT').amount).toBe(2_000_000n);
  expect(read('123.4 nUNIT').amount).toBe(123_400n);
  expect(read('1 pUNIT').amount).toBe(1n);
  expect(read('2000 fUNIT').amount).toBe(2n);
  expect(read('1500 fUNIT').fault).toBe('UNIT has 12 decimals, not 15');
  expect(read('1.5 mUNIT', 2).fault).toBe('UNIT has 2 decimals, not 4');
  // An M would be a million.
  for (const text of ['5 MUNIT', '5 m', 'mUNIT', '5 m m UNIT'])
    expect(read(text).fault).toBe('Enter a whole number, or an amount with its unit such as 1.5 UNIT');
});

test('an exponent is written out, exactly', () => {
  for (const [text, written] of [
    ['1e18', `1${'0'.repeat(18)}`],
    ['1.5E+3', '1500'],
    ['12.345e1', '123.45'],
    ['15e-1', '1.5'],
    ['1e-3', '0.001'],
    ['-2e2', '-200'],
    ['0e5', '0'],
    ['0x1e18', '0x1e18'],
    ['1e', '1e'],
    ['1e999', '1e999'],
  ] as const)
    expect(writeOut(text), text).toBe(written);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 6 }), fc.integer({ min: -6, max: 20 }), (digits, power) => {
      const scaled = 10n ** 30n * BigInt(digits) * (power < 0 ? 1n : 10n ** BigInt(power));
      const wanted = power < 0 ? scaled / 10n ** BigInt(-power) : scaled;
      expect(readAmount(`${digits}e${power} UNIT`, { decimals: 30, symbol: 'UNIT' }).amount).toBe(wanted);
    }),
  );
});
