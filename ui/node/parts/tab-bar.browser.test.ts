import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import ChainHead from '../../panels/chain/ChainHead.svelte';
import NodePanel from '../../panels/node/NodePanel.svelte';
import TabStrip from '../../panels/rpc/TabStrip.svelte';
import { mountIn, openContext, widen } from '../../testing/open-page.ts';
import TabBar from './TabBar.svelte';

it('the views of the node are in one row on a phone', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  // The node of this page can be offered to others.
  const page = mountIn({ ...context, session: { entry: null } } as never, NodePanel, {});
  widen(page, 390);
  const tabs = [...page.querySelectorAll('nav a')].map((one) => one.getBoundingClientRect());
  expect(tabs.length).toBe(6);
  expect(new Set(tabs.map(({ top }) => top)).size).toBe(1);
  expect(tabs.at(-1)?.right).toBeLessThanOrEqual(390);
});

it('every tab can be seen on a phone, and none is alone in a row', () => {
  const names = ['Charts', 'Call an API', 'All the pallets', 'Storage', 'Report', 'Other pages'];
  const tabs = names.map((label) => ({ id: label, label, href: '#/node' }));
  const page = mountIn(openContext(() => null).context, TabBar, { label: 'Views', tabs, open: 'Charts' });
  page.style.container = 'devtools / inline-size';
  page.style.width = '390px';
  const places = [...page.querySelectorAll('a')].map((one) => one.getBoundingClientRect());
  expect(places.length).toBe(6);
  expect(Math.max(...places.map(({ right }) => right))).toBeLessThanOrEqual(390);
  expect([...Map.groupBy(places, ({ top }) => top).values()].map((row) => row.length)).toEqual([3, 3]);
});

it('tabs of pages, of sections and of calls look the same at each width: the open one has a line below it', async () => {
  const { context } = openContext(() => null);
  const tabs = ['one', 'two'].map((label) => ({ id: label, label, href: '#/node' }));
  const calls = {
    tabs: [
      { id: 1, method: 'a', shownId: null },
      { id: 2, method: 'b', shownId: null },
    ],
    open: 0,
  };
  const addTab = createRawSnippet(() => ({ render: () => '<i></i>' }));
  const pages = [
    mountIn(context, TabBar, { label: 'Views', tabs, open: 'one' }),
    mountIn(context, ChainHead, { chain: context.chain, page: 'epoch', onfind: () => undefined }),
    mountIn(context, TabStrip, { tabs: calls, entryOf: () => null, addTab } as never),
  ];
  const looks = [1440, 390].flatMap((width) =>
    pages.map((page) => {
      widen(page, width);
      const open = page.querySelector('.tabs [aria-current]');
      const { borderBottomWidth, borderBottomColor, color, backgroundColor } = getComputedStyle(
        open as Element,
      );
      return [borderBottomWidth, borderBottomColor, color, backgroundColor].join();
    }),
  );
  expect(looks[0]).toMatch(/^2px/);
  expect(new Set(looks).size).toBe(1);
});

it('the tabs of a bar are level with the button beside them, and their line lies on that of the bar', () => {
  const children = createRawSnippet(() => ({ render: () => '<button>Record</button>' }));
  const tabs = [{ id: 'one', label: 'Traffic', href: '#/live' }];
  const { context } = openContext(() => null);
  const page = mountIn(context, TabBar, { label: 'Views', tabs, open: 'one', children });
  for (const row of ['28px', '44px']) {
    page.style.setProperty('--row', row);
    const [words, name] = ['a', 'button'].map((of) => {
      const range = document.createRange();
      range.selectNodeContents(page.querySelector(of) as Node);
      return range.getBoundingClientRect();
    });
    expect(Math.abs((words?.top ?? 0) - (name?.top ?? 99)), row).toBeLessThanOrEqual(1);
    const [bar, tab] = ['.bar', 'a'].map((of) => page.querySelector(of)?.getBoundingClientRect().bottom ?? 0);
    expect(tab, row).toBe((bar ?? 0) - 1);
  }
});
