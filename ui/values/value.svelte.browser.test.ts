import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../tokens.css';
import '../base.css';
import '../panels.css';
import { palletCalls } from '../../src/scale/calls.ts';
import { decodeValue } from '../../src/scale/decode.ts';
import { encodeCall } from '../../src/scale/extrinsic.ts';
import { toHex } from '../../src/scale/hex.ts';
import type { Json } from '../../src/scale/types.ts';
import { devAccounts } from '../node/accounts.ts';
import { mountIn, press, settle, typeIn, widen } from '../testing/open-page.ts';
import { useRealNode } from '../testing/real-node.ts';
import { argsOf, following, openUnit } from '../testing/value-props.svelte.ts';
import AmountInput from './AmountInput.svelte';
import BytesInput from './BytesInput.svelte';
import ByteView from './ByteView.svelte';
import ValueEditor from './ValueEditor.svelte';
import ValueFaces from './ValueFaces.svelte';

const real = useRealNode();
const bob = devAccounts[1]?.id ?? '';

it('parses an amount with its unit and with pasted digit groups; anything else is reported and kept as typed', async () => {
  const { changes, props } = following('0', { label: 'tip', type: 'u128' });
  const page = mountIn(openUnit(), AmountInput, props);
  const input = page.querySelector('input');
  const hint = () => page.querySelector('span')?.textContent;
  await vi.waitFor(() => expect(hint()).toBe('= 0 UNIT'));
  typeIn(input, '1.5 unit');
  expect([input?.value, changes.at(-1)]).toEqual(['1.5 unit', '1500000000000']);
  expect(hint()).toBe('= 1\u202f500\u202f000\u202f000\u202f000');
  // Formatted as this page does it.
  typeIn(input, '1\u202f500\u202f000\u202f000\u202f000');
  expect(hint()).toBe('= 1.5 UNIT');
  typeIn(input, '1\u202f000 UNIT');
  expect(changes.at(-1)).toBe('1000000000000000');
  typeIn(input, '1.5');
  expect([input?.value, input?.getAttribute('aria-invalid')]).toEqual(['1.5', 'true']);
  expect(hint()).toContain('Enter a whole number');
  typeIn(input, '');
  expect([hint(), input?.ariaInvalid]).toEqual([
    'Enter a whole number, or an amount with its unit such as 1.5 UNIT',
    'true',
  ]);
});

it('a number says at its field what it takes', () => {
  const entry = argsOf(real.meta, 'Proxy', 'add_proxy');
  const { props } = following(
    { delegate: { Id: bob }, proxy_type: 'Any', delay: '0' },
    { meta: real.meta, entry, label: '' },
  );
  const page = mountIn(openUnit(), ValueEditor, props);
  const delay = page.querySelector('[aria-label="delay"]');
  const faultOf = (text: string) => {
    typeIn(delay, text);
    return [delay?.ariaInvalid, page.querySelector('.bad')?.textContent];
  };
  expect(faultOf('')).toEqual(['true', 'Enter a whole number']);
  expect(faultOf('x')).toEqual(['true', 'Enter a whole number']);
  expect(faultOf('-1')).toEqual(['true', 'Enter a number between 0 and 4294967295']);
  expect(faultOf('7')).toEqual(['false', undefined]);
});

it('validates the digits and the length of bytes, and accepts text', () => {
  const { changes, props } = following('0x', { label: 'hash', count: 2 });
  const page = mountIn(openUnit(), BytesInput, props);
  const input = page.querySelector('input');
  const hint = () => page.querySelector('.muted')?.textContent?.trim();
  expect(hint()).toBe('Expected 2 bytes, not 0');
  typeIn(input, '0xabc');
  expect([input?.getAttribute('aria-invalid'), hint()]).toEqual([
    'true',
    'Enter bytes as 0x followed by pairs of hexadecimal digits',
  ]);
  // The 0x prefix is required.
  typeIn(input, 'abcd');
  expect(hint()).toBe('Enter bytes as 0x followed by pairs of hexadecimal digits');
  typeIn(input, ' 0xabcd ');
  expect([changes.at(-1), hint()]).toEqual(['0xabcd', '2 bytes']);
  typeIn(input, '');
  press(page, 'text');
  typeIn(page.querySelector('textarea'), 'hi');
  expect(changes.at(-1)).toBe('0x6869');
});

