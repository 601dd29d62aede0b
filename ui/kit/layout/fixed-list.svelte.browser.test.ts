import { createRawSnippet, flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { mountIn, openContext } from '../../testing/open-page.ts';
import FixedList from './FixedList.svelte';

const open = (count: number) => {
  const rows = Array.from({ length: count }, (_, index) => index);
  const children = createRawSnippet((row: () => number) => ({
    render: () => '<span></span>',
    setup: (element) => {
      $effect(() => {
        element.textContent = `row ${row()}`;
      });
    },
  }));
  const props = $state({ rows, row: '--row-compact', follow: false, onscroll: () => undefined, children });
  const page = mountIn(openContext(() => null).context, FixedList as never, props as never);
  page.style.height = '280px';
  const view = page.querySelector<HTMLElement>('.view') as HTMLElement;
  return { page, props, view };
};

it('a screen reader hears the place of each row in the whole list, of which few are rendered', async () => {
  const { page, props, view } = open(5000);
  const places = () =>
    [...page.querySelectorAll('li')].map((one) => [
      Number(one.getAttribute('aria-posinset')),
      one.getAttribute('aria-setsize'),
      one.textContent,
    ]);
  await vi.waitFor(() => expect(places().length).toBeGreaterThan(10));
  expect(places().length).toBeLessThan(100);
  expect(places()[0]).toEqual([1, '5000', 'row 0']);
  view.scrollTop = 100_000;
  await vi.waitFor(() => expect(places()[0]?.[0]).toBeGreaterThan(3000));
  flushSync();
  for (const [at, size, text] of places()) expect([size, text]).toEqual(['5000', `row ${Number(at) - 1}`]);
  props.rows = props.rows.slice(0, 20);
  flushSync();
  expect(places().map(([, size]) => size)).toEqual(places().map(() => '20'));
});

it('the height of a row follows its token: rows for fingers are higher, and the scroll bar fits them', async () => {
  const { page, view } = open(1000);
  const token = () => Number.parseFloat(getComputedStyle(page).getPropertyValue('--row-compact'));
  const space = () => page.querySelector<HTMLElement>('.space')?.offsetHeight;
  await vi.waitFor(() => expect(space()).toBe(1000 * token()));
  onTestFinished(() => void document.documentElement.style.removeProperty('--row-compact'));
  document.documentElement.style.setProperty('--row-compact', '44px');
  await vi.waitFor(() => expect(space()).toBe(44_000));
  view.scrollTop = 22_000;
  await vi.waitFor(() => expect(page.textContent).toContain('row 500'));
});
