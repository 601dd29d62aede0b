import { expect, it } from 'vitest';
import { openLink } from '../page/route.svelte.ts';
import { mountIn, openContext } from '../testing/open-page.ts';
import ChainAside from './ChainAside.svelte';

it('an address that names no extrinsic of a block says so, and leads to the block', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  openLink('#/chain/1/x');
  const props = { page: 'block', parts: ['1', 'x'], details: null, standing: null, slotMs: 6000 };
  const page = mountIn(context, ChainAside, props as never);
  expect(page.querySelector('h2')?.textContent).toBe('There is no page “chain/1/x”');
  expect(page.querySelector('a')?.getAttribute('href')).toBe('#/chain/1');
});
