import { describe, expect, it } from 'vitest';
import type { CallMeta } from '../../../src/scale/calls.ts';
import { decodeDispatchInfo, decodeValidity } from '../../../src/scale/validity.ts';
import { amountText, readAmount, readUnit, shortAmount } from '../../kit/text/amount.ts';
import { CallDraft } from './build/call-draft.svelte.ts';
import { findCalls } from './build/find-calls.ts';

const call = (pallet: string, name: string, docs: string): CallMeta => ({
  pallet,
  name,
  label: `${pallet.toLowerCase()}.${name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())}`,
  docs,
  index: [0, 0],
  args: null,
});

it('rejects a nonce above u32 before any request', () => {
  const place = { chain: null, panel: 'chain', parts: [], query: new Map() };
  const draft = new CallDraft({ place, replace: () => undefined }, '');
  draft.change({ nonce: '4294967295' });
  expect(draft.options?.nonce).toBe(4_294_967_295);
  draft.change({ nonce: '4294967296' });
  expect(draft.options).toBeNull();
});

it('takes the tip as its field reads it: a comma only separates thousands', () => {
  const place = { chain: null, panel: 'chain', parts: [], query: new Map() };
  const draft = new CallDraft({ place, replace: () => undefined }, '');
  const tipOf = (tip: string) => {
    draft.change({ tip });
    return draft.options?.tip ?? null;
  };
  for (const wrong of ['1,5', '1.5', '1,50', '-1', '1,5 UNIT', `${2n ** 128n}`])
    expect(tipOf(wrong), wrong).toBeNull();
  expect(['', ' ', '15', '1,500', '1_500', '1 500', `${2n ** 128n - 1n}`].map(tipOf)).toEqual([
    ...[0n, 0n, 15n, 1500n, 1500n, 1500n],
    2n ** 128n - 1n,
  ]);
});

