import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it } from 'vitest';
import { mountIn, openContext } from '../../testing/open-page.ts';
import AtBar from './AtBar.svelte';

it('calls the latest block live once there is one', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const found = new SvelteMap<'at', object>();
  const state = {
    what: null,
    isReading: false,
    get at() {
      return found.get('at') ?? null;
    },
  };
  const page = mountIn(context, AtBar, { state } as never);
  expect(page.innerText).not.toContain('live');
  const before = page.querySelector('form')?.offsetLeft;
  found.set('at', { hash: '0x00', number: 12, live: true });
  flushSync();
  expect(page.innerText).toContain('live');
  expect(page.querySelector('form')?.offsetLeft, 'nothing moves').toBe(before);
});
