import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { createMethodFinder } from '../../node/client/method-info.ts';
import { mountIn, openContext, press, settle, typeIn, widen } from '../../testing/open-page.ts';
import '../../tokens.css';
import '../../base.css';
import CallForm from './CallForm.svelte';
import BlockField from './fields/BlockField.svelte';
import JsonField from './fields/JsonField.svelte';
import KeysField from './fields/KeysField.svelte';
import ParamField from './fields/ParamField.svelte';
import { WrittenCall } from './written-call.svelte.ts';

const hash = `0x${'ab'.repeat(32)}`;

const openField = (answer: (number: unknown) => unknown) => {
  const onchange = vi.fn();
  const { context } = openContext((method, [number]) =>
    method === 'chain_getBlockHash' ? answer(number) : new Promise(() => undefined),
  );
  const props = $state({ label: 'at', value: undefined as unknown, optional: true, onchange });
  onchange.mockImplementation((value) => (props.value = value));
  const page = mountIn(context, BlockField, props);
  const way = page.querySelector('select');
  if (way === null) throw new Error('no choice');
  way.value = 'number';
  way.dispatchEvent(new Event('change', { bubbles: true }));
  const number = async (text: string) => {
    await settle();
    typeIn(page.querySelector('input'), text);
    await settle();
    return onchange.mock.lastCall;
  };
  return { page, props, number };
};

it('an empty, invalid or unknown block number is neither the default nor the previous block', async () => {
  const { number } = openField((height) => (height === 5 ? hash : null));
  expect(await number('5')).toEqual([hash]);
  expect(await number('')).toEqual(['']);
  expect(await number('5')).toEqual([hash]);
  expect(await number('99')).toEqual(['99']);
  expect(await number('5')).toEqual([hash]);
  expect(await number('five')).toEqual(['five']);
});

it('a block number whose lookup fails shows the reason, and is not the previous block', async () => {
  const { page, number } = openField((height) => {
    if (height === 5) return hash;
    throw new Error('out of range');
  });
  expect(await number('5')).toEqual([hash]);
  expect(await number('99999999999999999999')).toEqual(['99999999999999999999']);
  expect(page.querySelector('[role="status"]')?.textContent).toBe('out of range');
});

it('an empty block number is refused with a message', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const props = {
    method: 'chain_getHeader',
    param: { name: 'hash', kind: 'hash', optional: true },
    value: '',
    fault: null,
    onchange: () => undefined,
  } as const;
  const page = mountIn(context, ParamField, props);
  expect(page.querySelector('select')?.value).toBe('number');
  expect(page.querySelector('[role="status"]')?.textContent.trim()).toBe('Enter a block number or a hash.');
});

it('a flag is not given, true or false', () => {
  const onchange = vi.fn();
  const param = { name: 'finalize', kind: 'boolean', optional: true } as const;
  const props = { method: 'dev_x', param, value: undefined, fault: null, onchange };
  const choice = mountIn(openContext(() => null).context, ParamField, props).querySelector('select');
  if (choice === null) throw new Error('no choice');
  expect([...choice.options].map(({ text }) => text)).toEqual(['default', 'true', 'false']);
  expect(choice.selectedIndex).toBe(0);
  for (const index of [1, 2, 0]) {
    choice.selectedIndex = index;
    choice.dispatchEvent(new Event('change', { bubbles: true }));
  }
  expect(onchange.mock.calls).toEqual([[true], [false], [undefined]]);
});

it('a block set from outside is shown as its hash, whatever was chosen before', async () => {
  const { page, props, number } = openField(() => hash);
  await number('5');
  const other = `0x${'cd'.repeat(32)}`;
  props.value = other;
  flushSync();
  expect(page.querySelector('select')?.value).toBe('hash');
  expect(page.querySelector('input')?.value).toBe(other);
  props.value = undefined;
  flushSync();
  expect(page.querySelector('select')?.value).toBe('best');
});

