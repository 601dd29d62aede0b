import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import {
  contrastOf,
  expectMarked,
  mountIn,
  openContext,
  paintFor,
  widen,
} from '../../../testing/open-page.ts';
import BlockList from './BlockList.svelte';
import { layoutTree } from './layout-tree.ts';

type Block = Parameters<typeof layoutTree>[0][number];

const genesis = { bold: 'Genesis', text: '', more: '', isBad: false };

/** The list of these blocks, the newest of which is the best one. */
const openGraph = (
  blocks: readonly Block[],
  finalized: number,
  summary: unknown = genesis,
  edited: readonly string[] = [],
) => {
  const [{ hash: best = '', number = 0 } = {}] = blocks;
  const heads = { best: number, finalized };
  const layout = layoutTree(blocks, { best, finalized });
  const chain = {
    ...{ blocks, shownHeads: heads, fault: null, paused: false, hasOlder: false, olderFault: null },
    narrow: () => false,
  };
  const page = mountIn(openContext(() => null).context, BlockList, {
    tree: { slotMs: 1, layout },
    chain,
    words: { of: () => summary, want: () => undefined },
    edited: new Set(edited),
    selected: null,
    named: null,
    picked: 'b1',
    onselect: () => undefined,
    onopen: () => undefined,
  } as never);
  widen(page, 800);
  page.style.cssText += 'display: flex; flex-direction: column; height: 400px';
  return page;
};
const block = (hash: string, number: number, isEmpty = true): Block => ({
  hash,
  parent: `b${number - 1}`,
  number,
  timeMs: number,
  isEmpty,
});

it('the rows of the block list reach both edges of the panel, and the list has no border of its own', async () => {
  const page = openGraph([block('b1', 1), block('b0', 0, false)], 0);
  await vi.waitFor(() => expect(page.querySelectorAll('tr[data-hash]').length).toBe(2));
  const edgesOf = (of: Element | null) => {
    const { left, right } = of?.getBoundingClientRect() ?? {};
    return [left, right];
  };
  const rows = [...page.querySelectorAll('tr[data-hash]')];
  expect(edgesOf(rows[0] ?? null)).toEqual(edgesOf(page));
  expect(getComputedStyle(page.firstElementChild as Element).borderTopWidth).toBe('0px');
  // Genesis has one line, and the height of one.
  expect(new Set(rows.map((row) => row.getBoundingClientRect().height)).size).toBe(1);
});

it('in a contrast theme, the block that is shown is the marked one', async () => {
  await paintFor('contrast theme');
  const page = openGraph([block('b2', 2), block('b1', 1), block('b0', 0, false)], 0);
  await vi.waitFor(() => expect(page.querySelectorAll('tr[data-hash]').length).toBe(3));
  const rows = [...page.querySelectorAll('tr[data-hash]')];
  expect(rows.map((row) => getComputedStyle(row).borderLeftWidth)).toEqual(['0px', '2px', '0px']);
  expectMarked([...page.querySelectorAll('tr a')]);
});

for (const theme of ['light', 'dark'])
  it(`every word of an abandoned fork can be read: ${theme}`, async () => {
    const page = openGraph([block('b2', 2), block('b1', 1), block('x1', 1), block('b0', 0, false)], 1);
    page.style.colorScheme = theme;
    await vi.waitFor(() => expect(page.querySelector('tr.lost')?.textContent).toContain('abandoned fork'));
    const words = [...(page.querySelector('tr.lost')?.querySelectorAll('a, td, span') ?? [])];
    expect(words.length).toBeGreaterThan(4);
    expect(Math.min(...words.map(contrastOf))).toBeGreaterThanOrEqual(4.5);
  });

it('the words at the ends of the rows end at one edge, on forks too', async () => {
  const page = openGraph([block('b2', 2), block('b1', 1), block('x1', 1), block('b0', 0, false)], 1);
  widen(page, 390);
  await vi.waitFor(() => expect(page.querySelector('tr.lost .end')).not.toBeNull());
  const ends = ['tr.best', 'tr.final', 'tr.lost'].map((row) => {
    const range = document.createRange();
    range.selectNodeContents(page.querySelector(`${row} .end`) as Element);
    return Math.round(range.getBoundingClientRect().right);
  });
  const words = [...page.querySelectorAll('.end > span:not(.hash)')].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return Math.round(range.getBoundingClientRect().right);
  });
  expect([words.length, new Set([...words, ...ends]).size]).toEqual([3, 1]);
});

