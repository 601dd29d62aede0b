import { flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import App from '../App.svelte';
import { chooseTheme } from '../page/theme.svelte.ts';
import { loadPanel, panels } from '../panels.ts';
import { ChainBook } from '../session/chain-book.svelte.ts';
import { Session } from '../session/session.svelte.ts';
import { openNode, paintFor, press, widen } from '../testing/open-page.ts';
import '../base.css';
import '../tokens.css';
import '../panels.css';
import Workbench from './Workbench.svelte';

const openApp = (open = () => openNode(() => new Promise(() => undefined)).node) => {
  const session = new Session(async () => open(), new ChainBook());
  const app = mount(App, { target: document.body, props: { session } });
  onTestFinished(async () => {
    await unmount(app);
    localStorage.clear();
    location.hash = '';
  });
  return session;
};

it('a key that opens another panel moves the focus there', async () => {
  await openApp().begin();
  flushSync();
  document.querySelector<HTMLElement>('main input, main a')?.focus();
  for (const { key, label } of panels.toReversed()) {
    (document.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true }),
    );
    await vi.waitFor(() => expect(document.title).toContain(label));
    expect(document.activeElement?.closest('main')?.ariaLabel).toBe(label);
  }
});

it('a switch to another chain, also while a panel loads, leaves no warning in the console', async () => {
  const warnings = vi.spyOn(console, 'warn');
  const errors = vi.spyOn(console, 'error');
  const session = openApp();
  const origin = { kind: 'preset', preset: 'development' } as const;
  const chains = [...session.book.entries, await session.book.create('Other', origin)];
  for (const panel of panels)
    for (const chain of chains) {
      await session.start(chain);
      location.hash = `#/@${chain.id}/${panel.id}`;
      await vi.waitFor(() => expect(document.title).toContain(`${panel.label} · ${chain.name}`));
      flushSync();
      const loading = loadPanel(panel);
      await session.start(chains.find((one) => one !== chain) ?? chain);
      flushSync();
      await loading;
    }
  expect([...warnings.mock.calls, ...errors.mock.calls].flat()).toEqual([]);
});

it('a switch to another chain gives the focus to its page, but the first chain does not take it', async () => {
  const session = openApp();
  await session.begin();
  flushSync();
  expect(document.activeElement).toBe(document.body);
  const other = await session.book.create('Other', { kind: 'preset', preset: 'development' });
  document.querySelector<HTMLElement>('header button')?.focus();
  await session.start(other);
  flushSync();
  expect(document.activeElement?.localName).toBe('main');
});

it('what runs when the tab with the node closes is told on the page that is mounted anew', async () => {
  const opened: ReturnType<typeof openNode>[] = [];
  const best = { hash: `0x${'0c'.repeat(32)}`, number: 12 };
  const built = vi.fn();
  const open = () => {
    const one = openNode((method) => {
      if (method === 'engine_createBlock') built();
      if (method === 'chain_getHeader')
        return { number: `0x${best.number.toString(16)}`, parentHash: best.hash, digest: { logs: [] } };
      return method === 'chain_getBlockHash' ? best.hash : new Promise(() => undefined);
    });
    opened.push(one);
    return one.node.with({ isElsewhere: true });
  };
  const session = openApp(open);
  await session.begin();
  flushSync();
  const { node } = session;
  await vi.waitFor(() => expect(document.querySelector('header')?.textContent).toContain('#12'));
  press(document.body, /^Seal/);
  const box = 'label[title^="Development accounts"] input';
  await vi.waitFor(() => expect(document.querySelector(box)).not.toBeNull());
  document.querySelector<HTMLInputElement>(box)?.click();
  await vi.waitFor(() => expect(document.body.textContent).toContain('demo traffic'));
  await vi.waitFor(() => expect(built).toHaveBeenCalled());
  const told = () => document.querySelector('header [role="alert"] span')?.textContent?.trim();
  expect(told()).toBeUndefined();
  opened.at(-1)?.lose();
  await vi.waitFor(() => expect(session.node).not.toBe(node));
  await vi.waitFor(() => expect(told()).toBeDefined());
  expect(told()).toBe(
    'The node restarted after #12. No answer: engine_createBlock (called at #12). The outcome is unknown. Demo traffic stopped after 0 transfers.',
  );
  press(document.body, /Dismiss/);
  expect(told()).toBeUndefined();
  // A page on which nothing ran has nothing to tell.
  opened.at(-1)?.lose();
  await session.begin();
  flushSync();
  expect(told()).toBeUndefined();
  // A switch of the clock restarts the node of this page.
  await vi.waitFor(() => expect(document.querySelector(box)).not.toBeNull());
  document.querySelector<HTMLInputElement>(box)?.click();
  await vi.waitFor(() => expect(document.querySelector('[title$="sent by this page"]')).not.toBeNull());
  if (session.entry) await session.start(session.entry);
  await vi.waitFor(() => expect(told()).toBe('Demo traffic stopped after 0 transfers.'));
});

