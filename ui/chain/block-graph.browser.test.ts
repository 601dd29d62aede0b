import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it, vi } from 'vitest';
import { mountIn, openBench, press } from '../testing/open-page.ts';
import BlockGraph from './BlockGraph.svelte';
import { layoutTree } from './layout-tree.ts';

const openList = (best: number, isEmpty = true) => {
  const at = new SvelteMap([['best', best]]);
  const top = () => at.get('best') ?? 0;
  const numbers = () => Array.from({ length: top() + 1 }, (_, back) => top() - back);
  const tree = {
    slotMs: 1,
    get layout() {
      const blocks = numbers().map((number) => ({
        hash: `b${number}`,
        parent: `b${number - 1}`,
        number,
        timeMs: number,
        isEmpty,
      }));
      return layoutTree(blocks, { best: `b${top()}`, finalized: 0 });
    },
  };
  const chain = {
    get blocks() {
      return numbers().map((number) => ({ hash: `b${number}`, number, fresh: number > 0 }));
    },
    get shownHeads() {
      return { best: top(), finalized: 0 };
    },
    fault: null,
    paused: false,
    hasOlder: false,
    olderFault: null,
  };
  const { bench } = openBench(() => null);
  const props = {
    tree,
    chain,
    words: { of: () => null, want: () => undefined },
    edits: { hashes: new Set() },
  };
  const picks = {
    selected: null,
    named: null,
    picked: null,
    onselect: () => undefined,
    onopen: () => undefined,
  };
  const page = mountIn(bench, BlockGraph, { ...props, ...picks } as never);
  return { at, page, glowing: () => [...page.querySelectorAll('.fresh')].map((row) => row.id) };
};

it('a block that has just come glows; those of a run that is unfolded do not, and the run folds again', () => {
  const { at, page, glowing } = openList(12);
  at.set('best', 13);
  flushSync();
  expect(glowing()).toEqual(['row-b13']);
  press(page, /10\s+empty blocks/);
  expect(page.querySelector('#row-b5')).not.toBeNull();
  expect(glowing()).toEqual(['row-b13']);
  press(page, /10\s+empty blocks/);
  expect(page.querySelector('#row-b5')).toBeNull();
});

it('of a long list only the rows near the screen are laid out, wherever it is scrolled to', async () => {
  const { page } = openList(2000, false);
  page.style.cssText = 'display: flex; width: 600px; height: 500px';
  const graph = page.querySelector('table');
  const rows = () => page.querySelectorAll('[id^="row-"]');
  await vi.waitFor(() => expect(rows().length).toBeLessThan(60));
  expect(rows()[0]?.id).toBe('row-b2000');
  graph?.scrollTo(0, 30_000);
  await vi.waitFor(() => expect(rows()[0]?.id).not.toBe('row-b2000'));
  expect(rows().length).toBeLessThan(80);
});
