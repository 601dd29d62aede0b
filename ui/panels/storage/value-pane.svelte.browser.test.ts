import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openedEditor } from '../../kit/json/code.fixture.ts';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { toAddress } from '../../../src/scale/address.ts';
import { encodeKey, storageEntry } from '../../../src/scale/storage.ts';
import { openLink } from '../../kit/page/route.svelte.ts';
import { devAccounts } from '../../node/accounts.ts';
import {
  baselineOf,
  expectColumns,
  mountIn,
  openContext,
  press,
  settle,
  typeIn,
  widen,
} from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import EntryView from './EntryView.svelte';
import KeyBuilder from './KeyBuilder.svelte';
import ValuePane from './ValuePane.svelte';

const real = useRealNode();
const hashOf = (number: number): string => `0x${String(number).padStart(64, '0')}`;

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
  const tell = (hex: string) =>
    subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', hex]] });
  await settle();
  tell('0x0a');
  await vi.waitFor(() => expect(page.querySelector('.faces')?.textContent).toContain('10'));
  press(page, 'JSON');
  const faces = page.querySelector('.faces');
  expect(faces?.querySelector('pre')?.textContent).toBe('10');
  const { state } = await openedEditor(page);
  expect(state.doc.toString()).toBe('10');
  const shows = (text: string) =>
    vi.waitFor(async () => expect((await openedEditor(page)).state.doc.toString()).toBe(text));
  tell('0x0b');
  await shows('11');
  expect(page.querySelector('.faces')).toBe(faces);
  props.hash = hashOf(9);
  flushSync();
  // The previous value is marked as busy, not shown as that of the new block.
  expect(page.querySelector('[aria-busy="true"] .faces')).toBe(faces);
  await shows('12');
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

it('asks before deleting a key', async () => {
  const { context, asked, subscribers } = openContext((method) =>
    method === 'dev_setStorage' ? hashOf(1) : new Promise(() => undefined),
  );
  const code = '0x3a636f6465';
  const page = mountIn(context, ValuePane, { meta: null, entry: null, key: code, hash: null });
  await settle();
  subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [[code, '0x0a']] });
  await vi.waitFor(() => press(page, /Edit value/));
  const written = () => asked.filter(([method]) => method === 'dev_setStorage');
  press(page, /^\s*Delete the key/);
  expect(written()).toEqual([]);
  const question = page.querySelector('dialog');
  // The form behind it is out of reach.
  expect(question?.matches(':modal')).toBe(true);
  expect(question?.ariaLabel).toBe('Delete this key (:code) from the state?');
  const answers = [...(question?.querySelectorAll('form button') ?? [])].map(({ textContent }) =>
    textContent.trim(),
  );
  expect(answers).toEqual(['✕Close', 'Cancel', 'Delete']);
  press(page, 'Delete');
  await settle();
  expect(written()).toEqual([['dev_setStorage', [[code, null]]]]);
});

it('Ctrl+Enter sets the value that is being edited, from its form only, if it can be encoded', async () => {
  const { context, asked, subscribers } = openContext((method) =>
    method === 'dev_setStorage' ? hashOf(1) : new Promise(() => undefined),
  );
  const meta = { lookup: () => ({ type: 'primitive', value: 'u8' }), typeName: () => 'u8' };
  const entry = { pallet: 'System', name: 'Number', value: 0, fallback: '0x00', keys: [], isOptional: false };
  const props = { meta: meta as never, entry: entry as never, key: '0xaa', hash: null };
  const page = mountIn(context, ValuePane, props);
  await settle();
  subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', '0x0a']] });
  await vi.waitFor(() => press(page, /Edit value/));
  const pressIn = async (of: Element | null) => {
    of?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
    await settle();
    return asked.filter(([method]) => method === 'dev_setStorage');
  };
  const field = page.querySelector('form input');
  typeIn(field, 'x');
  expect(await pressIn(field)).toEqual([]);
  typeIn(field, '11');
  expect(await pressIn(page.querySelector('section'))).toEqual([]);
  expect(page.querySelector('[type="submit"]')?.getAttribute('title')).toBe('Ctrl+Enter');
  expect(await pressIn(field)).toEqual([['dev_setStorage', [['0xaa', '0x0b']]]]);
  expect(page.querySelector('form')).toBeNull();
});

