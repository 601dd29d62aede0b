import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openLink } from '../page/route.svelte.ts';
import { mountIn, openContext, press, settle, typeIn } from '../testing/open-page.ts';
import ChildTries from './ChildTries.svelte';
import CompareBlocks from './CompareBlocks.svelte';
import EditList from './EditList.svelte';
import PalletList from './PalletList.svelte';
import { stateEdits } from './state-edits.svelte.ts';
import ValuePane from './ValuePane.svelte';

const hashOf = (number: number): string => `0x${String(number).padStart(64, '0')}`;
const keysOf = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `0x${String(from + index).padStart(8, '0')}`);

it('reads one page for two clicks on More, and each key once', async () => {
  const pages: PromiseWithResolvers<string[]>[] = [];
  const { context } = openContext((method, params) => {
    if (method === 'childstate_getStorageEntries') return (params[1] as string[]).map(() => '0x01');
    if (method === 'childstate_getStorage') return '0x01';
    const page = Promise.withResolvers<string[]>();
    pages.push(page);
    return page.promise;
  });
  const page = mountIn(context, ChildTries, { hash: null, id: '0xaa' });
  pages[0]?.resolve(keysOf(0, 200));
  await settle();
  await settle();
  expect(page.querySelectorAll('li').length).toBe(200);
  press(page, 'More');
  press(page, 'More');
  expect(pages.length).toBe(2);
  pages[1]?.resolve(keysOf(200, 3));
  await settle();
  await settle();
  expect(page.querySelectorAll('li').length).toBe(203);
});

it('does not mix the keys of two child tries', async () => {
  const pages = new Map<unknown, PromiseWithResolvers<string[]>>();
  const { context } = openContext((method, params) => {
    if (method === 'childstate_getStorageEntries') return (params[1] as string[]).map(() => '0x01');
    if (method === 'childstate_getStorage') return '0x01';
    const page = Promise.withResolvers<string[]>();
    pages.set(params[0], page);
    return page.promise;
  });
  const props = $state({ hash: null, id: '0xaa' });
  const page = mountIn(context, ChildTries, props);
  props.id = '0xbb';
  flushSync();
  pages.get('0xbb')?.resolve(keysOf(0, 2));
  await settle();
  pages.get('0xaa')?.resolve(keysOf(50, 5));
  await settle();
  await settle();
  expect(page.querySelectorAll('li').length).toBe(2);
});

it('updates the comparison with the URL, also on Back', async () => {
  const { context, asked } = openContext((method, params) => {
    if (method === 'chain_getBlockHash') return hashOf(Number(params[0]));
    if (method === 'chain_getHeader') return { number: `0x${Number(params[0]).toString(16)}` };
    return [];
  });
  openLink('#/storage/diff?from=1&to=2');
  const page = mountIn(context, CompareBlocks, { meta: {} as never });
  const fields = () => [...page.querySelectorAll('input')].map(({ value }) => value);
  const compared = () =>
    asked.flatMap(([method, ...params]) => (method === 'state_getKeysPaged' ? params[3] : []));
  await vi.waitFor(() => expect(page.textContent).toContain('0 keys differ'));
  expect([fields(), compared()]).toEqual([
    ['1', '2'],
    [hashOf(1), hashOf(2)],
  ]);
  openLink('#/storage/diff?from=3&to=5');
  await vi.waitFor(() => expect(compared().slice(2)).toEqual([hashOf(3), hashOf(5)]));
  expect(fields()).toEqual(['3', '5']);
  openLink('#/storage/diff?from=1&to=2');
  flushSync();
  expect(fields()).toEqual(['1', '2']);
});

