import { expect, it } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import { mountIn, openContext, widen } from '../../../testing/open-page.ts';
import BlockList from './BlockList.svelte';
import { layoutTree } from './layout-tree.ts';

const top = 1200;

const openList = (finalized = 0): HTMLElement => {
  const blocks = Array.from({ length: top + 1 }, (_, back) => top - back).map((number) => ({
    hash: `b${number}`,
    parent: `b${number - 1}`,
    number,
    timeMs: number,
    isEmpty: true,
  }));
  const heads = { best: top, finalized };
  const layout = layoutTree(blocks, { best: `b${top}`, finalized });
  const chain = {
    blocks,
    shownHeads: heads,
    fault: null,
    paused: false,
    hasOlder: false,
    narrow: () => false,
    olderFault: null,
  };
  return mountIn(openContext(() => null).context, BlockList, {
    tree: { slotMs: 1, layout },
    chain,
    words: { of: () => null, want: () => undefined },
    edited: new Set(),
    selected: null,
    named: null,
    picked: null,
    onselect: () => undefined,
    onopen: () => undefined,
  } as never);
};

it('the numbers of a long run and its words stay apart on a phone, and within it', () => {
  const page = openList();
  widen(page, 390);
  page.style.container = 'devtools / inline-size';
  const row = [...page.querySelectorAll('tr')].find((one) => /empty blocks/.test(one.textContent));
  const [, range, words] = row?.querySelectorAll('td') ?? [];
  expect(range?.textContent).toMatch(/1\s1/);
  const boxOf = (cell: Element | undefined): DOMRect => {
    const text = document.createRange();
    text.selectNodeContents(cell as Element);
    return text.getBoundingClientRect();
  };
  expect(boxOf(range).width).toBeGreaterThan(0);
  expect(boxOf(range).right).toBeLessThanOrEqual(boxOf(words).left);
  expect(boxOf(words).right).toBeLessThanOrEqual(page.getBoundingClientRect().right);
});

it('the newest finalized block is named also where it is folded into a run', () => {
  const row = [...openList(900).querySelectorAll('tr')].find((one) => /Finalized/.test(one.textContent));
  expect(row?.textContent).toMatch(/#0 – 900.*Finalized/s);
});