it('a block that is found after another method was chosen does not become its argument', async () => {
  const found = Promise.withResolvers<string>();
  const { context } = openContext((method) =>
    method === 'chain_getBlockHash' ? found.promise : new Promise(() => undefined),
  );
  const text = $state({ method: 'chain_getHeader', params: '' });
  const call = new WrittenCall(createMethodFinder(), text);
  const page = mountIn(context, CallForm, { call, face: 'form' });
  const way = page.querySelector('select');
  if (way === null) throw new Error('no choice');
  way.value = 'number';
  way.dispatchEvent(new Event('change', { bubbles: true }));
  call.method = 'system_accountNextIndex';
  flushSync();
  found.resolve(hash);
  await settle();
  expect(call.params).toBe('');
});

it('typed JSON keeps its formatting, and a value from outside replaces it, even if it is incomplete', () => {
  const props = $state({
    label: 'value',
    value: [1] as unknown,
    onchange: (next: unknown) => {
      props.value = next;
    },
  });
  const page = mountIn(openContext(() => null).context, JsonField, props);
  const field = page.querySelector('textarea');
  expect(field?.value).toBe('[1]');
  typeIn(field, '[ 1,  2 ]');
  expect([field?.value, props.value]).toEqual(['[ 1,  2 ]', [1, 2]]);
  typeIn(field, '[ 1,');
  expect([field?.value, props.value]).toEqual(['[ 1,', [1, 2]]);
  expect(page.querySelector('[role="status"]')).not.toBeNull();
  typeIn(field, '[1e400]');
  expect(props.value).toEqual([1, 2]);
  expect(page.querySelector('[role="status"]')?.textContent).toContain('1e400 would lose digits when sent.');
  const call = new WrittenCall(createMethodFinder(), { method: 'a_b', params: '[9007199254740993.0]' });
  expect([call.args, call.paramsFault]).toEqual([
    null,
    expect.stringContaining('would lose digits when sent'),
  ]);
  props.value = [3];
  flushSync();
  expect(field?.value).toBe('[3]');
  expect(page.querySelector('[role="status"]')).toBeNull();
});

it('a key that is added takes the focus, and so does what is next to a removed one', async () => {
  const onchange = vi.fn();
  const props = $state({ label: 'keys', value: ['0x01', '0x02'] as unknown, isKey: false, onchange });
  onchange.mockImplementation((value) => (props.value = value));
  const page = mountIn(openContext(() => null).context, KeysField, props);
  const focused = async (name: RegExp) => {
    press(page, name);
    await settle();
    return document.activeElement;
  };
  expect(await focused(/^Add/)).toBe(page.querySelector('[aria-label="keys 3"]'));
  expect(await focused(/Remove keys 1/)).toBe(page.querySelector('[aria-label="keys 1"]'));
  expect((await focused(/Remove keys 2/))?.textContent).toMatch(/^Add/);
});

it('the example of a hash that is not valid stays within a phone', () => {
  const call = new WrittenCall(createMethodFinder(), { method: 'chain_getBlock', params: '["0x12"]' });
  const page = mountIn(openContext(() => null).context, CallForm, { call, face: 'form' });
  widen(page, 390);
  const faults = [...page.querySelectorAll('[role="status"]')];
  // It is said once, at its field.
  expect(faults.map(({ textContent }) => textContent.includes('0x9191'))).toEqual([false, true]);
  for (const fault of faults) expect(fault.scrollWidth).toBeLessThanOrEqual(390);
  expect(page.scrollWidth).toBeLessThanOrEqual(390);
});

it('a fault that the field of an account or of a member shows is said once', () => {
  const faultsOf = (method: string, params: string) => {
    const call = new WrittenCall(createMethodFinder(), { method, params });
    const page = mountIn(openContext(() => null).context, CallForm, { call, face: 'form' });
    return [...page.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent.trim());
  };
  expect(faultsOf('system_accountNextIndex', '[5]')).toEqual([
    '',
    'Enter an SS58 address or a 0x public key.',
  ]);
  expect(faultsOf('dev_newBlock', '[{"count":"x"}]')).toEqual(['', 'Enter a whole number, or hex with 0x.']);
});

it('a missing value is said above the form, because its field is only empty', () => {
  const call = new WrittenCall(createMethodFinder(), { method: 'state_getStorage', params: '' });
  const page = mountIn(openContext(() => null).context, CallForm, { call, face: 'form' });
  expect(page.querySelector('#params-fault')?.textContent).toContain('key is required');
});
