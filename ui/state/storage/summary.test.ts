import { expect, it } from 'vitest';
import type { Decoded } from '../../meta/types.ts';
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
  fields: Object.entries(fields).map(([label, value]) => ({ label, docs: '', isAmount: false, value })),
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

it('names the calls of a batch, and counts them where they are many', () => {
  const few = struct({ calls: list([call('System', 'remark'), call('Sudo', 'sudo')]) });
  expect(summaryText(few)).toBe('{ calls: [System.remark { remark: 0x01 }, Sudo.sudo { remark: 0x01 }] }');
  const many = [call('Sudo', 'sudo'), ...Array.from({ length: 1000 }, () => call('System', 'remark'))];
  expect(summaryText(struct({ calls: list(many) }))).toBe(
    '{ calls: [Sudo.sudo, 1\u202f000 × System.remark] }',
  );
});

it('names the engine of a digest item, and writes flags in hexadecimal', () => {
  const item = variant('PreRuntime', list([bytes(0x42, 0x41, 0x42, 0x45), bytes(1, 2)], true), 'DigestItem');
  expect(summaryText(item)).toBe('PreRuntime BABE 0x0102');
  const flags: Decoded = { ...at, kind: 'number', value: 1n << 127n };
  expect(summaryText(struct({ flags }))).toBe(`{ flags: 0x8${'0'.repeat(31)} }`);
});

it('writes a weight as its time and its proof', () => {
  const numberOf = (value: bigint): Decoded => ({ ...at, kind: 'number', value });
  const weight = {
    ...struct({ ref_time: numberOf(1_363_000_000n), proof_size: numberOf(120_000n) }),
    type: 'Weight',
  };
  expect(summaryText(struct({ weight }))).toBe('{ weight: 1.4 ms, 120.0 kB proof }');
});
