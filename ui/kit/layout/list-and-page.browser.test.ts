import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { mountIn, openContext, widen } from '../../testing/open-page.ts';
import ListAndPage from './ListAndPage.svelte';

const open = (isOpen: boolean) => {
  const text = (content: string) => createRawSnippet(() => ({ render: () => `<p>${content}</p>` }));
  const props = { label: 'All pallets', width: '240px', open: isOpen, back: '#/runtime' };
  const page = mountIn(openContext(() => null).context, ListAndPage, {
    ...props,
    list: text('the list'),
    children: text('the page'),
  });
  const boxOf = (name: string) =>
    [...page.querySelectorAll('p, a')]
      .find(({ textContent }) => textContent.includes(name))
      ?.getBoundingClientRect() ?? new DOMRect();
  return (width: number) => {
    widen(page, width);
    const [list, shown, back] = ['the list', 'the page', 'All pallets'].map(boxOf);
    const isBeside = (shown?.left ?? 0) >= (list?.right ?? 0);
    return [list, shown, back].map((box) => (box?.width ?? 0) > 0).concat(isBeside);
  };
};

it('a wide window has the list beside its page; a phone has one of them, and a way back from the page', () => {
  const [closed, opened] = [open(false), open(true)];
  expect([closed(1440), opened(1440)]).toEqual([
    [true, true, false, true],
    [true, true, false, true],
  ]);
  expect(closed(390).slice(0, 3)).toEqual([true, false, false]);
  expect(opened(390).slice(0, 3)).toEqual([false, true, true]);
});
