import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { openLink } from '../../kit/page/route.svelte.ts';
import { mountIn, openContext } from '../../testing/open-page.ts';
import PalletList from './PalletList.svelte';

it('keeps list links at the selected block, also after another one is selected', () => {
  const { context } = openContext(() => null);
  const pallets = [{ name: 'System', storage: { items: [] } }];
  openLink('#/storage?at=10');
  const page = mountIn(context, PalletList, { meta: { metadata: { pallets } } as never, picked: null });
  const link = () => page.querySelector('a')?.getAttribute('href');
  expect(link()).toBe('#/storage/System?at=10');
  openLink('#/storage?at=9');
  flushSync();
  expect(link()).toBe('#/storage/System?at=9');
});

it('opens the first match of the pallet filter on Enter', () => {
  const { context } = openContext(() => null);
  const pallets = ['System', 'Balances'].map((name) => ({ name, storage: { items: [] } }));
  const page = mountIn(context, PalletList, { meta: { metadata: { pallets } } as never, picked: null });
  const filter = page.querySelector('input');
  if (filter === null) throw new Error('no filter');
  const enter = () => filter.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  enter();
  expect(context.route.place.parts).toEqual([]);
  filter.value = 'bal';
  filter.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
  enter();
  expect(context.route.place.parts).toEqual(['Balances']);
});
