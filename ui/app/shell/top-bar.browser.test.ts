import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { NodeStatus } from '../../../src/index.ts';
import '../../base.css';
import '../../tokens.css';
import type { Session } from '../../node/session/session.svelte.ts';
import { stateEdits } from '../../panels/storage/edits/state-edits.svelte.ts';
import { mountIn, openContext, widen, withStatus } from '../../testing/open-page.ts';
import Rail from './Rail.svelte';
import TopBar from './TopBar.svelte';

it('the pool in the bar follows what is sent from this page at once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['dev_status'] } : null,
  );
  let ready = 0;
  const status = async () =>
    ({
      ready,
      future: 0,
      sealFault: null,
      edited: [],
      specName: 'a',
      specVersion: 1,
    }) as unknown as NodeStatus;
  const page = mountIn(withStatus(context, status), TopBar, { session: null, onpalette: () => undefined });
  const pool = () => page.querySelector('[title$=" future"]')?.textContent?.trim();
  expect(pool(), 'before the node has said so').toBe('–');
  await vi.waitFor(() => expect(pool()).toBe('0'));
  ready = 3;
  await context.node.request('author_submitExtrinsic', ['0x00']);
  await vi.waitFor(() => {
    flushSync();
    expect(pool()).toBe('3');
  });
  vi.useRealTimers();
});

/** The bar of a chain with a block whose state was edited. */
const openEdited = () => {
  const hash = `0x${'01'.repeat(32)}`;
  const { context } = openContext((method) => (method === 'chain_getBlockHash' ? hash : { number: '0x1' }));
  const status = async () =>
    ({
      ready: 0,
      sealFault: null,
      seal: { kind: 'manual' },
      finality: { kind: 'manual' },
      modified: true,
      edited: [hash],
      specName: 'a',
      specVersion: 1,
    }) as never;
  const edited = withStatus(context, status);
  stateEdits(edited).add({ key: '0xaa', before: '0x0a', after: '0x0b', block: hash });
  return mountIn(edited, TopBar, { session: null, onpalette: () => undefined });
};

it('edits of the state are listed on every panel, with Undo', async () => {
  const page = openEdited();
  await vi.waitFor(() =>
    expect(page.querySelector('details li')?.textContent).toMatch(/before: 0x0a\s+Undo/),
  );
});

it('the bar says that a node is starting until its best block is known', async () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const bar = (of: typeof context) =>
    mountIn(of, TopBar, { session: null, onpalette: () => undefined }).querySelector('header')?.textContent;
  const starting = context.node.with({ starting: new Promise(() => undefined) });
  const chain = { best: null, finalized: 0, isCalm: true } as never;
  expect(bar({ ...context, node: starting, chain })).toContain('starting…');
  expect(bar({ ...context, node: starting })).not.toContain('starting…');
  expect(bar({ ...context, chain })).not.toContain('starting…');
});

it('the name of the chain is the heading of the page and its menu; the bar says which runtime runs', async () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['dev_status'] } : null,
  );
  const status = async () =>
    ({ ready: 0, future: 0, sealFault: null, edited: [], specName: 'tabnode', specVersion: 101 }) as never;
  const session = { entry: { id: 'one', name: 'Development' }, book: { modes: () => ({ clock: 'chain' }) } };
  const page = mountIn(withStatus(context, status), TopBar, { session, onpalette: () => undefined } as never);
  expect(page.querySelector('h1 > button')?.textContent).toContain('Development');
  expect(page.querySelector('button h1')).toBeNull();
  await vi.waitFor(() => {
    flushSync();
    expect(page.querySelector('a[href$="/runtime"]')?.textContent).toBe('tabnode 101');
  });
  const name = page.querySelector('h1 span');
  for (const width of [1440, 1200, 1024, 768, 600, 390]) {
    widen(page, width);
    expect((name?.scrollWidth ?? 0) - (name?.clientWidth ?? 0), `${width} px`).toBeLessThanOrEqual(0);
  }
});

