import { expect, it } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import '../../../panels.css';
import AtBar from '../../../node/parts/AtBar.svelte';
import { mountIn, openContext } from '../../../testing/open-page.ts';
import MethodRow from '../../rpc/methods/MethodRow.svelte';
import SubscriptionColumn from './SubscriptionColumn.svelte';

/** A subscription in this state. */
const openColumn = (state: 'open' | 'refused', items: readonly unknown[] = []) => {
  const tail = { paused: false, still: false, waiting: 0, hold: () => undefined };
  const params = { method: 'chain_subscribeNewHeads', params: [], fault: new Error('no'), filter: '' };
  const subscription = {
    ...params,
    state,
    tail,
    items,
    seen: { total: 0, rate: 0 },
    tick: () => undefined,
  };
  const props = {
    subscription,
    meta: null,
    index: 0,
    count: 1,
    onmove: () => undefined,
    onclose: () => undefined,
  };
  const page = mountIn(openContext(() => null).context, SubscriptionColumn, props as never);
  page.style.height = '700px';
  return page;
};

it('everything in a column begins at one edge, that of the bar above it; so do its name and the rows', () => {
  const item = { id: 1, atMs: 0, value: 1 };
  const columns = [openColumn('open'), openColumn('open', [item]), openColumn('refused')];
  const edgesOf = (names: string) =>
    columns.flatMap((page) =>
      [...page.querySelectorAll(names)].map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const own = part.matches('.tag, input') ? part : range;
        return Math.round(own.getBoundingClientRect().left - page.getBoundingClientRect().left);
      }),
    );
  expect(new Set(edgesOf('.tag, input, .empty, [role="alert"] p, .line > button'))).toEqual(new Set([16]));
  expect(edgesOf('header h2, .what')).toEqual([36, 36, 36, 36]);
});

it('the edge of an alert in a column is as high as its text', () => {
  const page = openColumn('refused');
  const [alert, text] = ['[role="alert"]', '[role="alert"] > :last-child'].map((of) =>
    page.querySelector(of)?.getBoundingClientRect(),
  );
  expect((alert?.bottom ?? 700) - (text?.bottom ?? 0)).toBeLessThan(20);
});

it('what is live is marked the same everywhere', () => {
  const { context } = openContext(() => null);
  const info = { unsafe: false, deprecated: null, role: 'subscribe', doc: '' };
  const row = { method: 'a_subscribe', folded: [], info };
  const pages = [
    openColumn('open'),
    mountIn(context, MethodRow, {
      row,
      namespace: 'a',
      open: false,
      current: '',
      onkeydown: () => undefined,
    } as never),
    mountIn(context, AtBar, { state: { at: null, what: null, isReading: false } } as never),
  ];
  const looks = pages.map((page) => {
    page.style.color = 'black';
    const mark = [...page.querySelectorAll('span')].find(({ textContent }) => textContent.trim() === 'live');
    const { color, backgroundColor, fontSize, borderRadius } = getComputedStyle(mark as Element);
    return [color, backgroundColor, fontSize, borderRadius].join();
  });
  expect(new Set(looks)).toEqual(new Set([looks[0]]));
  expect(looks[0]).not.toContain('rgba(0, 0, 0, 0)');
});
