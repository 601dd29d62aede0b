import { expect, it } from 'vitest';
import '../base.css';
import '../tokens.css';
import { mountIn, openContext, widen } from '../testing/open-page.ts';
import ChainHead from './ChainHead.svelte';

it('says in which zone the times of the list are, where there is room', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const page = mountIn(context, ChainHead, { chain: context.chain, page: 'none', onfind: () => undefined });
  const isShown = (width: number) => {
    widen(page, width);
    const zone = [...page.querySelectorAll('span')].find(({ textContent }) => textContent === 'times in UTC');
    return zone?.checkVisibility();
  };
  expect([1440, 1024, 390].map(isShown)).toEqual([true, true, false]);
  expect(page.scrollWidth).toBeLessThanOrEqual(390);
});