it('starts a comparison on submit, not while typing', async () => {
  const { context, asked } = openContext((method, params) =>
    method === 'chain_getBlockHash'
      ? hashOf(Number(params[0]))
      : method === 'chain_getHeader'
        ? { number: '0x1' }
        : [],
  );
  openLink('#/storage/diff?from=1&to=2');
  const page = mountIn(context, CompareBlocks, { meta: {} as never });
  await vi.waitFor(() => expect(page.textContent).toContain('0 keys differ'));
  const before = asked.length;
  const [from] = page.querySelectorAll('input');
  if (from === undefined) throw new Error('no field');
  from.value = '7';
  from.dispatchEvent(new Event('input', { bubbles: true }));
  await settle();
  expect(asked.length).toBe(before);
  press(page, 'Compare');
  expect(context.route.place.query.get('from')).toBe('7');
  await vi.waitFor(() => expect(asked.slice(before)).toContainEqual(['chain_getBlockHash', 7]));
});

it('keeps the selected view of a live value, also for another block', async () => {
  const { context, subscribers } = openContext((method) =>
    method === 'state_getStorage' ? '0x0c' : new Promise(() => undefined),
  );
  const meta = { lookup: () => ({ type: 'primitive', value: 'u8' }), typeName: () => 'u8' };
  const entry = { pallet: 'System', name: 'Number', value: 0, fallback: '0x00', keys: [], isOptional: false };
  const props = $state<{ hash: string | null }>({ hash: null });
  const all = {
    meta: meta as never,
    entry: entry as never,
    key: '0xaa',
    get hash() {
      return props.hash;
    },
  };
  const page = mountIn(context, ValuePane, all);
  const tell = async (hex: string): Promise<void> => {
    subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', hex]] });
    await vi.waitFor(() =>
      expect(page.querySelector('.faces')?.textContent).toMatch(new RegExp(`${Number(hex)}|${hex.slice(2)}`)),
    );
  };
  await settle();
  await tell('0x0a');
  press(page, 'JSON');
  const faces = page.querySelector('.faces');
  expect(faces?.querySelector('pre')?.textContent).toBe('10');
  await tell('0x0b');
  expect(page.querySelector('.faces')).toBe(faces);
  expect(faces?.querySelector('pre')?.textContent).toBe('11');
  props.hash = hashOf(9);
  flushSync();
  // The previous value is marked as busy, not shown as that of the new block.
  expect(page.querySelector('[aria-busy="true"] .faces')).toBe(faces);
  await vi.waitFor(() => expect(faces?.querySelector('pre')?.textContent).toBe('12'));
  expect(page.querySelector('[aria-busy="true"]')).toBeNull();
  expect(page.querySelector('.faces')).toBe(faces);
  // It cannot be edited in place of the best block's value, which is still loading.
  props.hash = null;
  flushSync();
  expect(page.querySelector('[aria-busy="true"] .faces')).toBe(faces);
  expect(page.textContent).not.toContain('Edit value');
  await settle();
  await tell('0x0d');
  expect(page.textContent).toContain('Edit value');
});

it('reloads the history right after an edit, without waiting for the next block', async () => {
  const { context, asked, subscribers } = openContext((method, params) => {
    if (method === 'chain_getBlockHash') return hashOf(Number(params[0]));
    return method === 'state_queryStorage' ? [] : new Promise(() => undefined);
  });
  mountIn(context, ValuePane, { meta: null, entry: null, key: '0xaa', hash: null });
  const looked = () => asked.filter(([method]) => method === 'state_queryStorage').length;
  const tell = (hex: string) =>
    subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', hex]] });
  await settle();
  tell('0x0a');
  await vi.waitFor(() => expect(looked()).toBe(1));
  tell('0x0b');
  await vi.waitFor(() => expect(looked()).toBe(2));
});

it('asks before deleting a key', async () => {
  const { context, asked, subscribers } = openContext((method) =>
    method === 'dev_setStorage' ? hashOf(1) : new Promise(() => undefined),
  );
  const page = mountIn(context, ValuePane, { meta: null, entry: null, key: '0xaa', hash: null });
  await settle();
  subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', '0x0a']] });
  await vi.waitFor(() => press(page, /Edit value/));
  const written = () => asked.filter(([method]) => method === 'dev_setStorage');
  press(page, /^\s*Delete the key/);
  expect(written()).toEqual([]);
  const cancels = [...page.querySelectorAll('button')].filter(
    ({ textContent }) => textContent.trim() === 'Cancel',
  );
  expect(cancels.filter((button) => button.checkVisibility()).length).toBe(1);
  press(page, 'Delete');
  await settle();
  expect(written()).toEqual([['dev_setStorage', [['0xaa', null]]]]);
});

