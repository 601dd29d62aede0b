import { expect, it } from 'vitest';
import '../tokens.css';
import '../base.css';
import type { Decoded } from '../meta/types.ts';
import { baselineOf, mountIn, openContext, widen } from '../testing/open-page.ts';
import AccountInput from './AccountInput.svelte';
import ValueTree from './ValueTree.svelte';

const numberOf = (value: bigint): Decoded => ({ kind: 'number', type: 'u128', start: 0, end: 16, value });
const structOf = (type: string, fields: Readonly<Record<string, Decoded>>): Decoded => ({
  kind: 'struct',
  type,
  start: 0,
  end: 16,
  fields: Object.entries(fields).map(([label, value]) => ({ label, docs: '', isAmount: false, value })),
});
const open = (value: Decoded) => mountIn(openContext(() => null).context, ValueTree, { value });

it('a number of flags is hexadecimal, and only that one', () => {
  const page = open(structOf('AccountData', { flags: numberOf(1n << 127n), free: numberOf(1n << 127n) }));
  expect(page.querySelector('.hash .anywhere')?.textContent).toBe('0x8000…0000');
  expect(page.querySelector('.hash')?.getAttribute('data-whole')).toBe(`0x8${'0'.repeat(31)}`);
  const numbers = [...page.querySelectorAll('.number')].map(({ textContent }) => textContent);
  expect(numbers.map((text) => text.replace(/\s/g, ' '))).toEqual([
    '170 141 183 460 469 231 731 687 303 715 884 105 728',
  ]);
});

it('a number longer than its line breaks between groups of digits', () => {
  const page = open(numberOf((1n << 127n) - 1n));
  widen(page, 100);
  const text = page.querySelector('.number')?.firstChild;
  const range = document.createRange();
  const lines = (text?.textContent ?? '').split(/\s/).map((group, index, groups) => {
    const from = groups.slice(0, index).join(' ').length + (index > 0 ? 1 : 0);
    range.setStart(text as Node, from);
    range.setEnd(text as Node, from + group.length);
    return [...range.getClientRects()].map(({ top }) => top);
  });
  expect(lines.map(({ length }) => length)).toEqual(lines.map(() => 1));
  expect(new Set(lines.flat()).size).toBeGreaterThan(1);
});

it('the name of a field is level with the first line of the struct in it', () => {
  const page = open(
    structOf('AccountInfo', { data: structOf('Inner', { free: numberOf(1n), held: numberOf(2n) }) }),
  );
  const [name] = page.querySelectorAll('dt');
  const summary = name?.nextElementSibling?.querySelector('summary');
  expect(Math.abs(baselineOf(name) - baselineOf(summary))).toBeLessThan(1);
});

it('the fields of a struct begin below its name, however long that is', () => {
  const long = 'name_of_a_field_that_is_much_longer_than_usual';
  const page = open(structOf('Outer', { [long]: structOf('Inner', { free: numberOf(1n) }) }));
  widen(page, 600);
  const [outer, inner] = [...page.querySelectorAll('dt')].map((one) => one.getBoundingClientRect());
  const summary = page.querySelector('dd summary')?.getBoundingClientRect();
  expect(summary?.top).toBeLessThan(outer?.bottom ?? 0);
  expect(summary?.left).toBeGreaterThanOrEqual(outer?.right ?? 0);
  expect(inner?.top).toBeGreaterThanOrEqual(outer?.bottom ?? 0);
  expect((inner?.left ?? 0) - (outer?.left ?? 0)).toBeLessThan(30);
});

it('an address stays next to the choice of its account in a call of a batch', () => {
  const props = { label: 'dest Id', value: '', prefix: 42, onchange: () => undefined };
  const page = mountIn(openContext(() => null).context, AccountInput, props);
  page.style.cssText = 'display: flex; width: 230px';
  const [choice, field] = ['select', 'input'].map((of) => page.querySelector(of)?.getBoundingClientRect());
  expect(choice?.top).toBe(field?.top);
});
