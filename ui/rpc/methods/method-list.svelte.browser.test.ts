import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { mountIn, openContext } from '../../testing/open-page.ts';
import MethodList from './MethodList.svelte';

const rowOf = (method: string) => ({ method, info: null, folded: [] });
const groups = ['author', 'chain', 'state'].map((name) => ({
  name,
  rows: Array.from({ length: 15 }, (_, index) => rowOf(`${name}_method${index}`)),
}));

const openList = (method: string) => {
  const calls = $state({
    groups,
    filter: '',
    method,
    methods: { fault: null, list: ['a'] },
  });
  const props = { calls, named: method !== '', onrun: () => undefined };
  const page = mountIn(openContext(() => null).context, MethodList, props as never);
  page.style.cssText = 'display: grid; width: 270px; height: 400px';
  return { page, list: page.querySelector('.methods') };
};

it('wherever the list is scrolled to, its headings cut no row', async () => {
  const { page, list } = openList('state_method7');
  const isCut = () => {
    // The part that is visible below the headings begins here.
    const { top = 0 } = list?.getBoundingClientRect() ?? {};
    const rows = [...page.querySelectorAll('a')].map((row) => row.getBoundingClientRect());
    return rows.some((row) => row.top < top + 71.5 && row.bottom > top + 72.5);
  };
  for (const to of [37, 301, 488, 601]) {
    list?.scrollTo(0, to);
    await vi.waitFor(() => expect(isCut()).toBe(false));
    expect(Math.abs((list?.scrollTop ?? 0) - to)).toBeLessThan(48);
  }
});

it('the list opens at the legend of its marks', async () => {
  const { page, list } = openList('');
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const legend = [...page.querySelectorAll('p')].find(({ textContent }) => textContent.includes('+1:'));
  const head = list?.firstElementChild?.getBoundingClientRect().bottom ?? 0;
  expect(legend?.getBoundingClientRect().top).toBeGreaterThanOrEqual(head);
});
