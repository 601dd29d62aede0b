import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it, vi } from 'vitest';
import '../../base.css';
import '../../panels.css';
import '../../tokens.css';
import { mountIn, openContext, widen } from '../../testing/open-page.ts';
import ChainHead from './ChainHead.svelte';

it('says in which zone the times of the list are, where they are shown; the hint of the field is whole', async () => {
  const { context } = openContext(() => ({ methods: ['dev_newBlock'] }));
  const page = mountIn(context, ChainHead, { chain: context.chain, page: 'none', onfind: () => undefined });
  await expect.poll(() => page.querySelectorAll('nav a').length).toBe(2);
  const isShown = (width: number) => {
    widen(page, width);
    const zone = [...page.querySelectorAll('i')].find(({ textContent }) => textContent === 'times in UTC');
    return zone?.checkVisibility();
  };
  expect([1440, 1024, 600, 390].map(isShown)).toEqual([true, true, true, false]);
  const field = page.querySelector('input');
  if (field === null) throw new Error('no field');
  const { fontSize, fontFamily } = getComputedStyle(field);
  const brush = new OffscreenCanvas(1, 1).getContext('2d');
  if (brush !== null) brush.font = `${fontSize} ${fontFamily}`;
  for (const width of [390, 320]) {
    widen(page, width);
    expect(page.scrollWidth).toBeLessThanOrEqual(width);
    const { paddingLeft, paddingRight } = getComputedStyle(field);
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    expect(brush?.measureText(field.placeholder).width).toBeLessThanOrEqual(room);
    // A second row only where one has no room.
    expect(page.firstElementChild?.clientHeight).toBeLessThanOrEqual(width === 390 ? 44 : 80);
  }
});

it('the number of new blocks has a place beside the field, where it hides nothing and moves nothing', async () => {
  const { context } = openContext(() => ({ methods: ['dev_newBlock'] }));
  const onnew = vi.fn();
  const waiting = new SvelteMap([['new', 0]]);
  const page = mountIn(context, ChainHead, {
    ...{ chain: context.chain, page: 'none', onfind: () => undefined, onnew },
    get waiting() {
      return waiting.get('new');
    },
  });
  await expect.poll(() => page.querySelectorAll('nav a').length).toBe(2);
  const button = () => page.querySelector<HTMLElement>('.end > .primary');
  for (const width of [1440, 1024, 390]) {
    widen(page, width);
    waiting.set('new', 0);
    flushSync();
    const height = page.firstElementChild?.clientHeight;
    expect(button()).toBeNull();
    waiting.set('new', 12);
    flushSync();
    expect(page.firstElementChild?.clientHeight, `${width} px`).toBe(height);
    expect(page.scrollWidth).toBeLessThanOrEqual(width);
    const field = page.querySelector('search')?.getBoundingClientRect();
    expect(button()?.getBoundingClientRect().right).toBeLessThanOrEqual(field?.left ?? 0);
  }
  button()?.click();
  expect(onnew).toHaveBeenCalledOnce();
});
