import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import '../../../panels.css';
import { mountIn, openContext } from '../../../testing/open-page.ts';
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

it.each(['28px', '44px'])(
  'wherever the list is scrolled to, its headings cut no row: fields of %s',
  async (field) => {
    const { page, list } = openList('state_method7');
    page.style.setProperty('--row', field);
    const boxesOf = (names: string) =>
      [...page.querySelectorAll(names)].map((one) => one.getBoundingClientRect());
    const isCut = () => {
      const head = list?.firstElementChild?.getBoundingClientRect().bottom ?? 0;
      const stuck = boxesOf('h2').findLast(({ top }) => top < head + 1);
      if ((stuck?.top ?? head) < head - 1) return true;
      const edge = stuck?.bottom ?? head;
      return boxesOf('a').some(({ top, bottom }) => top < edge - 0.5 && bottom > edge + 0.5);
    };
    for (const to of [37, 301, 488, 601]) {
      list?.scrollTo(0, to);
      await vi.waitFor(() => expect(isCut()).toBe(false));
      expect(Math.abs((list?.scrollTop ?? 0) - to)).toBeLessThan(48);
    }
  },
);

it('the list opens at the legend of its marks', async () => {
  const { page, list } = openList('');
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const legend = [...page.querySelectorAll('p')].find(({ textContent }) => textContent.includes('+1:'));
  const head = list?.firstElementChild?.getBoundingClientRect().bottom ?? 0;
  expect(legend?.getBoundingClientRect().top).toBeGreaterThanOrEqual(head);
});
