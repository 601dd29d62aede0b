import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { mountIn, openContext, press, typeIn, widen } from '../../testing/open-page.ts';
import ChainMenu from './ChainMenu.svelte';
import DropZone from './DropZone.svelte';
import NewChain from './NewChain.svelte';

const openSession = () => {
  const { context } = openContext((method, params) =>
    method === 'state_getRuntimeVersion' || method === 'dev_runtimeInfo'
      ? { specName: 'tabnode', specVersion: method === 'dev_runtimeInfo' ? 101 : 100, ...params }
      : null,
  );
  const session = {
    node: context.node,
    entry: { id: 'development', name: 'Development' },
    book: { find: () => null, entries: [], freeName: (name: string) => name },
  } as unknown as Session;
  return { context, session, onclose: () => undefined };
};

const wasm = () => new File([new Uint8Array([0, 0x61, 0x73, 0x6d])], 'my_runtime.wasm');

it('says what a new chain keeps, and what all states cost', async () => {
  const { session, context, ...props } = openSession();
  const create = vi.fn(async () => undefined);
  const page = mountIn(context, NewChain, { session: Object.assign(session, { create }), ...props });
  const box = page.querySelector<HTMLInputElement>('[type="checkbox"]');
  expect(box?.labels?.[0]?.textContent.trim()).toBe('Keep all states (archive)');
  expect(box?.checked).toBe(false);
  expect(page.textContent).toMatch(/older than the last 4.096 finalized blocks are discarded/);
  box?.click();
  flushSync();
  expect(page.textContent).toMatch(/8 kB with each empty block, 350 MB a day/);
  press(page, 'Create and start');
  await vi.waitFor(() => expect(create.mock.lastCall?.at(4)).toBe('archive'));
});

it('a runtime dropped on the form of a new chain is named, with its version against the running one', async () => {
  const { context, ...props } = openSession();
  const page = mountIn(context, NewChain, props);
  const origins = [...page.querySelectorAll<HTMLInputElement>('[type="radio"]')];
  expect(origins.map(({ labels }) => labels?.[0]?.textContent.trim())).toEqual([
    'Development (Alice)',
    'Local testnet (Alice and Bob)',
    'Fork a live chain',
    'Join a network',
    expect.stringMatching(
      /^A file: runtime \(\.wasm\), .*packed fork \(\.pack\), or blocks for the open\s+chain$/,
    ),
  ]);
  const choose = page.querySelector('.file .button') as HTMLElement;
  const words = document.createRange();
  words.selectNodeContents(choose.firstChild as Node);
  const [around, within] = [choose, words].map((one) => one.getBoundingClientRect());
  const above = (within?.top ?? 0) - (around?.top ?? 0);
  expect(Math.abs(above - (around?.bottom ?? 0) + (within?.bottom ?? 0)), 'in its middle').toBeLessThan(2);
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(wasm());
  const dropped = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
  page.querySelector('fieldset')?.dispatchEvent(dropped);
  expect(dropped.defaultPrevented).toBe(true);
  await vi.waitFor(() => expect(page.textContent).toMatch(/tabnode 101 – the open chain runs tabnode 100/));
  expect(page.querySelector('fieldset')?.textContent).toContain('my_runtime.wasm');
  // A preset can be picked again, and the file after it.
  const [development, , , , file] = page.querySelectorAll<HTMLInputElement>('[type="radio"]');
  development?.click();
  flushSync();
  expect(page.textContent).not.toContain('tabnode 101');
  file?.click();
  flushSync();
  await vi.waitFor(() => expect(page.textContent).toContain('tabnode 101'));
  const offerUpgrade = vi.fn();
  Object.assign(props.session, { offerUpgrade });
  press(page, 'Upgrade Development…');
  expect(offerUpgrade).toHaveBeenCalledWith({ name: 'my_runtime.wasm', bytes: expect.anything() });
});