it('offers to undo an edit after the page was left, and on Ctrl+Z shows it before it undoes it', async () => {
  let current: unknown = '0x0a';
  const { context, asked, subscribers } = openContext((method, [pairs]) => {
    if (method === 'state_getStorage') return current;
    if (method !== 'dev_setStorage') return new Promise(() => undefined);
    current = (pairs as [[string, unknown]])[0][1];
    return hashOf(1);
  });
  const written = () => asked.flatMap(([method, pairs]) => (method === 'dev_setStorage' ? [pairs] : []));
  const openValue = async (hex: string) => {
    const page = mountIn(context, ValuePane, { meta: null, entry: null, key: '0xaa', hash: null });
    await settle();
    subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', hex]] });
    await vi.waitFor(() => expect(page.textContent).toContain('Edit value'));
    return page;
  };
  const first = await openValue('0x0a');
  const list = mountIn(context, EditList, { meta: null });
  list.className = 'panel';
  list.tabIndex = -1;
  for (const next of ['0x0b', '0x0c']) {
    press(first, /Edit value/);
    typeIn(first.querySelector('form input'), next);
    press(first, 'Set value');
    await settle();
    expect(document.activeElement?.textContent).toBe('Edit value…');
  }
  const second = await openValue('0x0c');
  press(second, /Undo edit/);
  await settle();
  expect(written()).toEqual([[['0xaa', '0x0b']], [['0xaa', '0x0c']], [['0xaa', '0x0a']]]);
  expect(list.querySelector('summary')?.textContent).toMatch(/1 edit by hand/);
  const pressUndo = async (on: Element | null) => {
    on?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, composed: true }),
    );
    await settle();
  };
  const elsewhere = document.createElement('button');
  document.body.append(elsewhere);
  await pressUndo(elsewhere);
  elsewhere.remove();
  expect(list.querySelector('details')?.open).toBe(false);
  await pressUndo(list);
  expect(list.querySelector('details')?.open).toBe(true);
  expect(list.querySelector('li')?.textContent).toContain('before: 0x0a');
  expect(document.activeElement).toBe(list.querySelector('li button'));
  expect(written().length).toBe(3);
  // As the node would have it: the fake one does not report what was written.
  current = '0x0b';
  await pressUndo(document.activeElement);
  await vi.waitFor(() => expect(written().length).toBe(4));
  await settle();
  expect(list.querySelector('details')).toBeNull();
  expect(second.textContent).not.toContain('Undo edit');
});

it('asks before an undo that would revert a later change of the value, too', async () => {
  for (const [current, asks] of [
    ['0x0b', false],
    ['0x0c', true],
    [new Error('no answer'), true],
  ] as const) {
    const { context, asked } = openContext((method) => {
      if (method !== 'state_getStorage') return hashOf(1);
      if (current instanceof Error) throw current;
      return current;
    });
    stateEdits(context).add({ key: '0xaa', before: '0x0a', after: '0x0B', block: hashOf(1) });
    const page = mountIn(context, EditList, { meta: null });
    const written = () => asked.filter(([method]) => method === 'dev_setStorage').length;
    press(page, /^\s*Undo/);
    if (asks) {
      await vi.waitFor(() => expect(page.textContent).toMatch(/has changed since the edit/));
      expect(written()).toBe(0);
      press(page, /Undo anyway/);
    }
    await vi.waitFor(() => expect(written()).toBe(1));
  }
});

