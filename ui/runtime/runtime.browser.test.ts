import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../tokens.css';
import '../base.css';
import '../panels.css';
import { openLink } from '../page/route.svelte.ts';
import { baselineOf, mountIn, openContext, press, settle, typeIn, widen } from '../testing/open-page.ts';
import { useRealNode } from '../testing/real-node.ts';
import { shortHex } from '../text/format.ts';
import ApiView from './ApiView.svelte';
import DecodeTool from './DecodeTool.svelte';
import LogView from './LogView.svelte';
import ModuleView from './ModuleView.svelte';
import Overview from './Overview.svelte';
import PalletView from './PalletView.svelte';
import RawCall from './RawCall.svelte';
import SearchResults from './SearchResults.svelte';
import TypeView from './TypeView.svelte';

const real = useRealNode();
const never = () => new Promise(() => undefined);

it('bytes are decoded as given in the address; invalid digits, types and JSON are reported', () => {
  const { context } = openContext(never);
  openLink('#/runtime/decode?call=0x00000401');
  const page = mountIn(context, DecodeTool, { meta: real.meta });
  const [kind, bytes] = page.querySelectorAll<HTMLInputElement>('input, textarea');
  const fault = () => page.querySelector('[role="status"].bad')?.textContent;
  expect(page.querySelector('[aria-label="Decoded"]')?.textContent).toContain('remark');
  typeIn(bytes, '0x0');
  expect(fault()).toContain('Enter bytes as 0x');
  typeIn(bytes, '0x00000402');
  expect(context.route.place.query.get('hex')).toBe('0x00000402');
  expect(context.route.place.query.has('call')).toBe(false);
  typeIn(kind, 'NoSuchType');
  expect(fault()).toContain('This runtime has no type NoSuchType.');
  typeIn(kind, 'sp_weights::weight_v2::Weight');
  const json = page.querySelector('[aria-label="JSON of the value"]');
  typeIn(json, '{"ref_time": "x"}');
  expect(json?.getAttribute('aria-invalid')).toBe('true');
  typeIn(json, '{"ref_time":"2","proof_size":"3"}');
  press(page, 'Use these bytes');
  expect(context.route.place.query.get('hex')).toBe('0x080c');
  typeIn(json, `{"ref_time": ${2n ** 64n - 1n}, "proof_size": 3}`);
  press(page, 'Use these bytes');
  expect(context.route.place.query.get('hex')).toBe('0x13ffffffffffffffff0c');
  openLink('#/runtime/decode?call=0x00000401');
  flushSync();
  expect(bytes?.value).toBe('0x00000401');
});

it('the sections of a pallet stay above its items, however many these are', () => {
  const { context } = openContext(never);
  const props = { meta: real.meta, pallet: 'Balances', section: 'calls', item: null };
  const page = mountIn(context, PalletView, props);
  widen(page, 900);
  page.style.height = '400px';
  const sections = page.querySelector('nav[aria-label="Sections of Balances"]');
  expect(sections?.getBoundingClientRect().height).toBeGreaterThanOrEqual(28);
});

it('a module that imports one name from two modules lists both', async () => {
  const twice = ['env', 'other'].map((module) => ({
    module,
    name: 'log',
    kind: 'func',
    params: 'i',
    results: '',
  }));
  const info = {
    codeHash: `0x${'ab'.repeat(32)}`,
    codeBytes: 1,
    moduleBytes: 1,
    memory: { min: 1, max: null },
    exports: ['main', 'next'],
  };
  const { context } = openContext(() => ({ ...info, imports: twice }));
  const page = mountIn(context, ModuleView, { hash: null });
  await vi.waitFor(() => expect(page.querySelectorAll('tr').length).toBe(2));
  expect(page.querySelector('.facts .hash')?.textContent.trim()).toHaveLength(shortHex(info.codeHash).length);
  const sizes = [...page.querySelectorAll('h2')].map((title) => getComputedStyle(title).fontSize);
  expect(sizes).toEqual(['15px', '15px']);
  // The rows of both lists are level.
  widen(page, 1440);
  const lines = [...page.querySelectorAll('td:first-child')].map(baselineOf);
  const names = [...page.querySelectorAll('li')].map(baselineOf);
  expect(names.map((at, index) => Math.abs(at - (lines[index] ?? 0)) < 1)).toEqual([true, true]);
  expect((names[1] ?? 0) - (names[0] ?? 0)).toBe((lines[1] ?? 0) - (lines[0] ?? 0));
});

it('the answer of a call by name is shown for its own bytes only, even if it arrives late', async () => {
  const calls: PromiseWithResolvers<string>[] = [];
  const { context } = openContext(() => {
    const call = Promise.withResolvers<string>();
    calls.push(call);
    return call.promise;
  });
  openLink('#/runtime/apis/raw?method=Core_version');
  const page = mountIn(context, RawCall, { hash: null });
  const answer = () => page.querySelector('[aria-label="Answer"]')?.textContent;
  const data = page.querySelector('textarea');
  typeIn(data, '0x0');
  expect([...page.querySelectorAll('button')].at(-1)?.disabled).toBe(true);
  typeIn(data, '0x01');
  press(page, 'Call');
  await vi.waitFor(() => expect(calls.length).toBe(1));
  typeIn(data, '0x02');
  calls[0]?.resolve('0xaa');
  await settle();
  expect(answer()).toBeUndefined();
  press(page, 'Call');
  await vi.waitFor(() => expect(calls.length).toBe(2));
  calls[1]?.resolve('0xbb');
  await vi.waitFor(() => expect(answer()).toContain('bb'));
  typeIn(data, '0x03');
  press(page, 'Call');
  await vi.waitFor(() => expect(calls.length).toBe(3));
  calls[2]?.reject(Object.assign(new Error('trapped'), { code: 4003 }));
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toMatch(
      /The state of the block could not be read, or its runtime failed\..*4003: trapped/s,
    ),
  );
});