it('many forks have no more room than a few: the last lane counts those beyond it; their words recede', async () => {
  const forks = Array.from({ length: 30 }, (_, at) => ({ ...block(`x${at}`, 1, false), parent: 'b0' }));
  const page = openGraph([block('b1', 1, false), ...forks, block('b0', 0, false)], 0, {
    ...genesis,
    bold: 'Alice → Bob',
  });
  await vi.waitFor(() => expect(page.querySelectorAll('tr.fork').length).toBeGreaterThan(3));
  const svg = page.querySelector('tr.fork svg');
  expect(svg?.getBoundingClientRect().width).toBeLessThan(200);
  await vi.waitFor(() => {
    page.querySelector('table')?.scrollTo(0, 5000);
    expect([...page.querySelectorAll('tr')].at(-1)?.querySelector('text')).toBeNull();
  });
  page.querySelector('table')?.scrollTo(0, 0);
  await vi.waitFor(() => expect(page.querySelector('tr.best')).not.toBeNull());
  // Once, at the first of them, not at every row where one more of them begins.
  const counts = [...page.querySelectorAll('tr text')].map((one) => one.textContent?.replace(/\s+/g, ' '));
  expect(counts).toEqual(['More forks than are drawn: 21 +21']);
  const [mine, best] = ['fork', 'best'].map((standing) =>
    getComputedStyle(page.querySelector(`tr.${standing} b`) as Element),
  );
  expect([mine?.fontWeight, best?.fontWeight]).toEqual(['400', '600']);
  expect(mine?.color).not.toBe(best?.color);
});

it('in a narrow list, each hash leaves its mark alone, then the wait makes room; “Empty” and the fork stay whole', async () => {
  const hash = (name: string) => `0x${name.repeat(32)}`;
  const fork = (name: string, timeMs: number) => ({
    ...block(hash(name), 1),
    parent: hash('b0'),
    timeMs,
  });
  const blocks = [...['b1', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((name) => fork(name, 66_001))];
  const page = openGraph([...blocks, { ...block(hash('b0'), 0), timeMs: 1 }], 0, null);
  await vi.waitFor(() => expect(page.querySelectorAll('tr.fork').length).toBe(6));
  const row = page.querySelector('tr.fork') as Element;
  const one = (name: string) => row.querySelector(name) as HTMLElement;
  expect(row.getAttribute('aria-label')).toBe('Block #1, on a fork, 1.1 min after #0');
  expect([one('.wait').title, one('.wait').textContent]).toEqual(['1.1 min after #0', '1.1 min later']);
  const seen = (width: number) => {
    widen(page, width);
    const { right } = row.getBoundingClientRect();
    const isSeen = (name: string) => {
      const range = document.createRange();
      range.selectNodeContents(one(name));
      // The last box is that of the text.
      const text = [...range.getClientRects()].at(-1);
      return (text?.top ?? 0) < one(name).getBoundingClientRect().bottom;
    };
    expect(one('.none').scrollWidth).toBe(one('.none').clientWidth);
    expect(one('.wait + span').getBoundingClientRect().right).toBeLessThanOrEqual(right);
    return ['.wait', '.hash'].filter(isSeen);
  };
  expect(seen(900)).toEqual(['.wait', '.hash']);
  expect(seen(640)).toEqual(['.wait', '.hash']);
  const marks = [...page.querySelectorAll('tr .hash svg')].map((mark) => mark.getBoundingClientRect().right);
  expect([marks.length, new Set(marks).size]).toEqual([8, 1]);
  expect(seen(565)).toEqual(['.wait', '.hash']);
  expect(seen(484)).toEqual([]);
  const [mine, best] = ['fork', 'best'].map((standing) =>
    getComputedStyle(page.querySelector(`tr.${standing} .number a`) as Element),
  );
  expect([mine?.fontWeight, best?.fontWeight]).toEqual(['400', '600']);
  expect(mine?.color).not.toBe(best?.color);
});

it('a block that is the best and the finalized one says both', async () => {
  const page = openGraph([block('b1', 1), block('b0', 0, false)], 1);
  await vi.waitFor(() =>
    expect(page.querySelector('[data-hash="b1"]')?.textContent).toMatch(/Best\s+Finalized/),
  );
  expect(page.querySelector('[data-hash="b0"]')?.textContent).not.toMatch(/Best|Finalized/);
});

it('on a phone, the mark of an edited block leaves room to the name of its call', async () => {
  const summary = { ...genesis, bold: '', text: 'Balances.transfer_keep_alive' };
  const page = openGraph([block('b1', 1), block('b0', 0, false)], 1, summary, ['b1']);
  widen(page, 390);
  const one = (of: string) => page.querySelector(`[data-hash="b1"] ${of}`);
  await vi.waitFor(() => expect(one('.what')).not.toBeNull());
  expect(one('.end')?.textContent).toMatch(/edited\s+Best\s+Finalized/);
  expect(one('.what')?.clientWidth).toBeGreaterThan(130);
  const { width = 0, height = 0 } = one('.warn')?.getBoundingClientRect() ?? {};
  expect([width > 10, width < 24, height > 10]).toEqual([true, true, true]);
});
