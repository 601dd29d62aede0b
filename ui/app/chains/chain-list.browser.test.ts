import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { linkToChain } from '../../kit/page/route.svelte.ts';
import { freeName } from '../../node/session/chain-entry.ts';
import { contrastOf, mountIn, openContext, press, typeIn, widen } from '../../testing/open-page.ts';
import ChainList from './ChainList.svelte';
import ChainMenu from './ChainMenu.svelte';

it('what changes or deletes a stored chain is apart from what names, copies and saves it', () => {
  const entry = { id: 'one', name: 'One', origin: { kind: 'spec' }, createdMs: 0 };
  const session = { entry, book: { entries: [entry], freeName: String }, node: null };
  const page = mountIn(openContext(() => null).context, ChainList, { session } as never);
  widen(page, 720);
  const buttons = [...page.querySelectorAll('.acts button')];
  expect(buttons.map((one) => one.textContent?.trim())).toEqual([
    'Rename',
    'Duplicate',
    'Export',
    'Repair…',
    'Delete',
  ]);
  const places = buttons.map((one) => one.getBoundingClientRect());
  const gaps = places.slice(1).map(({ left }, at) => Math.round(left - (places[at]?.right ?? 0)));
  expect(gaps.map((gap) => gap > 12)).toEqual([false, false, true, false]);
  const colors = buttons.slice(-2).map((one) => getComputedStyle(one).color);
  expect(colors[0], 'what cannot be undone has a color of its own').not.toBe(colors[1]);
  expect(contrastOf(buttons.at(-1) as Element)).toBeGreaterThanOrEqual(4.5);
  // A dialog of a phone.
  widen(page, 390);
  page.style.cssText += 'padding: 16px; width: 357px';
  expect(new Set(buttons.map((one) => one.getBoundingClientRect().top)).size).toBe(1);
  expect(buttons.at(-1)?.getBoundingClientRect().right).toBeLessThanOrEqual(357 - 24);
});

it('what a chain was made from is left out where its name says so', () => {
  const of = (id: string, name: string) => ({
    id,
    name,
    origin: { kind: 'preset', preset: 'development' },
    createdMs: 0,
  });
  const fork = {
    ...of('three', 'Fork of Polkadot Asset Hub at #25\u202f000\u202f000'),
    origin: { kind: 'fork', endpoints: ['wss://a'] },
  };
  const entries = [of('one', 'Development'), of('two', 'Mine'), fork];
  const session = { entry: null, book: { entries, freeName: String }, node: null };
  const page = mountIn(openContext(() => null).context, ChainList, { session } as never);
  widen(page, 720);
  const origins = [...page.querySelectorAll('li')].map(
    (row) => row.querySelector('.about')?.textContent ?? '',
  );
  expect(origins).toEqual(['', 'development', '']);
  const link = page.querySelectorAll('li > a')[2] as HTMLElement;
  expect([link.title, getComputedStyle(link).whiteSpace]).toEqual(['wss://a', 'normal']);
  // Whole, in the middle beside its buttons.
  expect(link.scrollWidth).toBeLessThanOrEqual(link.clientWidth);
  const middle = (one: Element | null | undefined): number => {
    const { top, bottom } = one?.getBoundingClientRect() ?? new DOMRect();
    return (top + bottom) / 2;
  };
  const [first] = page.querySelectorAll('li');
  expect(Math.abs(middle(first?.querySelector('a')) - middle(first?.querySelector('button')))).toBeLessThan(
    3,
  );
  expect(page.textContent).toMatch(/Duplicate.*Repair…/s);
  // Both would end the node, and with it a chain that is in memory.
  const stored = { entries: entries.slice(0, 2), freeName: String };
  const inMemory = { session: { ...session, book: stored, inMemory: true } } as never;
  expect(mountIn(openContext(() => null).context, ChainList, inMemory).textContent).not.toMatch(
    /Duplicate|Repair/,
  );
});

it('a name that is too long is not cut without a word', () => {
  const entry = { id: 'one', name: 'One', origin: { kind: 'spec' }, createdMs: 0 };
  const session = {
    entry,
    book: { entries: [entry], freeName: (name: string) => freeName(name, []) },
    node: null,
  };
  const page = mountIn(openContext(() => null).context, ChainList, { session } as never);
  press(page, 'Rename');
  typeIn(page.querySelector('form input'), 'n'.repeat(61));
  expect(page.querySelector('form [role="status"]')?.textContent?.trim()).toBe(
    `Names have at most 60 characters, this one has 61. This one will be named “${'n'.repeat(59)}…”.`,
  );
});