it('keeps the edits over a reload, those that fit and are whole; forgets those of blocks that are gone', async () => {
  const stored = 'tabnode.edits.one';
  onTestFinished(() => localStorage.clear());
  const open = () => {
    const header = { number: '0xd', parentHash: hashOf(12), stateRoot: hashOf(13) };
    const { context, subscribers } = openContext((method) =>
      method === 'chain_getHeader' ? header : method === 'chain_getBlockHash' ? hashOf(13) : null,
    );
    const edited = vi.spyOn(context.node, 'status');
    const edits = stateEdits({ ...context, session: { entry: { id: 'one' } } as never });
    const keys = () => edits.list.map(({ key }) => key);
    const goOn = (hashes: readonly string[]) => {
      edited.mockResolvedValue({ edited: hashes } as never);
      subscribers.get('chain_subscribeNewHeads')?.(header);
    };
    return { context, edits, keys, goOn };
  };
  const first = open();
  first.edits.add({ key: '0xaa', before: null, after: '0x0a', block: hashOf(5) });
  first.edits.add({ key: '0xbb', before: '0x0b', after: null, block: hashOf(12) });
  first.edits.add({ key: '0xcc', before: '0x00', after: `0x${'00'.repeat(200_000)}`, block: hashOf(12) });
  expect(first.keys()).toEqual(['0xcc', '0xbb', '0xaa']);
  first.context.close();
  const second = open();
  expect(second.keys()).toEqual(['0xbb', '0xaa']);
  second.edits.add({ key: '0xbb', before: null, after: '0x0c', block: hashOf(12) });
  expect(second.edits.last('0xbb')).toMatchObject({ id: '3', after: '0x0c' });
  second.goOn([hashOf(5)]);
  await vi.waitFor(() => expect(second.keys()).toEqual(['0xaa']));
  second.context.close();
  localStorage.setItem(
    stored,
    `[{"id":1},null,{"id":"x","key":"0xaa","before":null,"after":null,"block":"0x00"},${JSON.stringify(second.edits.list[0])}]`,
  );
  expect(open().keys()).toEqual(['0xaa']);
  for (const damaged of ['{', '{}', '7']) {
    localStorage.setItem(stored, damaged);
    expect(open().keys(), damaged).toEqual([]);
  }
});

it('warns in the form that the value has changed since it was opened', async () => {
  const { context, subscribers } = openContext(() => new Promise(() => undefined));
  const page = mountIn(context, ValuePane, { meta: null, entry: null, key: '0xaa', hash: null });
  const tell = async (hex: string) => {
    subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', hex]] });
    await settle();
  };
  await settle();
  await tell('0x0a');
  await vi.waitFor(() => press(page, /Edit value/));
  const form = () => page.querySelector('form');
  expect(form()?.textContent).not.toContain('has changed');
  await tell('0x0b');
  await vi.waitFor(() => expect(form()?.textContent).toContain('has changed since this form was opened'));
  // The form still contains the original value.
  expect(form()?.querySelector('input')?.value).toBe('0x0a');
});

it('keeps list links at the selected block, also after another one is selected', () => {
  const { context } = openContext(() => null);
  const pallets = [{ name: 'System', storage: { items: [] } }];
  openLink('#/storage?at=10');
  const page = mountIn(context, PalletList, { meta: { metadata: { pallets } } as never, picked: null });
  const link = () => page.querySelector('a')?.getAttribute('href');
  expect(link()).toBe('#/storage/System?at=10');
  openLink('#/storage?at=9');
  flushSync();
  expect(link()).toBe('#/storage/System?at=9');
});

it('opens the first match of the pallet filter on Enter', () => {
  const { context } = openContext(() => null);
  const pallets = ['System', 'Balances'].map((name) => ({ name, storage: { items: [] } }));
  const page = mountIn(context, PalletList, { meta: { metadata: { pallets } } as never, picked: null });
  const filter = page.querySelector('input');
  if (filter === null) throw new Error('no filter');
  const enter = () => filter.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  enter();
  expect(context.route.place.parts).toEqual([]);
  filter.value = 'bal';
  filter.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
  enter();
  expect(context.route.place.parts).toEqual(['Balances']);
});
