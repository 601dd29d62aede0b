import { expect, it, vi } from 'vitest';
import { mountIn, openContext, settle, typeIn } from '../testing/open-page.ts';
import BlockField from './fields/BlockField.svelte';
import ParamField from './fields/ParamField.svelte';

const hash = `0x${'ab'.repeat(32)}`;

const openField = (answer: (number: unknown) => unknown) => {
  const given = vi.fn();
  const { context } = openContext((method, [number]) =>
    method === 'chain_getBlockHash' ? answer(number) : new Promise(() => undefined),
  );
  const props = { label: 'at', value: undefined, optional: true, onchange: given };
  const page = mountIn(context, BlockField, props);
  const way = page.querySelector('select');
  if (way === null) throw new Error('no choice');
  way.value = 'number';
  way.dispatchEvent(new Event('change', { bubbles: true }));
  const number = async (text: string) => {
    await settle();
    typeIn(page.querySelector('input'), text);
    await settle();
    return given.mock.lastCall;
  };
  return { page, number };
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
  expect(page.querySelector('.fault')?.textContent).toBe('Enter a block number or a hash.');
});