describe('texts of the send panel', () => {
  it('write amounts with every digit, and short ones never as zero', () => {
    const unit = { decimals: 12, symbol: 'UNIT' };
    expect(amountText(1_234_500_000_000_000n, unit)).toBe('1\u202f234.5 UNIT');
    expect(amountText(1n, unit)).toBe('0.000000000001 UNIT');
    expect(shortAmount(906_123_456n, unit)).toBe('0.0009061 UNIT');
    expect(shortAmount(-1_234_567n, unit)).toBe('−0.000001234 UNIT');
    expect(shortAmount(1_000_000_123_456n, unit)).toBe('1 UNIT');
    expect(shortAmount(-123_456n, unit)).toBe('−123.4 nUNIT');
    expect(shortAmount(1n, unit)).toBe('1 pUNIT');
    expect(shortAmount(1n, { decimals: 10, symbol: 'DOT' })).toBe('100 pDOT');
    expect(shortAmount(1n, { decimals: 36, symbol: 'X' })).toBe(`0.${'0'.repeat(35)}1 X`);
    expect(shortAmount(0n, unit)).toBe('0 UNIT');
    expect(amountText(-5n * 10n ** 12n, unit)).toBe('−5 UNIT');
    expect(amountText(1_234n, null)).toBe('1\u202f234');
    expect(shortAmount(1_234n, null)).toBe('1\u202f234');
    expect(amountText(1_234_567_000_000_000_001n, unit)).toBe('1\u202f234\u202f567.000000000001 UNIT');
    expect(amountText(0n, unit)).toBe('0 UNIT');
  });

  it('parse amounts with their unit exactly, and explain why others are invalid', () => {
    const unit = { decimals: 12, symbol: 'UNIT' };
    const read = (text: string) => readAmount(text, unit);
    expect(read('1.5 UNIT').amount).toBe(1_500_000_000_000n);
    expect(read(' .5unit ').amount).toBe(500_000_000_000n);
    expect(read('1,234,567.000000000001 Unit').amount).toBe(1_234_567_000_000_000_001n);
    expect(read('0.000000000001000 UNIT').amount).toBe(1n);
    expect(read('9007199254740993 UNIT').amount).toBe(9_007_199_254_740_993_000_000_000_000n);
    expect(readAmount('7 DOT', { decimals: 0, symbol: 'DOT' }).amount).toBe(7n);
    expect(read('0.0000000000001 UNIT').fault).toBe('UNIT has 12 decimals, not 13');
    // A comma separates thousands, here and in the forms; it is not a decimal point.
    for (const text of ['1.5', '1,5 UNIT', 'UNIT', '. UNIT', '1.5 DOT', '1.2.3 UNIT', '-1 UNIT'])
      expect(read(text).fault).toBe('Enter a whole number, or an amount with its unit such as 1.5 UNIT');
  });

  it('take the unit from properties that name both symbol and decimals', () => {
    expect(readUnit({ tokenDecimals: 10, tokenSymbol: 'DOT' })).toEqual({ decimals: 10, symbol: 'DOT' });
    expect(readUnit({ tokenDecimals: [12, 8], tokenSymbol: ['ACA', 'X'] })).toEqual({
      decimals: 12,
      symbol: 'ACA',
    });
    for (const properties of [
      null,
      {},
      { tokenDecimals: 10 },
      { tokenSymbol: 'DOT' },
      { tokenDecimals: '1', tokenSymbol: 'DOT' },
    ])
      expect(readUnit(properties)).toBeNull();
  });

  it('find calls by name and docs; names that start with the word rank first', () => {
    const calls = [
      call('Proxy', 'proxy', 'Dispatch on behalf of another, for instance a transfer.'),
      call('Balances', 'force_transfer', 'Exactly as another.'),
      call('Balances', 'transfer_all', 'Everything.'),
    ];
    expect(findCalls(calls, 'transfer').map(({ name }) => name)).toEqual([
      'transfer_all',
      'force_transfer',
      'proxy',
    ]);
    expect(findCalls(calls, 'balances every').map(({ name }) => name)).toEqual(['transfer_all']);
    expect(findCalls(calls, 'nothing')).toEqual([]);
    const batches = [
      call('Utility', 'batch', 'Sends all of them.'),
      call('Utility', 'batch_all', 'Or none.'),
    ];
    for (const typed of ['batch all', 'batch_all', 'utility.batch_all'])
      expect(findCalls(batches, typed)[0]?.name, typed).toBe('batch_all');
  });
});

describe('decoding results of the runtime', () => {
  it('decodes a valid transaction: priority, tags, longevity', () => {
    const hex = `0x00${'0100000000000000'}04${'08'}aabb${'04'}04cc${'4000000000000000'}01`;
    expect(decodeValidity(hex)).toEqual({
      kind: 'valid',
      priority: 1n,
      requires: ['0xaabb'],
      provides: ['0xcc'],
      longevity: 64n,
      propagate: true,
    });
  });

  it('names an invalid or unknown transaction error, even of a new variant', () => {
    const text = (hex: string) => {
      const read = decodeValidity(hex);
      return read.kind === 'invalid' ? read.text : read.kind;
    };
    expect(text('0x010001')).toMatch(/^Payment: Inability to pay/);
    expect(text('0x01000709')).toMatch(/^Custom\(9\)/);
    expect(text('0x010100')).toMatch(/^CannotLookup/);
    expect(text('0x0100c8')).toMatch(/^error 200/);
    expect(() => decodeValidity('0x00')).toThrow(/expected/);
  });

  it('decodes weight, class and fee', () => {
    const fee = `${'00'.repeat(8)}01${'00'.repeat(7)}`;
    expect(decodeDispatchInfo(`0x040801${fee}`)).toEqual({
      refTime: 1n,
      proofSize: 2n,
      class: 'operational',
      fee: 2n ** 64n,
    });
  });
});