it('a draft that is too large for a reload says so before and after it, and sets nothing by itself', async () => {
  onTestFinished(() => sessionStorage.clear());
  const open = async () => {
    const { context, subscribers } = openContext(() => new Promise(() => undefined));
    const page = mountIn(context, ValuePane, { meta: null, entry: null, key: '0xaa', hash: null });
    await settle();
    subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', '0x0a']] });
    await vi.waitFor(() => expect(page.textContent).toMatch(/Edit value|Set value/));
    flushSync();
    const says = () => page.querySelector('form .acts .warn')?.textContent;
    const isOff = () => page.querySelector<HTMLButtonElement>('form [type="submit"]')?.disabled;
    return { page, context, says, isOff };
  };
  const first = await open();
  press(first.page, /Edit value/);
  typeIn(first.page.querySelector('form input'), `0x${'ab'.repeat(200_000)}`);
  expect([first.says(), first.isOff()]).toEqual([
    'There is no room to keep this draft over a reload.',
    false,
  ]);
  first.context.close();
  const next = await open();
  const lost = 'There was no room to keep this draft over a reload. Enter the value again.';
  expect([next.says(), next.isOff()]).toEqual([lost, true]);
  typeIn(next.page.querySelector('form input'), '0x0b');
  expect([next.says(), next.isOff()]).toEqual(['Draft, saved for this key', false]);
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
  expect(form()?.querySelector('.acts')?.textContent, 'in sight').toContain('has changed');
  // The form still contains the original value.
  expect(form()?.querySelector('input')?.value).toBe('0x0a');
});

it('on a phone, a field that takes the focus is not below the buttons, even if they are two rows', async () => {
  const { context, subscribers } = openContext(() => new Promise(() => undefined));
  const entry = storageEntry(real.meta, 'System', 'Account');
  const page = mountIn(context, ValuePane, { meta: real.meta, entry, key: '0xaa', hash: null });
  page.style.cssText = 'height: 400px; overflow: auto';
  await settle();
  subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', null]] });
  await vi.waitFor(() => press(page, /Edit value/));
  widen(page, 240);
  const bar = page.querySelector('form .acts');
  expect(bar?.getBoundingClientRect().height).toBeGreaterThan(60);
  for (const field of page.querySelectorAll<HTMLElement>('form :is(input, select)')) {
    page.scrollTop = 0;
    field.scrollIntoView({ block: 'nearest' });
    const { bottom } = field.getBoundingClientRect();
    expect(bottom, field.ariaLabel ?? '').toBeLessThanOrEqual(bar?.getBoundingClientRect().top ?? 0);
  }
});

it('the fields of an edit are beside their labels, nested ones below, at any width', async () => {
  const { context, subscribers } = openContext((method) =>
    method === 'system_properties'
      ? { tokenDecimals: 12, tokenSymbol: 'UNIT' }
      : new Promise(() => undefined),
  );
  // A free balance of 1 234 567 000 000, and nothing else.
  const stored = `0x${'00'.repeat(16)}c06fed711f01${'00'.repeat(58)}`;
  const entry = storageEntry(real.meta, 'System', 'Account');
  const page = mountIn(context, ValuePane, { meta: real.meta, entry, key: '0xaa', hash: null });
  await settle();
  subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', stored]] });
  await vi.waitFor(() => press(page, /Edit value/));
  expect(document.activeElement?.closest('form')?.ariaLabel).toBe('Edit the value');
  const labels = [...page.querySelectorAll('form .label')];
  const outer = ['nonce', 'consumers', 'providers', 'sufficients', 'data'];
  const inner = ['free', 'reserved', 'frozen', 'flags'];
  expect(labels.map(({ textContent }) => textContent)).toEqual([...outer, ...inner]);
  for (const group of [outer, inner]) {
    const own = labels.filter(({ textContent }) => group.includes(textContent));
    expectColumns(
      page,
      own.map((label) => [label, label.nextElementSibling ?? label]),
      // Nested fields are below their names.
      group === outer ? 1024 : Infinity,
    );
  }
  expect(page.querySelector('form')?.textContent).toMatch(/= 1.234567 UNIT.*= 0 UNIT/s);
  const rightsAt = (width: number) => {
    widen(page, width);
    const fields = inner.map((name) => page.querySelector(`form [aria-label="value data ${name}"]`));
    return fields.map((field) => field?.getBoundingClientRect().right);
  };
  expect(new Set(rightsAt(1024).slice(0, 3)).size, 'amounts of any length').toBe(1);
  expect(new Set(rightsAt(390)).size, 'on a phone, all fields').toBe(1);
});

