import { expect, it } from 'vitest';
import { openLink } from '../state/route.svelte.ts';
import { mountIn, openBench } from '../testing/open-page.ts';
import ChainAside from './ChainAside.svelte';

it('an address that names no extrinsic of a block says so, and leads to the block', () => {
  const { bench } = openBench(() => new Promise(() => undefined));
  openLink('#/chain/1/x');
  const props = { page: 'block', parts: ['1', 'x'], story: null, standing: null, slotMs: 6000 };
  const page = mountIn(bench, ChainAside, props as never);
  expect(page.querySelector('h2')?.textContent).toBe('There is no page “chain/1/x”');
  expect(page.querySelector('a')?.getAttribute('href')).toBe('#/chain/1');
});
