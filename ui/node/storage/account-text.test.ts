import { expect, it } from 'vitest';
import type { Decoded } from '../../../src/scale/types.ts';
import { accountText } from './account-text.ts';

const number = (value: bigint) => ({ kind: 'number', value }) as const;
const struct = (fields: Readonly<Record<string, unknown>>, type = '') =>
  ({
    kind: 'struct',
    type,
    fields: Object.entries(fields).map(([label, value]) => ({ label, value })),
  }) as unknown as Decoded;
const write = (amount: bigint) => `${amount} UNIT`;

const account = (reserved: bigint, type = 'AccountData<u128>') => {
  const data = { free: number(5n), reserved: number(reserved), frozen: number(0n), flags: number(9n) };
  return struct(
    { nonce: number(3n), consumers: number(1n), data: struct(data, type) },
    'AccountInfo<u32, AccountData<u128>>',
  );
};

it('writes an account in a row as its free balance, any other amounts, and its nonce', () => {
  expect(accountText(account(0n), write)).toBe('5 UNIT · nonce 3');
  expect(accountText(account(7n), write)).toBe('5 UNIT · reserved 7 UNIT · nonce 3');
});

it('writes no value as an account that is none, or whose amounts may be in another unit', () => {
  expect(accountText(number(1n) as unknown as Decoded, write)).toBeNull();
  expect(accountText(account(0n, 'OtherData'), write)).toBeNull();
});