it('bytes that are too long to edit say so, and can be cleared', () => {
  const { changes, props } = following('0x', { label: 'code', count: null });
  const page = mountIn(openUnit(), BytesInput, props);
  const input = page.querySelector('input');
  typeIn(input, `0x${'ab'.repeat(3000)}`);
  expect(page.querySelector('.muted')?.textContent?.trim()).toBe('3 000 bytes, read-only');
  press(page, 'clear');
  expect([changes.at(-1), input?.readOnly, document.activeElement]).toEqual(['0x', false, input]);
});

it('explains what an empty optional field of bytes means', () => {
  const { changes, props } = following('', { label: 'data', count: null, empty: 'required' });
  const page = mountIn(openUnit(), BytesInput, props);
  const hint = () => page.querySelector('.muted')?.textContent?.trim();
  expect(hint()).toBe('required');
  typeIn(page.querySelector('input'), '0x01');
  expect([changes.at(-1), hint()]).toEqual(['0x01', '1 byte']);
});

it('reads bytes from a file, and lets it be selected again', async () => {
  const { changes, props } = following('0x', { label: 'code', count: null });
  const page = mountIn(openUnit(), BytesInput, props);
  const input = page.querySelector<HTMLInputElement>('input[type="file"]');
  const files = new DataTransfer();
  files.items.add(new File([Uint8Array.of(1, 2)], 'two.bin'));
  if (input === null) throw new Error('no field');
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await vi.waitFor(() => expect(changes).toEqual(['0x0102']));
  expect(input.value).toBe('');
});

it('selects an account by name or typed address; an address with another prefix is the same account', () => {
  const entry = argsOf(real.meta, 'Balances', 'transfer_keep_alive');
  const first: Json = { dest: { Id: '' }, value: '0' };
  const { changes, props } = following(first, { meta: real.meta, entry, label: '' });
  const page = mountIn(openUnit(), ValueEditor, props);
  const address = page.querySelector('[aria-label="dest Id"]');
  expect(address?.getAttribute('aria-invalid')).toBe('false');
  const known = page.querySelector<HTMLSelectElement>('[aria-label="dest Id: a known account"]');
  if (known === null) throw new Error('no list of accounts');
  known.value = bob;
  known.dispatchEvent(new Event('change', { bubbles: true }));
  flushSync();
  expect(changes.at(-1)).toMatchObject({ dest: { Id: expect.stringMatching(/^5FHneW46/) } });
  typeIn(address, '14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3');
  expect([known.value, address?.getAttribute('aria-invalid')]).toEqual([bob, 'false']);
  typeIn(address, bob.slice(0, -1));
  expect(address?.getAttribute('aria-invalid')).toBe('true');
});

it('adds, changes and removes list items by index', () => {
  const entry = argsOf(real.meta, 'Utility', 'batch');
  const { changes, props } = following({ calls: [] }, { meta: real.meta, entry, label: '' });
  const page = mountIn(openUnit(), ValueEditor, props);
  press(page, /^Add call/);
  press(page, /^Add call/);
  const calls = () => (changes.at(-1) as { calls: readonly Json[] }).calls;
  expect(calls().length).toBe(2);
  const variant = page.querySelector<HTMLSelectElement>('[aria-label="calls 1: variant"]');
  if (variant === null) throw new Error('no variant');
  variant.value = 'System';
  variant.dispatchEvent(new Event('change', { bubbles: true }));
  flushSync();
  expect(Object.keys(calls()[1] as object)).toEqual(['System']);
  // A further call is like the last one.
  press(page, /^Add call/);
  expect(calls()[2]).toBe(calls()[1]);
  press(page, /Remove call 2/);
  press(page, /Remove call 0/);
  expect(calls().map((call) => Object.keys(call as object)[0])).toEqual(['System']);
});

