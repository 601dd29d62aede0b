import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../../base.css';
import '../../../tokens.css';
import { allCommands } from '../../../app/palette/commands.ts';
import { currentFrame, setFrame } from '../../../kit/page/frame.ts';
import { mountIn, openContext, press, settle, typeIn, widen } from '../../../testing/open-page.ts';
import ValuePane from '../ValuePane.svelte';
import EditList from './EditList.svelte';
import { StateEdits, stateEdits } from './state-edits.svelte.ts';

const hashOf = (number: number): string => `0x${String(number).padStart(64, '0')}`;

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
  const list = mountIn(context, EditList, {});
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
  // A field undoes its own text, and a dialog covers the list.
  for (const kind of ['input', 'dialog']) {
    const elsewhere = document.createElement(kind);
    elsewhere.setAttribute('open', '');
    document.body.append(elsewhere);
    await pressUndo(elsewhere);
    elsewhere.remove();
    expect(list.querySelector('details')?.open, kind).toBe(false);
  }
  const elsewhere = document.createElement('button');
  document.body.append(elsewhere);
  // A real click: after one, the browser does not show where a script moves the focus.
  await userEvent.click(elsewhere);
  await pressUndo(elsewhere);
  elsewhere.remove();
  expect(list.querySelector('details')?.open).toBe(true);
  expect(list.querySelector('li')?.textContent).toContain('before: 0x0a');
  expect(document.activeElement).toBe(list.querySelector('li button'));
  expect(document.activeElement?.matches(':focus-visible')).toBe(true);
  expect(written().length).toBe(3);
  // The value that a real node would have: the fake one does not report what was written.
  current = '0x0b';
  await pressUndo(document.activeElement);
  await vi.waitFor(() => expect(written().length).toBe(4));
  await settle();
  expect(list.querySelector('summary')?.textContent).toMatch(/2 edits by hand, undone/);
  expect(list.querySelector('li button')).toBeNull();
  expect(second.textContent).not.toContain('Undo edit');
  // The call stays until the next panel.
  expect(list.textContent).toContain('dev_setStorage');
  context.route.go('node');
  await settle();
  expect(list.textContent).not.toContain('dev_setStorage');
});

it('what the node refuses is in view, however long the value is', async () => {
  const value = `0x${'0a'.repeat(20_000)}`;
  const { context, subscribers } = openContext((method) => {
    if (method === 'dev_setStorage') throw new Error('no runtime');
    return method === 'state_getStorage' ? value : new Promise(() => undefined);
  });
  const page = mountIn(context, ValuePane, { meta: null, entry: null, key: '0xaa', hash: null });
  page.style.cssText = 'height: 200px; overflow: auto';
  await settle();
  subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', value]] });
  await vi.waitFor(() => press(page, /Edit value/));
  page.scrollTop = 0;
  press(page, 'Set value');
  await vi.waitFor(() => expect(page.querySelector('[role="alert"]')?.textContent).toContain('no runtime'));
  const shown = page.querySelector('[role="alert"]')?.getBoundingClientRect();
  expect(shown?.bottom).toBeLessThanOrEqual(page.getBoundingClientRect().bottom);
});

it('the palette undoes the last edit as Ctrl+Z does, while there is one', async () => {
  const { context, asked } = openContext((method) => (method === 'state_getStorage' ? '0x0b' : hashOf(1)));
  const command = () =>
    allCommands(context, null, []).find(({ label }) => label.startsWith('Undo the last edit'));
  const list = mountIn(context, EditList, {});
  expect(command()).toBeUndefined();
  stateEdits(context).add({ key: '0xaa', before: '0x0a', after: '0x0b', block: hashOf(1) });
  await settle();
  const run = command()?.run;
  if (typeof run === 'function') run();
  await settle();
  expect(list.querySelector('details')?.open).toBe(true);
  expect(document.activeElement).toBe(list.querySelector('li button'));
  expect(asked.filter(([method]) => method === 'dev_setStorage')).toEqual([]);
  press(list, /^\s*Undo/);
  await vi.waitFor(() => expect(list.querySelector('summary')?.textContent).toContain('undone'));
  expect(command()).toBeUndefined();
});