it('a file from which no runtime can be read starts no chain and upgrades none', async () => {
  const { context } = openContext((method) => {
    if (method === 'dev_runtimeInfo') throw new Error('not a runtime');
    return null;
  });
  const session = { ...openSession().session, node: context.node } as unknown as Session;
  const file = {
    kind: 'runtime',
    name: 'damaged',
    fileName: 'damaged.wasm',
    wasm: new Uint8Array(4),
  } as const;
  const page = mountIn(context, NewChain, { session, file, onclose: () => undefined });
  const enabled = () =>
    [...page.querySelectorAll<HTMLButtonElement>('.body button:enabled')].map(({ textContent }) =>
      textContent.trim(),
    );
  expect(enabled()).toEqual(['Upgrade Development…', 'Create and start']);
  await vi.waitFor(() => expect(page.textContent).toContain('cannot read a runtime version'));
  expect(enabled()).toEqual([]);
});

it('the form of a chain that did not start says why, and keeps what was filled in', async () => {
  const { context, session } = openSession();
  const onclose = vi.fn();
  Object.assign(session, { create: async () => Promise.reject(new Error('Unknown preset: absent')) });
  const file = { kind: 'runtime', name: 'mine', fileName: 'mine.wasm', wasm: new Uint8Array(4) } as const;
  const page = mountIn(context, NewChain, { session, file, onclose });
  const fields = () => [...page.querySelectorAll<HTMLInputElement>('label > span + input:not([type])')];
  for (const [index, text] of ['absent', 'Mine'].entries()) typeIn(fields()[index], text);
  press(page, 'Create and start');
  await vi.waitFor(() => expect(page.querySelector('[role="alert"]')?.textContent).toMatch(/preset: absent/));
  expect(fields().map(({ value }) => value)).toEqual(['absent', 'Mine']);
  expect(onclose).not.toHaveBeenCalled();
});

it('Escape cancels the question about a chain, and then closes the menu', () => {
  const { context, session, ...props } = openSession();
  const entries = [{ id: 'one', name: 'Development', origin: { kind: 'preset', preset: 'development' } }];
  Object.assign(session.book, { entries });
  const page = mountIn(context, ChainMenu, { ...props, session, oncreate: () => undefined });
  const pressEscape = () => {
    const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(key);
    flushSync();
    return key.defaultPrevented;
  };
  for (const what of ['Duplicate', 'Rename']) {
    press(page, what);
    // The name can be typed at once.
    expect(document.activeElement).toBe(page.querySelector('li form input'));
    // The browser closes the dialog only if nobody prevents it.
    expect(pressEscape()).toBe(true);
    expect(page.querySelector('li form')).toBeNull();
  }
  expect(pressEscape()).toBe(false);
});

it('a chain is deleted by the same dialog as all else', async () => {
  const { context, session, onclose } = openSession();
  const entry = { id: 'one', name: 'Mine', origin: { kind: 'preset', preset: 'development' } };
  const remove = vi.fn();
  Object.assign(session.book, { entries: [entry] });
  Object.assign(session, { remove });
  const page = mountIn(context, ChainMenu, { session, onclose, oncreate: () => undefined });
  press(page, 'Delete');
  const dialog = page.querySelector('li dialog');
  expect([dialog?.matches(':modal'), dialog?.ariaLabel]).toEqual([
    true,
    'Delete “Mine” with all its blocks?',
  ]);
  press(page, 'Delete for good');
  await vi.waitFor(() => expect(remove).toHaveBeenCalledWith(entry));
  await vi.waitFor(() => expect(page.querySelector('li dialog')).toBeNull());
});

it('the list of chains is a menu below its button, and a dialog in the middle on a phone', () => {
  const { context, session, ...rest } = openSession();
  const entries = [{ id: 'one', name: 'Mine', origin: { kind: 'preset', preset: 'development' } }];
  Object.assign(session.book, { entries });
  const page = mountIn(context, ChainMenu, { ...rest, session, oncreate: () => undefined });
  const left = (width: number) => {
    widen(page, width);
    const { left, right } = page.querySelector('dialog')?.getBoundingClientRect() ?? new DOMRect();
    return { left, margin: innerWidth - right };
  };
  expect(left(1200).left).toBe(8);
  const phone = left(390);
  expect(
    new Set([...page.querySelectorAll<HTMLElement>('.acts > button')].map((one) => one.offsetTop)).size,
  ).toBe(1);
  expect(Math.abs(phone.left - phone.margin)).toBeLessThan(2);
});

