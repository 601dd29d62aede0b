import { expect, it } from 'vitest';
import type { Decoded } from '../../../src/scale/types.ts';
import { devAccounts } from '../accounts.ts';
import { summaryText } from './summary.ts';

const at = { type: '', start: 0, end: 0 };
const variant = (name: string, value: Decoded | null, type = ''): Decoded => ({
  ...at,
  kind: 'variant',
  name,
  docs: '',
  value,
  type,
});
const struct = (fields: Readonly<Record<string, Decoded>>): Decoded => ({
  ...at,
  kind: 'struct',
  fields: Object.entries(fields).map(([label, value]) => ({ label, docs: '', value })),
});
const bytes = (...value: number[]): Decoded => ({ ...at, kind: 'bytes', value: Uint8Array.from(value) });
const call = (pallet: string, name: string): Decoded =>
  variant(pallet, variant(name, struct({ remark: bytes(1) }), 'Call'), 'RuntimeCall');
const list = (items: readonly Decoded[], isTuple = false): Decoded => ({
  ...at,
  kind: 'list',
  items,
  isTuple,
});

it('writes a batch as the number of its calls, its transfers and the names of others, each once with its count', () => {
  const batch = (...items: readonly Decoded[]) =>
    summaryText(struct({ calls: list(items) }), (sum) => `${sum} UNIT`);
  const [alice, bob] = devAccounts;
  const transfer = (to: typeof bob, value: bigint): Decoded => {
    const dest = variant('Id', { ...at, kind: 'account', id: to?.id ?? '', value: '' } as Decoded);
    const args = struct({ dest, value: { ...at, kind: 'number', value } });
    return variant('Balances', variant('transfer_keep_alive', args, 'Call'), 'RuntimeCall');
  };
  expect(batch(call('System', 'remark'))).toBe('1 call: System.remark');
  expect(batch(transfer(bob, 5n), transfer(bob, 5n))).toBe('2 × → Bob 5 UNIT');
  expect(batch(transfer(bob, 5n), transfer(alice, 7n), call('System', 'remark'))).toBe(
    '3 calls: → Bob 5 UNIT, → Alice 7 UNIT, System.remark',
  );
  expect(batch(call('Sudo', 'sudo'), ...Array.from({ length: 1000 }, () => call('System', 'remark')))).toBe(
    '1\u202f001 calls: Sudo.sudo, 1\u202f000 × System.remark',
  );
  const many = batch(...Array.from({ length: 30 }, (_, index) => transfer(bob, BigInt(index))));
  expect(many).toMatch(/^30 calls: → Bob 0 UNIT, .*…$/);
  expect(many.length).toBeLessThan(170);
});

it('names the engine of a digest item, and writes flags in hexadecimal', () => {
  const item = variant('PreRuntime', list([bytes(0x42, 0x41, 0x42, 0x45), bytes(1, 2)], true), 'DigestItem');
  expect(summaryText({ ...item, meaning: 'digestItem' })).toBe('PreRuntime BABE 0x0102');
  const flags: Decoded = { ...at, kind: 'number', value: 1n << 127n, meaning: 'flags' };
  expect(summaryText(struct({ flags }))).toBe(`{ flags: 0x8${'0'.repeat(31)} }`);
});

it('writes the text that bytes hold next to them, isolated, if it is short and all of it is seen', () => {
  const textOf = (text: string) =>
    summaryText({ ...bytes(), value: new TextEncoder().encode(text) } as Decoded);
  expect(textOf('USDT')).toBe('0x55534454 "\u2068USDT\u2069"');
  expect(textOf('Złoty 🦄')).toMatch(/^0x5ac5826f…\w+ "\u2068Złoty 🦄\u2069"$/);
  for (const hidden of [
    '',
    'a\u0000',
    'a\u001b[1m',
    'a\u202eb',
    '\u2066a',
    '\ufeffa',
    'a\u200bb',
    'a\u2028b',
    'x'.repeat(33),
  ])
    expect(textOf(hidden)).toMatch(/^0x[\da-f…]*$/);
  expect(summaryText(bytes(0xff, 0x41))).toBe('0xff41');
});

it('writes a weight as its time and its proof', () => {
  const numberOf = (value: bigint): Decoded => ({ ...at, kind: 'number', value });
  const weight = {
    ...struct({ ref_time: numberOf(1_363_000_000n), proof_size: numberOf(120_000n) }),
    type: 'Weight',
    meaning: 'weight' as const,
  };
  expect(summaryText(struct({ weight }))).toBe('{ weight: 1.4 ms, 120.0 kB proof }');
});

it('writes a list within lists as the number of its items, in words: a number would read as its contents', () => {
  const item = list([bytes(1), bytes(2)], true);
  const set = variant(
    'System',
    variant('set_storage', struct({ items: list([item]) }), 'Call'),
    'RuntimeCall',
  );
  expect(summaryText(struct({ call: set }))).toBe('{ call: System.set_storage { items: [[2 items]] } }');
});