it('a long name of a chain leaves room for the search and the runtime, and is shown whole on hover', async () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['dev_status', 'dev_setSealMode', 'engine_createBlock'] } : null,
  );
  const status = async () =>
    ({ ready: 0, future: 0, sealFault: null, edited: [], specName: 'tabnode', specVersion: 101 }) as never;
  const chain = { best: { number: 123_456, hash: '0x0c' }, finalized: 123_454, isCalm: true } as never;
  const entry = { id: 'one', name: 'W'.repeat(60) };
  const session = { entry, book: { modes: () => ({ clock: 'chain' }) } };
  const page = mountIn({ ...withStatus(context, status), chain }, TopBar, {
    session,
    onpalette: () => undefined,
  } as never);
  const version = () => page.querySelector<HTMLElement>('a[href$="/runtime"]');
  await vi.waitFor(() => {
    flushSync();
    expect(version()).not.toBeNull();
  });
  const cut = (of: Element | null | undefined) => (of?.scrollWidth ?? 0) > (of?.clientWidth ?? 0);
  const name = page.querySelector('h1 span');
  for (const width of [1920, 1440, 1200, 1024, 768, 600]) {
    widen(page, width);
    const words = page.querySelector('.palette .ellipsis');
    if (width > 900)
      expect([words?.textContent, cut(words)], `${width} px`).toEqual(['Search or run…', false]);
    if (width > 1400) expect(cut(version()), `runtime at ${width} px`).toBe(false);
    expect(name?.clientWidth, `name at ${width} px`).toBeGreaterThan(60);
    expect(cut(page), `${width} px`).toBe(false);
  }
  expect(page.querySelector<HTMLElement>('h1 button')?.title).toContain(entry.name);
});

it('on a phone the bars are one row each, and the numbers and buttons stay; no key is offered', () => {
  const offered = ['dev_status', 'dev_setSealMode', 'engine_createBlock'];
  const { context } = openContext((method) => (method === 'rpc_methods' ? { methods: offered } : null));
  const chain = { best: { number: 123_456, hash: '0x0c' }, finalized: 123_454, isCalm: true } as never;
  const session = { entry: { id: 'one', name: 'Development' }, book: { modes: () => ({ clock: 'chain' }) } };
  const page = mountIn({ ...context, chain }, TopBar, { session, onpalette: () => undefined } as never);
  const rail = mountIn(context, Rail, { open: 'chain', route: context.route, onhelp: () => undefined });
  for (const one of [page, rail]) {
    widen(one, 390);
    one.style.height = '844px';
  }
  const heightOf = (one: Element | null) => one?.getBoundingClientRect().height ?? 0;
  expect(heightOf(page.querySelector('header'))).toBeLessThanOrEqual(50);
  expect(heightOf(rail.querySelector('nav'))).toBeLessThanOrEqual(56);
  const seen = [...page.querySelectorAll('a, button, select')].filter((one) => one.checkVisibility());
  expect(seen.map((one) => one.ariaLabel ?? one.textContent?.trim().split(/\s/)[0])).toEqual([
    'Development',
    expect.stringMatching('Search or run'),
    expect.stringMatching(/Best block #123.456/),
    expect.stringMatching(/Finalized block #123.454/),
    'Seal mode',
    'Seal',
  ]);
  for (const one of seen) {
    const { right, height } = one.getBoundingClientRect();
    expect([right <= 390, height >= 24], one.outerHTML).toEqual([true, true]);
  }
  expect(rail.querySelector('button')?.checkVisibility()).toBe(false);
  const seal = seen.at(-1) as HTMLElement;
  // Its target fills the bar, what is painted of it does not.
  const { backgroundClip, borderTopWidth, borderTopColor } = getComputedStyle(seal);
  expect([backgroundClip, borderTopWidth, borderTopColor]).toEqual([
    'padding-box',
    '4px',
    'rgba(0, 0, 0, 0)',
  ]);
  expect([seal.innerText, getComputedStyle(seal).fontSize]).toEqual(['Seal', '13px']);
  context.sealing.applyStatus({ seal: { kind: 'manual' }, finality: { kind: 'instant' }, edited: [] });
  flushSync();
  expect(seal.innerText).toMatch(/^Seal\sand finalize$/);
  expect(seal.scrollWidth).toBeLessThanOrEqual(seal.clientWidth);
  expect(seal.getBoundingClientRect().right).toBeLessThanOrEqual(390);
  expect(heightOf(page.querySelector('header'))).toBeLessThanOrEqual(50);
});

it('the numbers have one weight, and what all chains store is not shown as if this one did', async () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['dev_status'] } : null,
  );
  const modes = { seal: { kind: 'manual' }, finality: { kind: 'instant' } };
  const status = async () =>
    ({ ...modes, ready: 7, future: 0, sealFault: null, edited: [], specName: 'a', specVersion: 1 }) as never;
  vi.spyOn(navigator.storage, 'estimate').mockResolvedValue({ usage: 1_000_000 });
  const page = mountIn(withStatus(context, status), TopBar, { session: null, onpalette: () => undefined });
  const numbers = () => [...page.querySelectorAll('dd.data')];
  await vi.waitFor(() => {
    flushSync();
    expect(numbers().map((one) => one.textContent?.trim())).toEqual(['#12', '#10', '7']);
  });
  const weights = numbers().map((dd) => getComputedStyle(dd.querySelector('a') ?? dd).fontWeight);
  expect([...new Set(weights)]).toEqual(['600']);
});