it('a duplicated call takes the focus, and so does what is next to a removed one', async () => {
  const entry = argsOf(real.meta, 'Utility', 'batch');
  const remark = (text: string): Json => ({ System: { remark: { remark: text } } });
  const calls = [remark('0x01'), remark('0x02')];
  const page = mountIn(
    openUnit(),
    ValueEditor,
    following({ calls }, { meta: real.meta, entry, label: '' }).props,
  );
  const focused = async (name: RegExp) => {
    press(page, name);
    await settle();
    return document.activeElement?.textContent.trim();
  };
  expect(await focused(/Duplicate call 0 of calls/)).toBe('System.remark { remark: 0x01 }');
  expect(page.querySelector('[aria-expanded="true"]')).toBe(document.activeElement);
  expect(await focused(/Remove call 1/)).toBe('System.remark { remark: 0x02 }');
  expect(await focused(/Remove call 1/)).toMatch(/^Add call/);
});

const transfer = (dest: string): Json => ({
  Balances: { transfer_keep_alive: { dest: { Id: dest }, value: '1' } },
});
const openBatch = (calls: readonly Json[]) => {
  const entry = argsOf(real.meta, 'Utility', 'batch');
  const { props } = following({ calls }, { meta: real.meta, entry, label: '' });
  return mountIn(openUnit(), ValueEditor, props);
};
const rectOf = (of: Element | null | undefined) => of?.getBoundingClientRect() ?? new DOMRect();

it('a closed call of a batch is one line, on a phone as many as it needs, with its buttons beside it', async () => {
  const remark: Json = { System: { remark: { remark: `0x${'ab'.repeat(99)}` } } };
  const page = openBatch([transfer(bob), { Utility: { batch: { calls: [remark, transfer(bob)] } } }, remark]);
  const lines = () => [...page.querySelectorAll<HTMLElement>('[aria-expanded="false"]')];
  await vi.waitFor(() => expect(lines()[0]?.title).toContain('value: 0.000000000001 UNIT'));
  expect(lines()[0]?.textContent?.trim()).toBe('transfer_keep_alive → Bob 1 pUNIT');
  for (const width of [1024, 390]) {
    widen(page, width);
    for (const line of lines()) {
      const row = line.closest('.field');
      expect(rectOf(line).height).toBeLessThanOrEqual(width > 390 ? 28 : 44);
      if (width === 390) expect(line.scrollWidth).toBe(line.clientWidth);
      expect(rectOf(row).height).toBe(rectOf(line).height);
      expect(rectOf(row?.lastElementChild).right).toBeLessThanOrEqual(width);
      expect(rectOf(line).width).toBeGreaterThan(width / 2);
      const [lines, index] = [rectOf(line), rectOf(row?.querySelector('.index'))];
      expect(Math.abs(lines.top + lines.bottom - index.top - index.bottom)).toBeLessThan(2);
    }
  }
});

it('the fields of a nested call have one layout: each is below its name', () => {
  const page = openBatch([transfer('nobody')]);
  for (const width of [1440, 1024, 390]) {
    widen(page, width);
    const below = ['dest', 'value'].map((name) => {
      const label = [...page.querySelectorAll('.label')].find(({ textContent }) => textContent === name);
      const field = label?.parentElement?.querySelector('select, input');
      return rectOf(field).top >= rectOf(label).bottom && rectOf(field).left - rectOf(label).left;
    });
    expect(below, `${width} px`).toEqual([0, 0]);
    // A name is nearer to its own field than to the one above it.
    const [dest, value] = ['dest', 'value'].map((name) =>
      [...page.querySelectorAll('.label')].find(({ textContent }) => textContent === name),
    );
    const above = rectOf(value).top - rectOf(dest?.parentElement).bottom;
    const own = value?.nextElementSibling?.querySelector('input') ?? value?.nextElementSibling;
    expect(above, `${width} px`).toBeGreaterThan(rectOf(own).top - rectOf(value).bottom);
  }
  // What is wrong with an address is said at its field.
  const [fault] = page.querySelectorAll('[role="status"]');
  expect(fault?.textContent).toBe('Enter an SS58 address or a 0x public key.');
  const [address, value] = ['dest Id', 'value'].map((of) => page.querySelector(`[aria-label$="${of}"]`));
  expect(rectOf(fault).top).toBeGreaterThanOrEqual(rectOf(address).bottom);
  expect(rectOf(fault).bottom).toBeLessThanOrEqual(rectOf(value).top);
});

