import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { openLink } from '../../kit/page/route.svelte.ts';
import { mountIn, openContext, press, settle, typeIn } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import CompareBlocks from './CompareBlocks.svelte';

const real = useRealNode();
const metadata = { of: async () => ({}) } as never;
const hashOf = (number: number): string => `0x${String(number).padStart(64, '0')}`;

it('writes times, digests and missing values in words, and marks only values as old and new', async () => {
  await real.request('dev_newBlock', []);
  const { context } = openContext((method, params) => real.request(method, params));
  openLink('#/storage/diff?from=1&to=2');
  const page = mountIn(context, CompareBlocks, {});
  await vi.waitFor(() => expect(page.textContent).toContain('keys differ'));
  const rowOf = (name: string) =>
    [...page.querySelectorAll('li')].find((row) => row.querySelector('a')?.textContent.trim() === name);
  const texts = (name: string) =>
    [...(rowOf(name)?.querySelectorAll('span') ?? [])].map((one) => one.textContent);
  for (const text of texts('Now')) expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  expect(texts('Now').length).toBe(2);
  expect(texts('Digest')[1]).toMatch(/^\[PreRuntime BABE 0x[0-9a-f]+…[0-9a-f]+\]$/);
  const [before, after] = rowOf('BlockHash [1]')?.querySelectorAll('span') ?? [];
  expect(before?.textContent).toBe('not set');
  const signOf = (of: Element | undefined) => of && getComputedStyle(of, '::before').content;
  expect([signOf(before), signOf(after)]).toEqual(['none', '"+ "']);
});

it('updates the comparison with the URL, also on Back', async () => {
  const { context, asked } = openContext((method, params) => {
    if (method === 'chain_getBlockHash') return hashOf(Number(params[0]));
    if (method === 'chain_getHeader') return { number: `0x${Number(params[0]).toString(16)}` };
    return [];
  });
  openLink('#/storage/diff?from=1&to=2');
  const page = mountIn({ ...context, metadata }, CompareBlocks, {});
  const fields = () => [...page.querySelectorAll('input')].map(({ value }) => value);
  const compared = () =>
    asked.flatMap(([method, ...params]) => (method === 'state_getKeysPaged' ? params[3] : []));
  await vi.waitFor(() => expect(page.textContent).toContain('0 keys differ'));
  expect([fields(), compared()]).toEqual([
    ['1', '2'],
    [hashOf(1), hashOf(2)],
  ]);
  openLink('#/storage/diff?from=3&to=5');
  await vi.waitFor(() => expect(compared().slice(2)).toEqual([hashOf(3), hashOf(5)]));
  expect(fields()).toEqual(['3', '5']);
  openLink('#/storage/diff?from=1&to=2');
  flushSync();
  expect(fields()).toEqual(['1', '2']);
});

it('starts a comparison on submit, not while typing', async () => {
  const { context, asked } = openContext((method, params) =>
    method === 'chain_getBlockHash'
      ? hashOf(Number(params[0]))
      : method === 'chain_getHeader'
        ? { number: '0x1' }
        : [],
  );
  openLink('#/storage/diff?from=1&to=2');
  const page = mountIn({ ...context, metadata }, CompareBlocks, {});
  await vi.waitFor(() => expect(page.textContent).toContain('0 keys differ'));
  const before = asked.length;
  const [from] = page.querySelectorAll('input');
  typeIn(from, ' ');
  expect(page.querySelector<HTMLButtonElement>('[type="submit"]')?.disabled).toBe(true);
  expect(page.querySelector('form')?.textContent).toContain('Enter two blocks, each by number or hash.');
  typeIn(from, '7');
  expect(page.querySelector('form')?.textContent).not.toContain('Enter two blocks');
  await settle();
  expect(asked.length).toBe(before);
  press(page, 'Compare');
  expect(context.route.place.query.get('from')).toBe('7');
  await vi.waitFor(() => expect(asked.slice(before)).toContainEqual(['chain_getBlockHash', 7]));
});