it('an edit of the state takes nothing from the bar, and nothing is cut', async () => {
  const { context } = openContext((method) => {
    if (method === 'rpc_methods') return { methods: ['dev_status', 'dev_setSealMode', 'engine_createBlock'] };
    if (method === 'chain_getHeader') return { number: '0xc' };
    return method === 'chain_getBlockHash' ? '0x0c' : null;
  });
  const modes = { seal: { kind: 'manual' }, finality: { kind: 'instant' } };
  const facts = { ready: 0, future: 0, sealFault: null, specName: 'tabnode', specVersion: 101 };
  const session = { entry: { id: 'one', name: 'Development' }, book: { modes: () => ({ clock: 'chain' }) } };
  const open = async (edits: { modified: boolean; edited: readonly string[] }) => {
    const status = async () => ({ ...facts, ...modes, ...edits }) as never;
    const page = mountIn(withStatus(context, status), TopBar, {
      session,
      onpalette: () => undefined,
    } as never);
    await vi.waitFor(() => {
      flushSync();
      expect(page.querySelector('.warn')?.textContent ?? '').toBe(edits.modified ? 'edited' : '');
      expect(page.querySelector('a[href$="/runtime"]')?.textContent).toBe('tabnode 101');
    });
    return page;
  };
  const clean = await open({ modified: false, edited: [] });
  const edited = await open({ modified: true, edited: ['0x0c'] });
  const shown = (page: HTMLElement) =>
    [...page.querySelectorAll<HTMLElement>('header :is(a, button, select, dd, .tag)')].filter((one) =>
      one.checkVisibility(),
    );
  const textsOf = (page: HTMLElement) => shown(page).map((one) => one.innerText);
  for (const width of [1600, 1440, 1410, 1280, 1024]) {
    for (const page of [clean, edited]) widen(page, width);
    expect(
      textsOf(edited).filter((text) => text !== 'edited'),
      `${width} px`,
    ).toEqual(textsOf(clean));
    expect(edited.querySelector('header')?.clientHeight, `${width} px`).toBe(
      clean.querySelector('header')?.clientHeight,
    );
    for (const one of shown(edited)) {
      const cut = Math.max(
        ...[one, ...one.querySelectorAll('span')].map((of) => of.scrollWidth - of.clientWidth),
      );
      if (getComputedStyle(one).display !== 'inline')
        expect(cut, `${one.innerText} at ${width} px`).toBeLessThanOrEqual(0);
      expect(one.getBoundingClientRect().right, `${one.innerText} at ${width} px`).toBeLessThanOrEqual(width);
    }
  }
  // Where the room is short, the name stays whole.
  for (const width of [768, 390]) {
    widen(edited, width);
    const name = edited.querySelector('h1 span');
    expect((name?.scrollWidth ?? 0) - (name?.clientWidth ?? 0), `${width} px`).toBeLessThanOrEqual(0);
  }
});

it('says so if the code of the list of edits does not load', async () => {
  vi.doMock('../../panels/storage/StoragePanel.svelte', () => Promise.reject(new Error('offline')));
  const page = openEdited();
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toBe('The edits couldn’t load'),
  );
});

it('a note of the bar has a line of its own: it lies over nothing of the panel', () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['engine_createBlock'] } : null,
  );
  context.sealing.news = 'Finality is instant now, the default for this seal mode.';
  const page = mountIn(context, TopBar, { session: null, onpalette: () => undefined });
  const boxOf = (of: string) => page.querySelector(of)?.getBoundingClientRect() as DOMRect;
  for (const width of [1440, 1024, 390]) {
    widen(page, width);
    const [bar, seal, note] = [boxOf('header'), boxOf('.primary'), boxOf('p')];
    expect(note.top, `${width} px`).toBeGreaterThanOrEqual(seal.bottom);
    expect(note.bottom, `${width} px`).toBeLessThanOrEqual(bar.bottom);
    expect(note.right, `${width} px`).toBeLessThanOrEqual(width);
  }
});

it('a chain of which only a part was imported is marked as such', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const entry = { id: 'copy', name: 'Copy', isPartial: true };
  const session = {
    entry,
    book: { modes: () => ({ clock: 'chain' }) },
    inMemory: false,
  } as unknown as Session;
  const page = mountIn(context, TopBar, { session, onpalette: () => undefined });
  const tag = page.querySelector<HTMLElement>('.tag.warn');
  expect(tag?.textContent.trim()).toMatch(/^import\sunfinished$/);
  expect(tag?.title).toContain('Drop its file again to import the rest.');
});
