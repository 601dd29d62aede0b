import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { openLink } from '../../kit/page/route.svelte.ts';
import { expectColumns, mountIn, openContext, press, typeIn } from '../../testing/open-page.ts';
import ApiCall from './ApiCall.svelte';

const meta = { lookup: () => ({ type: 'primitive', value: 'u8' }), typeName: () => 'u8' };
const method = { name: 'twice', docs: [], inputs: [{ name: 'of', type: 0 }], output: 0 };
const linkOf = (value: number): string =>
  `#/runtime/apis/Maths/twice?args=${encodeURIComponent(JSON.stringify([value]))}`;

it('the arguments of a runtime call follow the address, and an answer is shown for its own arguments only', async () => {
  const { context, asked } = openContext((_, [, input]) => {
    const [byte = 0] = [Number(input)];
    return `0x${(byte * 2).toString(16).padStart(2, '0')}`;
  });
  openLink(linkOf(4));
  const page = mountIn(context, ApiCall, { meta, hash: null, api: 'Maths', method } as never);
  const field = () => page.querySelector('input')?.value;
  const answer = () => page.querySelector('[aria-label="Answer"]');
  expect(field()).toBe('4');
  press(page, 'Call');
  await vi.waitFor(() => expect(answer()?.textContent).toMatch(/\b8\b/));
  expect(asked.at(-1)?.slice(0, 3)).toEqual(['state_call', 'Maths_twice', '0x04']);
  openLink(linkOf(5));
  flushSync();
  expect([field(), answer()]).toEqual(['5', null]);
  press(page, 'Call');
  await vi.waitFor(() => expect(answer()?.textContent).toMatch(/\b10\b/));
});

it('a runtime is not called with an older argument while the JSON of it does not parse', () => {
  const { context } = openContext(() => '0x00');
  openLink(linkOf(4));
  const page = mountIn(context, ApiCall, { meta, hash: null, api: 'Maths', method } as never);
  const call = () => page.querySelector<HTMLButtonElement>('[type="submit"]');
  press(page, 'JSON');
  typeIn(page.querySelector('textarea'), '5,');
  expect(call()?.disabled).toBe(true);
  press(page, 'Form');
  expect([page.querySelector('input'), call()?.disabled]).toEqual([null, true]);
  press(page, 'Discard the text');
  expect([page.querySelector('input')?.value, call()?.disabled]).toEqual(['4', false]);
});

it('each argument of a runtime call is below its name, at any width', () => {
  const { context } = openContext(() => '0x00');
  openLink('#/runtime/apis/Maths/add');
  const add = { ...method, name: 'add', inputs: ['of', 'to'].map((name) => ({ name, type: 0 })) };
  const page = mountIn(context, ApiCall, { meta, hash: null, api: 'Maths', method: add } as never);
  const args = [...page.querySelectorAll('section')].map((one) => [...one.querySelectorAll('h3, input')]) as [
    Element,
    Element,
  ][];
  expect(args.map(([label]) => label.textContent)).toEqual(['of u8', 'to u8']);
  expectColumns(page, args, Number.POSITIVE_INFINITY);
});