it('navigates bytes by keyboard, and highlights and pins the field that contains them', async () => {
  const bytes = encodeCall(real.meta, 'Timestamp', 'set', { now: '1795360530000' });
  const value = decodeValue(real.meta, real.meta.callType ?? -1, bytes);
  const page = mountIn(openUnit(), ValueFaces, { value, bytes });
  expect(page.textContent).toContain('= 2026-11-22 15:15:30 UTC');
  const view = page.querySelector<HTMLElement>('[aria-label="Bytes"]');
  const key = (name: string) => {
    view?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
    flushSync();
  };
  const status = () => page.querySelector('[role="status"]')?.textContent;
  for (const name of ['ArrowRight', 'ArrowRight', 'ArrowRight']) key(name);
  expect(status()).toMatch(/^Byte 2: .*now$/);
  key('Enter');
  view?.dispatchEvent(new FocusEvent('blur'));
  await settle();
  expect(page.querySelector('dt [aria-pressed="true"]')?.textContent?.trim()).toBe('now');
  press(page, 'JSON');
  expect(page.querySelector('pre')?.textContent).toContain('1795360530000');
  expect(toHex(bytes)).toMatch(/^0x/);
});

it('the bytes of a large value stay in their columns: the first offset is as wide as the last', () => {
  const offsetOf = (length: number) => {
    const page = mountIn(openUnit(), ByteView, { bytes: new Uint8Array(length) });
    return page.querySelector('.offset')?.textContent;
  };
  expect([16, 65_536, 65_537, 4 * 1024 * 1024].map(offsetOf)).toEqual(['0000', '0000', '00000', '000000']);
});

it('a typed amount has the color of text, even in a muted row; only its placeholder is muted', () => {
  const props = { label: 'tip', type: 'u128', placeholder: '0', value: '5', onchange: () => undefined };
  const page = mountIn(openUnit(), AmountInput, props);
  page.className = 'muted';
  const field = page.querySelector('input');
  const colorOf = (of: Element | null, part?: string) => of && getComputedStyle(of, part).color;
  expect(colorOf(field)).toBe(colorOf(document.body));
  expect(colorOf(field, '::placeholder')).toBe(colorOf(page));
  expect(colorOf(field)).not.toBe(colorOf(field, '::placeholder'));
});

it('an amount of many digits is read in the unit of the chain on one line beside its field', async () => {
  const free = { id: -1, type: 'primitive', value: 'u128' };
  const entry = { id: -1, type: 'struct', value: { free }, meanings: { free: 'amount' } };
  const value = { free: '1000005999090064000' };
  const props = { meta: real.meta, entry, label: '', value, onchange: () => undefined };
  const page = mountIn(openUnit(), ValueEditor, props as never);
  widen(page, 700);
  await settle();
  const hint = page.querySelector('input + span');
  expect(hint?.textContent).toMatch(/^= 1.000.005\.999090064 UNIT$/);
  expect(hint?.clientHeight).toBeLessThan(20);
});

it('offers variants and calls in the order of a dictionary, whatever their case, and numbers by value', () => {
  const entry = { type: 'enum', value: { X10: {}, b: {}, X2: {}, C: {} } };
  const props = { meta: real.meta, entry, label: 'one', value: 'b', onchange: () => undefined };
  const page = mountIn(openUnit(), ValueEditor, props as never);
  expect([...page.querySelectorAll('option')].map(({ value }) => value)).toEqual(['b', 'C', 'X2', 'X10']);
  const pallet = () => ({ index: 0, calls: { type: 0 } });
  const lookup = () => entry;
  const calls = palletCalls({ pallet, lookup, callType: null } as never, 'P');
  expect(calls.map(({ name }) => name)).toEqual(['b', 'C', 'X2', 'X10']);
});