it('on a phone the opened list of edits lies between the page and the panels’ links, which stay at the bottom', async () => {
  const hash = `0x${'01'.repeat(32)}`;
  const header = { number: '0x1', parentHash: hash, digest: { logs: [] } };
  const { node } = openNode((method) => {
    if (method === 'chain_getHeader') return header;
    return method === 'chain_getBlockHash' ? hash : new Promise(() => undefined);
  });
  const modes = { seal: { kind: 'manual' }, finality: { kind: 'manual' } };
  const status = async () =>
    ({ ...modes, sealFault: null, storageFault: null, modified: true, edited: [hash] }) as never;
  const edits = Array.from({ length: 40 }, (_, id) => ({
    id: `${id}`,
    key: '0xaa',
    before: null,
    after: null,
  }));
  localStorage.setItem('tabnode.edits.one', JSON.stringify(edits.map((edit) => ({ ...edit, block: hash }))));
  const target = document.createElement('div');
  document.body.append(target);
  widen(target, 390);
  target.style.height = `${innerHeight}px`;
  location.hash = '#/node';
  const session = { entry: { id: 'one', name: 'One' }, book: { modes: () => ({ clock: 'chain' }) } };
  const app = mount(Workbench, { target, props: { node: node.with({ status }), session: session as never } });
  onTestFinished(async () => {
    await unmount(app);
    target.remove();
    localStorage.clear();
    location.hash = '';
  });
  await vi.waitFor(() => expect(target.querySelector('details li')).not.toBeNull());
  target.querySelector('summary')?.click();
  const [page, list, rail] = ['main', 'details', 'nav'].map(
    (of) => target.querySelector(of)?.getBoundingClientRect() as DOMRect,
  );
  expect(page?.bottom).toBeLessThanOrEqual(list?.top ?? 0);
  expect(list?.bottom).toBeLessThanOrEqual(rail?.top ?? 0);
  expect(list?.height).toBeGreaterThan(100);
  expect(rail?.bottom).toBe(innerHeight);
});

it('a page is printed whole, dark on white, without the bars around it', async () => {
  const target = document.createElement('div');
  target.id = 'app';
  document.body.append(target);
  chooseTheme('dark');
  location.hash = '#/node/keys';
  const { node } = openNode(() => new Promise(() => undefined));
  const app = mount(Workbench, { target, props: { node, session: null } });
  onTestFinished(async () => {
    await unmount(app);
    target.remove();
    location.hash = '';
    chooseTheme('system');
  });
  await vi.waitFor(() => expect(target.querySelector('main h2')).not.toBeNull());
  const long = document.createElement('p');
  long.style.paddingTop = '4000px';
  target.querySelector('main h2')?.after(long);
  const bars = [...target.querySelectorAll<HTMLElement>('header, nav[aria-label="Panels"]')];
  const look = () => ({
    isWhole: target.getBoundingClientRect().bottom >= long.getBoundingClientRect().bottom,
    bars: bars.map((one) => one.offsetHeight > 0),
    scheme: getComputedStyle(document.documentElement).colorScheme,
  });
  expect(look()).toEqual({ isWhole: false, bars: [true, true], scheme: 'dark' });
  await paintFor('print');
  expect(look()).toEqual({ isWhole: true, bars: [false, false], scheme: 'light' });
});

it('who types “help” into the palette finds the keyboard shortcuts', async () => {
  await openApp().begin();
  flushSync();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
  const field = await vi.waitFor(() => {
    const found = document.querySelector<HTMLInputElement>('dialog [role="combobox"]');
    if (found === null) throw new Error('no palette');
    return found;
  });
  field.value = 'help';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await vi.waitFor(() => expect(document.querySelector('dialog [role="option"]')).not.toBeNull());
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await vi.waitFor(() =>
    expect(document.querySelector('dialog')?.getAttribute('aria-label')).toBe('Keyboard shortcuts'),
  );
});