it('says what to do about blocks that do not follow what the chain has finalized', async () => {
  const { context } = openContext((method) => {
    if (method !== 'dev_importChain') return null;
    throw new JsonRpcError(1, 'The parent of block #3 is below the finalized block', 'UnknownParent');
  });
  Object.assign(context.node, { status: async () => ({ seal: { kind: 'manual' } }) });
  const { session } = openSession();
  Object.assign(session, { node: context.node });
  const file = { kind: 'blocks', name: 'blocks.jsonl', count: 1, lines: ['{"block":{}}'] } as const;
  const page = mountIn(context, NewChain, { session, file, onclose: () => undefined });
  press(page, 'Import into Development');
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toBe(
      'The parent of block #3 is below the finalized block (0 of 1 block imported). Roll Development back to the last block it shares with the file, or import into a new chain from the same spec.',
    ),
  );
});

it.each([false, true])(
  'an import of blocks continues only into its own chain (Back was pressed: %s)',
  async (hasLeft) => {
    let asked = 0;
    const { session } = openSession();
    const { context } = openContext((method) => {
      if (method !== 'dev_importChain') return null;
      asked += 1;
      if (asked === 1) return { blocks: 25 };
      if (hasLeft) Object.assign(session, { entry: { id: 'other', name: 'Other' } });
      throw new Error('The connection closed');
    });
    Object.assign(session, { node: context.node });
    const lines = Array.from({ length: 30 }, (_, index) => `{"block":${index}}`);
    const file = { kind: 'blocks', name: 'blocks.jsonl', count: 30, lines } as const;
    const page = mountIn(context, NewChain, { session, file, onclose: () => undefined });
    press(page, 'Import into Development');
    await vi.waitFor(() =>
      expect(page.querySelector('[role="alert"]')?.textContent).toContain('25 of 30 blocks'),
    );
    const label = page.querySelector('dialog button.primary')?.textContent.trim();
    expect(label === 'Continue import', label).toBe(!hasLeft);
  },
);

it('a file that is not recognized, or one of several, starts no chain', async () => {
  const { context, session } = openSession();
  const page = mountIn(context, DropZone, { session });
  const drop = (...names: readonly string[]) => {
    const dataTransfer = new DataTransfer();
    for (const name of names) dataTransfer.items.add(new File(['?'], name));
    dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  };
  const dialog = () => page.querySelector('dialog');
  drop('one.txt');
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('one.txt is not a runtime'));
  expect(dialog()?.querySelectorAll('input, .primary')).toHaveLength(0);
  dialog()?.close();
  await vi.waitFor(() => expect(dialog()).toBeNull());
  drop('one.wasm', 'two.wasm');
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('Drop one file at a time.'));
});

it('an upgrade with a dropped runtime leaves for its page without a warning in the console', async () => {
  const { context, session } = openSession();
  // As a browser does when a page sets the fragment of its address.
  const offerUpgrade = () => dispatchEvent(new PopStateEvent('popstate'));
  const page = mountIn(context, DropZone, { session: Object.assign(session, { offerUpgrade }) });
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(wasm());
  dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  await vi.waitFor(() => expect(page.textContent).toContain('tabnode 101'));
  const warn = vi.spyOn(console, 'warn');
  const dialog = page.querySelector('dialog');
  const closed = new Promise((resolve) => dialog?.addEventListener('close', resolve));
  press(page, 'Upgrade Development…');
  expect(page.querySelector('dialog')).toBeNull();
  // Its event comes after its removal.
  if (dialog?.open === false) await closed;
  expect(warn).not.toHaveBeenCalled();
});