it('an export shows how far it is, and can be stopped', async () => {
  const held = Promise.withResolvers<void>();
  const { context } = openContext(async (method) => {
    if (method === 'dev_exportChain') await held.promise;
    return method === 'chain_getHeader' ? { number: '0x64' } : 'text';
  });
  const entry = { id: 'one', name: 'One', origin: { kind: 'spec' }, createdMs: 0, isPartial: true };
  const payload = vi.fn();
  const session = { entry, node: context.node, book: { entries: [entry], freeName: String, payload } };
  const page = mountIn(context, ChainList, { session } as never);
  expect(page.querySelector('li > .muted')?.textContent).toContain('unfinished import');
  press(page, 'Export');
  await vi.waitFor(() => expect(page.textContent).toMatch(/Exporting\s+0\s+of 100 blocks/));
  press(page, 'Stop');
  held.resolve();
  await vi.waitFor(() => expect(page.querySelector('progress')).toBeNull());
  expect(payload, 'nothing is saved').not.toHaveBeenCalled();
  expect(page.querySelector('[role="alert"]')).toBeNull();
});

it('the open chain is opened again if it cannot be copied, and the page then says why', async () => {
  const entry = { id: 'one', name: 'One', origin: { kind: 'spec' }, createdMs: 0 };
  const duplicate = async () => {
    duplicating.push(session.notice);
    throw new Error('The disk is full');
  };
  const start = vi.fn();
  const duplicating: unknown[] = [];
  const close = vi.fn(async () => {
    session.entry = null;
  });
  const session = {
    entry: entry as typeof entry | null,
    node: null,
    notice: null as string | null,
    close,
    start,
    book: { entries: [entry], freeName: String, duplicate },
  };
  const page = mountIn(openContext(() => null).context, ChainList, { session } as never);
  press(page, 'Duplicate');
  press(page.querySelector('form') as HTMLElement, 'Duplicate');
  await vi.waitFor(() => expect(start).toHaveBeenCalledWith(entry));
  expect(close).toHaveBeenCalledOnce();
  expect(duplicating).toEqual(['Copying “One”…']);
  expect(session.notice).toBe('“One” could not be duplicated: The disk is full');
  // A chain that was opened while this one was copied stays open.
  const other = { ...entry, id: 'two' };
  session.entry = entry;
  close.mockImplementationOnce(async () => {
    session.entry = other;
  });
  const again = mountIn(openContext(() => null).context, ChainList, { session } as never);
  press(again, 'Duplicate');
  press(again.querySelector('form') as HTMLElement, 'Duplicate');
  await vi.waitFor(() => expect(again.querySelector('form')).toBeNull());
  expect(start).toHaveBeenCalledOnce();
});

it('says that an edited state cannot be imported from the file', async () => {
  const { context } = openContext((method) => (method === 'chain_getHeader' ? { number: '0x1' } : 'text'));
  const entry = { id: 'one', name: 'One', origin: { kind: 'spec' }, createdMs: 0 };
  let modified = false;
  const node = context.node.with({ status: async () => ({ modified }) as never });
  const book = { entries: [entry], freeName: String, payload: async () => null, modes: () => ({}) };
  const page = mountIn(context, ChainList, { session: { entry, node, book } } as never);
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const save = async () => {
    saved.mockClear();
    press(page, 'Export');
    await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
    await vi.waitFor(() => expect(page.querySelector('progress')).toBeNull());
  };
  await save();
  expect(page.querySelector('[role="status"]')?.textContent).toBe(
    'Exported: the best chain, without its forks.',
  );
  modified = true;
  await save();
  expect(page.querySelector('[role="status"]')?.textContent).toContain('edited by hand');
});

it('by keys, the menu begins at the open chain, arrows lead to the others, and a form gives the focus back', async () => {
  const entries = ['one', 'two', 'three'].map((id) => ({
    id,
    name: id,
    origin: { kind: 'spec' },
    createdMs: 0,
  }));
  const book = { entries, freeName: String, rename: async () => undefined };
  const session = { entry: entries[1], book, node: null };
  const page = mountIn(openContext(() => null).context, ChainMenu, { session } as never);
  const at = () => document.activeElement?.getAttribute('href') ?? document.activeElement?.textContent;
  const key = (name: string) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
  expect(at()).toBe(linkToChain('two'));
  key('ArrowDown');
  expect(at()).toBe(linkToChain('three'));
  key('ArrowDown');
  expect(at()).toBe(linkToChain('three'));
  key('ArrowUp');
  key('ArrowUp');
  expect(at()).toBe(linkToChain('one'));
  for (const leave of [
    () => key('Escape'),
    () => press(page.querySelector('form.row') as HTMLElement, 'Rename'),
  ]) {
    const rename = page.querySelectorAll<HTMLElement>('.acts button')[0];
    rename?.focus();
    rename?.click();
    await vi.waitFor(() => expect(document.activeElement?.localName).toBe('input'));
    leave();
    await vi.waitFor(() => expect(at()).toBe(linkToChain('one')));
  }
});
