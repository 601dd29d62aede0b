import { expect, it, vi } from 'vitest';
import '../tokens.css';
import '../base.css';
import { openLink } from '../page/route.svelte.ts';
import { mountIn, openContext } from '../testing/open-page.ts';
import { useRealNode } from '../testing/real-node.ts';
import CompareBlocks from './CompareBlocks.svelte';

const real = useRealNode();

it('writes times, digests and missing values in words, and marks only values as old and new', async () => {
  await real.request('dev_newBlock', []);
  const { context } = openContext((method, params) => real.request(method, params));
  openLink('#/storage/diff?from=1&to=2');
  const page = mountIn(context, CompareBlocks, { meta: real.meta });
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