it('the value of a key goes while another key is typed, until that is read or typed back', async () => {
  const { context, subscribers } = openContext(() => new Promise(() => undefined));
  const entry = storageEntry(real.meta, 'System', 'Account');
  const addressOf = (name: string) =>
    toAddress(devAccounts.find((one) => one.name === name)?.id ?? '', real.meta.ss58Prefix);
  const key = (name: string) => JSON.stringify([addressOf(name)]);
  const aliceKey = entry === null ? '' : encodeKey(real.meta, entry, [addressOf('Alice')]);
  openLink(`#/storage/System/Account/${encodeURIComponent(key('Alice'))}`);
  const props = { meta: real.meta, pallet: 'System', entry: 'Account', hash: null };
  const page = mountIn(context, EntryView, props);
  const hasValue = () => page.querySelector('[aria-label="Value"]') !== null;
  expect(hasValue()).toBe(true);
  const account = page.querySelector('[aria-label="key 1"]');
  typeIn(account, addressOf('Bob'));
  expect([hasValue(), page.textContent.includes('Press Read')]).toEqual([false, true]);
  typeIn(account, addressOf('Alice'));
  expect(hasValue()).toBe(true);
  subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [[aliceKey, null]] });
  await vi.waitFor(() => {
    const watch = [...page.querySelectorAll('a')].find(({ textContent }) => textContent === 'Watch in Live');
    expect(decodeURIComponent(watch?.href ?? '')).toContain(`params=[["${aliceKey}"]]`);
  });
});

it('Read is beside the last key, at the width of the page between the lists of Storage', () => {
  const { context } = openContext(() => null);
  const entry = storageEntry(real.meta, 'Assets', 'Account');
  if (entry === null) throw new Error('no Assets.Account');
  const onkeys = () => undefined;
  const page = mountIn(context, KeyBuilder, { meta: real.meta, entry, keys: [1], onkeys });
  const key = page.querySelector('[aria-label="key 2"]');
  const read = page.querySelector('[type="submit"]');
  for (const width of [920, 600]) {
    widen(page, width);
    expect(baselineOf(read), `${width} px`).toBeCloseTo(baselineOf(key?.parentElement), -1);
  }
});

it('an amount that is refused says so below its field and beside the button, an exponent is read', async () => {
  const { context, subscribers } = openContext((method) =>
    method === 'system_properties'
      ? { tokenDecimals: 12, tokenSymbol: 'UNIT' }
      : new Promise(() => undefined),
  );
  const entry = storageEntry(real.meta, 'System', 'Account');
  const page = mountIn(context, ValuePane, { meta: real.meta, entry, key: '0xaa', hash: null });
  widen(page, 1024);
  await settle();
  const stored = `0x${'00'.repeat(80)}`;
  subscribers.get('state_subscribeStorage')?.({ block: hashOf(1), changes: [['0xaa', stored]] });
  await vi.waitFor(() => press(page, /Edit value/));
  const free = page.querySelector('form [aria-label="value data free"]');
  await vi.waitFor(() => expect(page.querySelector('form')?.textContent).toContain('= 0 UNIT'));
  typeIn(free, '1,5');
  const reason = document.getElementById(free?.getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toContain('Enter a whole number');
  expect(reason?.getBoundingClientRect().top).toBeGreaterThanOrEqual(
    free?.getBoundingClientRect().bottom ?? 0,
  );
  const button = page.querySelector<HTMLButtonElement>('form [type="submit"]');
  const why = document.getElementById(button?.getAttribute('aria-describedby') ?? '');
  expect([button?.disabled, why?.textContent]).toEqual([true, 'data.free: enter a whole number']);
  typeIn(free, '1e18');
  expect(reason?.textContent).toBe('= 1\u202f000\u202f000 UNIT');
  expect([button?.disabled, button?.getAttribute('aria-describedby')]).toEqual([false, null]);
  // A draft would be kept over the end of the page.
  press(page, 'Discard');
});