it('the log is filtered, paused with a count, cleared, and follows the level of the address', async () => {
  const { context, subscribers, ended, asked } = openContext(never);
  openLink('#/runtime/logs');
  const page = mountIn(context, LogView, {});
  const lines = () => [...page.querySelectorAll('li .text')].map(({ textContent }) => textContent);
  const tell = async (text: string) => {
    subscribers.get('dev_subscribeLogs')?.({ at: 0, level: 'info', target: 'runtime', text, block: 1 });
    await new Promise(requestAnimationFrame);
    flushSync();
  };
  await settle();
  await tell('one');
  await tell('two');
  expect(lines()).toEqual(['two', 'one']);
  typeIn(page.querySelector('[aria-label="Filter the log"]'), 'runtime one');
  expect(lines()).toEqual(['one']);
  typeIn(page.querySelector('[aria-label="Filter the log"]'), '');
  press(page, 'Pause');
  await tell('three');
  expect(lines()).toEqual(['two', 'one']);
  press(page, 'Resume · 1 waiting');
  expect(lines()[0]).toBe('three');
  press(page, 'Clear');
  expect(page.textContent).toContain('No lines yet');
  press(page, 'Show trace');
  await vi.waitFor(() => expect(ended).toContain('dev_unsubscribeLogs'));
  expect(context.route.place.query.get('level')).toBe('trace');
  expect(asked.length).toBe(0);
});

it('an item, a section or a pallet that the runtime does not have is reported', () => {
  const { context } = openContext(never);
  const open = (pallet: string, section: string | null, item: string | null) =>
    mountIn(context, PalletView, { meta: real.meta, pallet, section, item });
  expect(open('Nonsense', null, null).textContent).toContain('This runtime has no pallet Nonsense.');
  expect(open('System', 'views', null).textContent).toContain('System has no views.');
  expect(open('System', 'calls', 'fly').textContent).toContain('nothing called fly');
  const calls = open('System', 'calls', 'remark');
  expect(calls.querySelector('.picked a')?.getAttribute('href')).toBe('#/send/System/remark');
  expect(open('System', 'errors', null).querySelector('ol a')).toBeNull();
});

it('a search finds names first, then docs, and says if nothing was found', () => {
  const { context } = openContext(never);
  const found = mountIn(context, SearchResults, { meta: real.meta, words: 'existential deposit' });
  expect(found.querySelector('a .data')?.textContent).toBe('Balances.ExistentialDeposit');
  expect(mountIn(context, SearchResults, { meta: real.meta, words: 'zzzz' }).textContent).toContain(
    'No matches',
  );
});

it('a search shows the number of results, and how many of them are listed', () => {
  const { context } = openContext(never);
  const page = mountIn(context, SearchResults, { meta: real.meta, words: 'a' });
  expect(page.querySelectorAll('li')).toHaveLength(200);
  const [, found = ''] = /^\s*([\d\s]+)\s+found, the first 200 are shown/.exec(page.textContent) ?? [];
  expect(Number(found.replace(/\s/g, ''))).toBeGreaterThan(200);
});

it('pallets, APIs and types do not open empty', async () => {
  const { context } = openContext(never);
  const pallets = mountIn(context, PalletView, { meta: real.meta, pallet: null, section: null, item: null });
  const rows = [...pallets.querySelectorAll('table tbody tr')].map((row) => row.textContent);
  expect(rows.length).toBe(real.meta.metadata.pallets.length);
  const largest = pallets.querySelector('tbody a');
  expect(largest?.getAttribute('href')).toBe(`#/runtime/pallets/${largest?.textContent}`);
  const sums = [...pallets.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td.data')].reduce((sum, { textContent }) => sum + Number(textContent), 0),
  );
  expect(sums).toEqual(sums.toSorted((a, b) => b - a));
  expect(sums[0]).toBeGreaterThan(sums.at(-1) ?? 0);
  const apis = mountIn(context, ApiView, { meta: real.meta, hash: null, parts: [] });
  const [first] = real.meta.metadata.apis;
  expect(apis.querySelector('h2')?.textContent).toBe(`${first?.name}_${first?.methods[0]?.name}`);
  expect(apis.querySelector('[aria-current]')?.textContent).toBe(first?.methods[0]?.name);
  const types = mountIn(context, TypeView, { meta: real.meta, typeId: null });
  expect(types.querySelector('h2')?.textContent).toContain('RuntimeCall');
  const example = [...types.querySelectorAll('p a')].find((link) => link.textContent === 'RuntimeCall');
  expect(example?.getAttribute('href')).toBe(`#/runtime/types/${real.meta.callType}`);
});

it('a version of a hostile node is said to be none, or to have no list of APIs; nothing breaks', async () => {
  const version = { specName: 'x', specVersion: 1, implName: 'x', implVersion: 1, apis: [['0x01', 1]] };
  const shownFor = async (answer: unknown) => {
    const { context } = openContext((method) => (method === 'state_getRuntimeVersion' ? answer : never()));
    const page = mountIn(context, Overview, { meta: real.meta, hash: null });
    await vi.waitFor(() => expect(page.textContent).not.toContain('Reading'));
    return page.textContent;
  };
  expect(await shownFor(version)).toContain('0x01');
  for (const apis of ['text', 7, null, { length: 3 }, [1], [['0x01']], undefined]) {
    const text = await shownFor({ ...version, apis });
    expect(text).toContain('x 1');
    expect(text).toContain('no list of APIs');
  }
  for (const answer of [null, 'text', 7, [], {}, { specName: {}, specVersion: 1 }])
    expect(await shownFor(answer)).toContain('not a runtime version');
});
