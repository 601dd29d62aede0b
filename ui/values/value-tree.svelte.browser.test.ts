import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import '../tokens.css';
import '../base.css';
import type { Decoded } from '../../src/scale/types.ts';
import { baselineOf, mountIn, openContext, widen } from '../testing/open-page.ts';
import AccountInput from './AccountInput.svelte';
import ValueFaces from './ValueFaces.svelte';
import ValueTree from './ValueTree.svelte';

const numberOf = (value: bigint): Decoded => ({ kind: 'number', type: 'u128', start: 0, end: 16, value });
const structOf = (type: string, fields: Readonly<Record<string, Decoded>>): Decoded => ({
  kind: 'struct',
  type,
  start: 0,
  end: 16,
  fields: Object.entries(fields).map(([label, value]) => ({ label, docs: '', value })),
});
const open = (value: Decoded) => mountIn(openContext(() => null).context, ValueTree, { value });

it('a number of flags is hexadecimal, and only that one', () => {
  const page = open(
    structOf('AccountData', {
      flags: { ...numberOf(1n << 127n), meaning: 'flags' },
      free: numberOf(1n << 127n),
    }),
  );
  expect(page.querySelector('.hash .anywhere')?.textContent).toBe('0x8000…0000');
  expect(page.querySelector('.hash')?.getAttribute('data-full')).toBe(`0x8${'0'.repeat(31)}`);
  const numbers = [...page.querySelectorAll('.number')].map(({ textContent }) => textContent);
  expect(numbers.map((text) => text.replace(/\s/g, ' '))).toEqual([
    '170 141 183 460 469 231 731 687 303 715 884 105 728',
  ]);
});

it('bytes that are text are shown as both, the text isolated from what is around it; others as bytes alone', () => {
  const bytesOf = (text: string): Decoded => {
    const value = new TextEncoder().encode(text);
    return { kind: 'bytes', type: 'BoundedVec<u8>', start: 0, end: value.length, value };
  };
  const page = open(
    structOf('AssetMetadata', {
      name: bytesOf('Złoty שקל'),
      symbol: bytesOf('PLN'),
      turned: bytesOf(`gnp.${String.fromCharCode(0x202e)}exe`),
      long: bytesOf('a'.repeat(201)),
    }),
  );
  const [name, symbol, turned, long] = [...page.querySelectorAll('dd')].map((one) => one.textContent);
  expect([...page.querySelectorAll('bdi')].map((one) => one.textContent)).toEqual(['"Złoty שקל"', '"PLN"']);
  expect(name).toContain('0x5ac5…');
  expect(symbol).toContain('0x504c4e');
  expect([turned, long].join()).not.toMatch(/exe|aaa/);
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

it('the arguments of a call begin below the name of the field, not below that of the call', () => {
  const variantOf = (name: string, value: Decoded): Decoded => ({
    ...{ kind: 'variant', type: 'Call', start: 0, end: 16, docs: '', index: 0 },
    ...{ name, value },
  });
  const args = structOf('', { remark: numberOf(1n) });
  const call = variantOf('System', variantOf('remark', args));
  const page = open(structOf('Extrinsic', { call }));
  widen(page, 300);
  const [outer, inner] = [...page.querySelectorAll('dt')].map((one) => one.getBoundingClientRect());
  const line = [...page.querySelectorAll('dd > .value .accent, dd summary')].map(baselineOf);
  expect(line.map((one) => Math.abs(one - baselineOf(page.querySelector('dt'))) < 1)).toEqual([
    true,
    true,
    true,
  ]);
  expect((inner?.left ?? 0) - (outer?.left ?? 0)).toBeLessThan(30);
  expect(inner?.top).toBeGreaterThanOrEqual(outer?.bottom ?? 0);
  // One that is not within another has its own height, also when closed.
  const whole = open(call);
  const details = whole.querySelector('details') as HTMLDetailsElement;
  details.open = false;
  expect(whole.getBoundingClientRect().height).toBeGreaterThan(20);
});

it('an address stays next to the choice of its account in a call of a batch', () => {
  const props = { label: 'dest Id', value: '', prefix: 42, onchange: () => undefined };
  const page = mountIn(openContext(() => null).context, AccountInput, props);
  page.style.cssText = 'display: flex; width: 230px';
  const [choice, field] = ['select', 'input'].map((of) => page.querySelector(of)?.getBoundingClientRect());
  expect(choice?.top).toBe(field?.top);
});

it('fields and bytes light each other, by pointer, by keys, and pinned by a click', () => {
  const at = (start: number, value: Decoded): Decoded => ({ ...value, start, end: start + 4 });
  const data = structOf('Data', { free: at(4, numberOf(1n)), held: at(8, numberOf(2n)) });
  const value = structOf('Info', { nonce: at(0, numberOf(3n)), data: { ...data, start: 4, end: 12 } });
  const props = { value, bytes: new Uint8Array(12) };
  const page = mountIn(openContext(() => null).context, ValueFaces, props);
  page.className = 'tabnode-devtools';
  const name = (label: string) =>
    [...page.querySelectorAll<HTMLElement>('dt button')].find((one) => one.textContent.trim() === label);
  const byte = (of: number) => page.querySelector<HTMLElement>(`[data-at="${of}"]`);
  const hover = (over: Element | null | undefined) => {
    over?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    flushSync();
  };
  const leave = (from: Element | null | undefined) => {
    from?.dispatchEvent(new PointerEvent('pointerleave'));
    flushSync();
  };
  const isPainted = (of: Element | null | undefined) =>
    of != null && getComputedStyle(of).backgroundColor !== 'rgba(0, 0, 0, 0)';
  const lit = () => Array.from({ length: 12 }, (_, of) => of).filter((of) => isPainted(byte(of)));
  const fieldIsLit = (label: string) => isPainted(name(label)?.closest('dt')?.parentElement);
  const bytes = page.querySelector<HTMLElement>('[aria-label="Bytes"]');
  hover(name('free'));
  expect([lit(), fieldIsLit('free'), fieldIsLit('data')]).toEqual([[4, 5, 6, 7], true, false]);
  leave(name('free')?.closest('dt')?.parentElement);
  expect(lit()).toEqual([]);
  name('data')?.focus();
  flushSync();
  expect(lit()).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  name('nonce')?.click();
  name('data')?.blur();
  flushSync();
  expect([lit(), name('nonce')?.getAttribute('aria-pressed')]).toEqual([[0, 1, 2, 3], 'true']);
  hover(byte(5));
  expect(fieldIsLit('free')).toBe(true);
  leave(bytes);
  bytes?.focus();
  for (const key of ['ArrowRight', ...Array(8).fill('ArrowRight')])
    bytes?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  flushSync();
  expect(fieldIsLit('held')).toBe(true);
  expect([...page.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent)).toContain(
    'Byte 8: data.held',
  );
});