it('on a phone, an edit is two lines with its button beside them', () => {
  const { context } = openContext(() => null);
  stateEdits(context).add({
    key: `0x${'aa'.repeat(80)}`,
    before: `0x${'0a'.repeat(80)}`,
    after: '0x0b',
    block: hashOf(1),
  });
  const list = mountIn(context, EditList, {});
  const height = () => list.querySelector('section')?.getBoundingClientRect().height;
  widen(list, 390);
  list.style.height = '800px';
  expect(height()).toBeLessThanOrEqual(30);
  list.querySelector('summary')?.click();
  flushSync();
  expect(height()).toBeLessThanOrEqual(70);
  const [text, button] = [...list.querySelectorAll('li :is(span, button)')].map((one) =>
    one.getBoundingClientRect(),
  );
  expect(button?.left).toBeGreaterThanOrEqual(text?.right ?? 0);
});

it('embedded devtools leave Ctrl+Z in their host page alone', async () => {
  const { context } = openContext(() => null);
  const keys = document.createElement('div');
  document.body.append(keys);
  onTestFinished(() => keys.remove());
  setFrame({ ...currentFrame(), keys });
  stateEdits(context).add({ key: '0xaa', before: null, after: '0x0b', block: hashOf(1) });
  const list = mountIn(context, EditList, {});
  const pressUndo = async (on: Element) => {
    on.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));
    await settle();
    return list.querySelector('details')?.open;
  };
  expect(await pressUndo(document.body)).toBe(false);
  expect(await pressUndo(keys)).toBe(true);
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
    const page = mountIn(context, EditList, {});
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

it('tabs of one chain share the list of its edits', () => {
  const key = 'tabnode.edits.shared';
  onTestFinished(() => localStorage.removeItem(key));
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const [mine, others] = [new StateEdits('shared', ending.signal), new StateEdits('shared')];
  others.add({ key: '0xaa', before: null, after: '0x01', block: hashOf(1) });
  dispatchEvent(new StorageEvent('storage', { key }));
  mine.add({ key: '0xbb', before: null, after: '0x02', block: hashOf(1) });
  expect(new StateEdits('shared').list.map((edit) => edit.key)).toEqual(['0xbb', '0xaa']);
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
      const modes = { seal: { kind: 'manual' }, finality: { kind: 'manual' } };
      edited.mockResolvedValue({ ...modes, edited: hashes } as never);
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

it('says of each undone edit whether its value is restored, and of all of them that they are undone', async () => {
  const held = new Map([['0xaa', '0x0c']]);
  const { context } = openContext((method, [first, second]) => {
    if (method === 'dev_setStorage') {
      for (const [key, value] of first as [string, string][]) held.set(key, value.toLowerCase());
      return hashOf(9);
    }
    return method === 'state_getStorage' && (second ?? hashOf(9)) === hashOf(9)
      ? (held.get(String(first)) ?? null)
      : new Promise(() => undefined);
  });
  const told: boolean[] = [];
  const status = (edited: readonly string[]) =>
    context.sealing.applyStatus({ seal: { kind: 'manual' }, finality: { kind: 'manual' }, edited });
  const edits = stateEdits(context);
  edits.add({ key: '0xaa', before: '0x0A', after: '0x0c', block: hashOf(7) });
  const page = mountIn(context, EditList, { onundone: (is: boolean) => told.push(is) });
  status([hashOf(7)]);
  press(page, /^Undo/);
  await vi.waitFor(() => expect(page.textContent).toContain('undone in block'));
  status([hashOf(7), hashOf(9)]);
  await vi.waitFor(() => expect(page.querySelector('summary .tag')?.textContent).toBe('edited, undone'));
  expect(page.querySelector('li .tag')?.textContent).toBe('value restored');
  expect(told.at(-1)).toBe(true);
  // Ctrl+Z has nothing left to undo.
  const event = new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
  // Another client has edited a block, too.
  status([hashOf(7), hashOf(9), hashOf(8)]);
  flushSync();
  expect([told.at(-1), page.querySelector('summary .tag')?.textContent]).toEqual([false, 'edited']);
});
