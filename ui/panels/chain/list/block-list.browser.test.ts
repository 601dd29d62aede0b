import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it, onTestFinished, vi } from 'vitest';
import '../../../tokens.css';
import '../../../panels.css';
import { mountIn, openContext, paintFor, press, settle } from '../../../testing/open-page.ts';
import BlockList from './BlockList.svelte';
import BlockRow from './BlockRow.svelte';
import { layoutTree } from './layout-tree.ts';
import type { Span } from './list-rows.ts';

const openList = (best: number, isEmpty = true, named: string | null = null, floor = 0) => {
  const at = new SvelteMap([
    ['best', best],
    ['forks', 0],
    ['floor', floor],
    ['leftFrom', 1],
    ['leftTo', 0],
  ]);
  const top = () => at.get('best') ?? 0;
  const numbers = (low = at.get('floor') ?? 0) =>
    Array.from({ length: top() + 1 - low }, (_, back) => top() - back);
  const loads: string[] = [];
  const tree = {
    slotMs: 1,
    load: async ({ low, high }: Span) => void loads.push(`${low} to ${high}`),
    include: async (hash: string) => {
      loads.push(hash);
      await Promise.resolve();
      at.set('leftFrom', top() + 1);
    },
    get layout() {
      const blocks = [...numbers(), ...(at.get('floor') === 0 ? [] : [1, 0])].map((number) => ({
        hash: `b${number}`,
        parent: `b${number - 1}`,
        number,
        timeMs: number,
        isEmpty,
      }));
      for (let fork = 0; fork < (at.get('forks') ?? 0); fork += 1)
        blocks.push({ hash: `f${fork}`, parent: `b${top() - 1}`, number: top(), timeMs: top(), isEmpty });
      for (let number = at.get('leftFrom') ?? 0; number <= (at.get('leftTo') ?? 0); number += 1) {
        const parent = number === top() + 1 ? `b${top()}` : `x${number - 1}`;
        blocks.push({ hash: `x${number}`, parent, number, timeMs: number, isEmpty });
      }
      const above = blocks.flatMap(({ number }) => (number > top() ? [[number, null] as const] : []));
      const canonical = new Map([...numbers(0).map((number) => [number, `b${number}`] as const), ...above]);
      return layoutTree(blocks, { best: `b${top()}`, finalized: 0, canonical });
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
    narrow: () => false,
    olderFault: null,
    loadOlder: async () => {
      loads.push('older');
      at.set('floor', Math.max(0, (at.get('floor') ?? 0) - 40));
    },
  };
  const { context } = openContext(() => null);
  const props = {
    tree,
    chain,
    words: { of: () => null, want: () => undefined },
    edited: new Set(),
  };
  const picks = {
    selected: null,
    named,
    picked: null,
    onselect: () => undefined,
    onopen: () => undefined,
  };
  let list = {} as ReturnType<typeof BlockList>;
  const keep = (...args: Parameters<typeof BlockList>) => (list = BlockList(...args));
  const page = mountIn(context, keep as never, { ...props, ...picks } as never);
  return { at, page, list, loads, glowing: () => [...page.querySelectorAll('.fresh')].map((row) => row.id) };
};

it('a gap names its blocks, whether one, two or many, and how many of them a click loads', () => {
  const { context } = openContext(() => null);
  for (const [low, high, text] of [
    [16, 16, 'Block #16 is not loaded. Load'],
    [16, 17, 'Blocks #16 and #17 are not loaded. Load 2'],
    [16, 90, 'Blocks #16 to #90 are not loaded. Load 40'],
  ] as const) {
    const row = { key: 'gap:a', lane: 0, standing: null, blocks: [], kind: 'gap', span: { low, high } };
    const place = { index: 0, height: 28, edges: [], lanes: 1, laneRoom: 84 };
    const page = mountIn(context, BlockRow, { row, place, words: { of: () => null }, heads: {} } as never);
    expect(page.textContent.replace(/\s+/g, ' ').trim()).toBe(text);
  }
});

it('a gap in view loads itself to its end, one that is long or out of view does not', async () => {
  const gapsOf = (page: HTMLElement) =>
    [...page.querySelectorAll('tr')].filter((row) => row.textContent.includes('not loaded'));
  const near = openList(300, true, null, 261);
  await vi.waitFor(() => expect(near.page.textContent).toMatch(/empty blocks/));
  await vi.waitFor(() => expect(gapsOf(near.page)).toEqual([]));
  expect(near.loads).toEqual(Array(7).fill('older'));
  const long = openList(3000, true, null, 2961);
  await vi.waitFor(() => expect(long.loads).toHaveLength(10));
  await vi.waitFor(() => expect(long.page.textContent).toContain(' are not loaded. Load 40'));
  const tall = openList(300, false, null, 261);
  tall.page.style.cssText = 'display: flex; width: 600px; height: 300px';
  const graph = tall.page.querySelector('table');
  await vi.waitFor(() => expect(graph?.clientHeight).toBe(300));
  await settle();
  const before = tall.loads.length;
  await settle();
  expect(tall.loads).toHaveLength(before);
  graph?.scrollTo(0, graph.scrollHeight);
  await vi.waitFor(() => expect(tall.loads).toHaveLength(before + 1));
});

it('a gap separates the blocks of a fork that a rollback left from the best one, until those between are loaded', async () => {
  const { at, page, loads } = openList(12, false);
  at.set('leftFrom', 37);
  at.set('leftTo', 37);
  flushSync();
  const names = () => [...page.querySelectorAll('tr')].slice(0, 3).map(({ ariaLabel }) => ariaLabel);
  expect(names()).toEqual([
    'Block #37, not on the best chain',
    'Fork not loaded below #37',
    'Block #12, on the best chain',
  ]);
  await vi.waitFor(() => expect(loads).toEqual(['x36']));
  await vi.waitFor(() => expect(names()[1]).toBe('24 blocks, #13 to #36'));
  expect(page.textContent).not.toContain('not loaded');
});

it('the folded blocks of a fork have a mark in its lane, and say whose they are', () => {
  const { context } = openContext(() => null);
  const row = {
    key: 'fold:a',
    lane: 1,
    standing: 'lost',
    blocks: [{}, {}],
    kind: 'fold',
    span: { low: 9, high: 32 },
  };
  const place = { index: 0, height: 26, edges: [], lanes: 2, laneRoom: 84 };
  const page = mountIn(context, BlockRow, { row, place, words: { of: () => null }, heads: {} } as never);
  expect(page.textContent).toContain('abandoned fork');
  expect(page.querySelectorAll('circle').length).toBe(1);
});

it('a new block is highlighted; the blocks of an unfolded run are not, and the run folds again', () => {
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

it('the list stays as it is under the mouse, counts what is new, and shows it when the mouse leaves', () => {
  const { at, page, list } = openList(12);
  const table = page.querySelector('table');
  const newest = () => page.querySelector('[data-block]')?.id;
  const move = (movementX: number) => {
    table?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse', movementX }));
    flushSync();
  };
  const leave = (from: Element | null | undefined) => {
    from?.dispatchEvent(new PointerEvent('pointerleave'));
    flushSync();
  };
  const grow = (best: number) => {
    at.set('best', best);
    flushSync();
  };
  // A list that appears under a resting mouse is not hovered.
  move(0);
  grow(13);
  expect(newest()).toBe('row-b13');
  move(1);
  grow(15);
  expect(newest()).toBe('row-b13');
  expect(list.countNew()).toBe(2);
  leave(table?.parentElement);
  expect([newest(), list.countNew()]).toEqual(['row-b15', 0]);
});

it('only the number of a new block flashes: a whole row would look selected', () => {
  const { at, page } = openList(1);
  at.set('best', 2);
  flushSync();
  const row = page.querySelector('#row-b2');
  const glows = [...(row?.querySelectorAll('*') ?? []), row].filter(
    (one) => one && getComputedStyle(one).animationName.endsWith('glow'),
  );
  expect(glows.map((one) => one?.textContent)).toEqual(['#2']);
});

it('a long list renders only the rows near the viewport, wherever it is scrolled to', async () => {
  const { page } = openList(2000, false);
  page.style.cssText = 'display: flex; width: 600px; height: 500px';
  const graph = page.querySelector('table');
  const rows = () => page.querySelectorAll('[id^="row-"]');
  await vi.waitFor(() => expect(rows().length).toBeLessThan(60));
  expect(rows()[0]?.id).toBe('row-b2000');
  graph?.scrollTo(0, 30_000);
  await vi.waitFor(() => expect(rows()[0]?.id).not.toBe('row-b2000'));
  expect(rows().length).toBeLessThan(80);
  // On paper, they are all there is, and begin at the top; the paper says so. A copy, which renders nothing more.
  const [from, to] = [rows()[0], [...rows()].at(-1)].map((row) => row?.getAttribute('aria-rowindex'));
  const paper = page.cloneNode(true) as HTMLElement;
  page.replaceWith(paper);
  onTestFinished(() => paper.remove());
  const look = () => {
    const [list, row] = ['table', 'tr'].map((of) => paper.querySelector(of) as Element);
    const top = (row?.getBoundingClientRect().top ?? 0) - (list?.getBoundingClientRect().top ?? 0);
    return [top < 40, getComputedStyle(list as Element, '::before').content];
  };
  expect(look()).toEqual([false, 'none']);
  await paintFor('print');
  expect(look()).toEqual([true, expect.stringContaining(`Printed: rows ${from}–${to} of 2\u202f001`)]);
});

it('the row that the URL names stays in view when forks above it are found, until the user scrolls', async () => {
  const { at, page } = openList(60, false, 'b56');
  page.style.cssText = 'display: flex; width: 600px; height: 300px';
  const graph = page.querySelector('table');
  const isInView = () => {
    const [row, list] = [page.querySelector('#row-b56'), graph].map((one) => one?.getBoundingClientRect());
    return row !== undefined && list !== undefined && row.top >= list.top && row.bottom <= list.bottom;
  };
  await vi.waitFor(() => expect([graph?.clientHeight, isInView()]).toEqual([300, true]));
  at.set('forks', 20);
  await vi.waitFor(() => expect([graph?.scrollTop === 0, isInView()]).toEqual([false, true]));
  graph?.scrollTo(0, 0);
  await vi.waitFor(() => expect(page.querySelector('#row-b60')).not.toBeNull());
  at.set('forks', 21);
  flushSync();
  expect(graph?.scrollTop).toBe(0);
});

it('rows become higher when a finger takes the place of the mouse, as on a tablet that is taken off its keyboard', () => {
  const media = Object.assign(new EventTarget(), { matches: false });
  const mock = vi.spyOn(window, 'matchMedia').mockReturnValue(media as never);
  onTestFinished(() => mock.mockRestore());
  const { page } = openList(6, false);
  const heights = () => [...page.querySelectorAll('tr')].map((row) => (row as HTMLElement).style.height);
  expect(new Set(heights())).toEqual(new Set(['50px', '30px']));
  media.matches = true;
  media.dispatchEvent(new Event('change'));
  flushSync();
  expect(new Set(heights())).toEqual(new Set(['56px', '44px']));
});
