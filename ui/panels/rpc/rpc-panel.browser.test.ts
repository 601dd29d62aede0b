import { flushSync } from 'svelte';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { NodeError } from '../../../src/protocol/errors.ts';
import { openLink } from '../../kit/page/route.svelte.ts';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import TopBar from '../../app/shell/TopBar.svelte';
import { mountIn, openContext, press, settle, typeIn, widen } from '../../testing/open-page.ts';
import { CallLog } from './history/call-log.svelte.ts';
import RpcPanel from './RpcPanel.svelte';
import ResultHead from './result/ResultHead.svelte';

beforeEach(() => sessionStorage.clear());

it('a confirmation names the call that would run; going to another call closes it, and nothing runs', async () => {
  const { context, asked } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['dev_reset', 'dev_deleteSnapshot'] } : null,
  );
  openLink('#/rpc/dev_deleteSnapshot?params=["kept"]');
  const page = mountIn(context, RpcPanel, {});
  await settle();
  press(page, 'Run');
  expect(page.querySelector('dialog')?.textContent).toContain('dev_deleteSnapshot(["kept"])');
  openLink('#/rpc/dev_reset');
  flushSync();
  expect(page.querySelector('dialog')).toBeNull();
  press(page, 'Run');
  press(page, 'Run dev_reset');
  await settle();
  expect(asked.filter(([method]) => method.startsWith('dev_'))).toEqual([['dev_reset']]);
});

it('while the node starts, the methods are being read: none is counted, or said not to be listed', async () => {
  const answer = Promise.withResolvers<unknown>();
  const { context } = openContext((method) => (method === 'rpc_methods' ? answer.promise : null));
  openLink('#/rpc/custom_method');
  const page = mountIn(context, RpcPanel, {});
  const count = () => page.querySelector('nav .head [role="status"]')?.textContent;
  expect([count(), page.textContent.includes('Reading the methods')]).toEqual(['', true]);
  expect(page.textContent).not.toMatch(/does not list this method|embedding program|Pick a method/);
  answer.resolve({ methods: ['custom_method'] });
  await vi.waitFor(() => expect(count()).toBe('1/1'));
  expect(page.textContent).toContain('A method added by the embedding program.');
  expect(page.textContent).not.toContain('Reading the methods');
});

it('on a phone, a new tab, the link and what copies the result have no line of their own', async () => {
  const { context } = openContext((method) =>
    method === 'rpc_methods' ? { methods: ['system_name'] } : 'a'.repeat(500),
  );
  openLink('#/rpc/system_name');
  const page = mountIn(context, RpcPanel, {});
  await settle();
  widen(page, 390);
  const middles = ['[list]', '.add', '[title^="Copy link"]'].map((of) => {
    const { top, bottom } = page.querySelector(of)?.getBoundingClientRect() ?? new DOMRect();
    return Math.round((top + bottom) / 2);
  });
  expect(middles).toEqual([middles[0], middles[0], middles[0]]);
  openLink('#/rpc/state_getRuntimeVersion');
  flushSync();
  press(page, 'Run');
  await settle();
  const tool = page.querySelector('[title="Copy result"]')?.getBoundingClientRect();
  const name = page.querySelector('[role="status"] + .data')?.getBoundingClientRect();
  expect(Math.abs((tool?.top ?? 0) - (name?.top ?? 99))).toBeLessThan(12);
});

it('on a phone, how long a batch took and how large its result is are on one line', () => {
  const kept = { id: 1, label: '2 calls: a, b', params: '', count: 0, atMs: 0 };
  const entry = {
    ...kept,
    method: 'batch',
    state: 'error',
    ms: 99.04,
    sizeBytes: 44,
    answer: { kind: 'whole' },
  };
  const props = { entry, isOther: false, text: String, onstop: () => undefined };
  const page = mountIn(openContext(() => null).context, ResultHead, props as never);
  for (let width = 280; width <= 390; width += 10) {
    widen(page, width);
    const numbers = [...page.querySelectorAll('.data')].filter(({ textContent }) =>
      /ms|B$/.test(textContent),
    );
    const lines = numbers.flatMap((one) => [...one.getClientRects()]);
    expect(new Set(lines.map(({ top }) => top)).size, `${width} px`).toBe(1);
    expect(numbers.at(-1)?.textContent).toContain('44 B');
  }
});

it('a call takes as long as the traffic log says', async () => {
  let ms = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ms++);
  onTestFinished(() => clock.mockRestore());
  const { context } = openContext(() => new Promise((done) => setTimeout(done, 5)));
  openLink('#/rpc/system_name');
  const page = mountIn(context, RpcPanel, {});
  press(page, 'Run');
  await vi.waitFor(() => expect(page.querySelector('[aria-label="Result"]')?.textContent).toContain('ok'));
  context.close();
  const kept = new CallLog(context.node.info.genesisHash, AbortSignal.abort()).entries[0];
  localStorage.removeItem(`tabnode.calls.${context.node.info.genesisHash}`);
  expect(kept?.ms).toBe(context.traffic.last?.ms);
});

it('the wait for the connection of a batch is no time of the batch', async () => {
  let ms = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ms);
  onTestFinished(() => clock.mockRestore());
  const { context } = openContext(() => null);
  const connect = async () => {
    ms = 5000;
    return { batch: async () => [{ ok: true, value: 'a' }], close: () => undefined };
  };
  Object.assign(context.userNode, { connect });
  openLink('#/rpc/system_name');
  const page = mountIn(context, RpcPanel, {});
  press(page, 'Add to batch');
  press(page, 'Send batch');
  const result = () => page.querySelector('[aria-label="Result"]')?.textContent;
  await vi.waitFor(() => expect(result()).toContain('<1 ms'));
});

it('of many tabs, the open one is in view, and the names stay readable: their namespaces make room', () => {
  const { context } = openContext(() => null);
  openLink('#/rpc/system_version');
  const page = mountIn(context, RpcPanel, {});
  widen(page, 390);
  expect(page.querySelector('[aria-label="Call tabs"]')).toBeNull();
  for (let count = 0; count < 6; count += 1) press(page, '+ Tab');
  const strip = page.querySelector('[aria-label="Call tabs"]');
  const open = strip?.querySelector('li:has([aria-current])');
  const edges = [strip, open].map((one) => one?.getBoundingClientRect().right ?? 0);
  expect(edges[1]).toBeLessThanOrEqual((edges[0] ?? 0) + 1);
  const names = [...page.querySelectorAll('[aria-label="Call tabs"] .name')];
  expect(open?.querySelector('.unseen')?.textContent.trim()).toBe('system_version');
  expect(names).toHaveLength(7);
  for (const name of names) {
    const [space, own] = [...name.children] as HTMLElement[];
    expect(name.textContent).toBe('system_version');
    expect(own?.scrollWidth).toBe(own?.clientWidth);
    const { top, bottom } = name.getBoundingClientRect();
    expect(space?.getBoundingClientRect().bottom).toBeLessThanOrEqual(top + 1);
    expect(own?.getBoundingClientRect().bottom).toBeLessThanOrEqual(bottom + 1);
  }
});

it('a reload keeps each tab, whichever is open, and parameters that are too long for the address', async () => {
  const open = (address: string) => {
    const { context } = openContext(() => null);
    openLink(address);
    const page = mountIn(context, RpcPanel, {});
    const names = () =>
      [...page.querySelectorAll('[aria-label="Call tabs"] .tab .unseen')].map((of) => of.textContent.trim());
    return { context, page, names };
  };
  const long = `["0x${'00'.repeat(5000)}"]`;
  const first = open('#/rpc/state_call?as=json');
  typeIn(first.page.querySelector('textarea'), long);
  first.context.close();
  const second = open('#/rpc/state_call?as=json');
  expect(second.page.querySelector('textarea')?.value).toBe(long);
  press(second.page, '+ Tab');
  typeIn(second.page.querySelector('input[list]'), 'system_name');
  press(second.page, /state_call\s*$/);
  second.context.close();
  const third = open('#/rpc/state_call?as=json');
  expect(third.names()).toEqual(['state_call', 'system_name']);
  expect(third.page.querySelector('textarea')?.value).toBe(long);
});

it('a refused argument is explained in plain words beside those of the node', async () => {
  const words = 'Invalid params: data did not match any variant of untagged enum ListOrValue';
  const { context } = openContext(() => {
    throw Object.assign(new Error(words), { code: -32602 });
  });
  openLink('#/rpc/chain_getBlockHash?params=[null, 1]&as=json');
  const page = mountIn(context, RpcPanel, {});
  typeIn(page.querySelector('textarea'), '[[null]]');
  press(page, 'Run');
  const result = () => page.querySelector('[aria-label="Result"]')?.textContent;
  await vi.waitFor(() => expect(result()).toContain(words));
  expect(result()).toContain(
    'Parameter hash: expected a block number (a whole number, or hex with 0x), such as [0,"0x1"].',
  );
});

it('a batch has a line for each call, and an error of one is explained like that of a single call', async () => {
  const { context } = openContext(() => null);
  const refused = (code: number, message: string, data?: string) => ({
    ok: false,
    error: Object.assign(new Error(message), { code, data }),
  });
  const answers = [
    { ok: true, value: { a: [1, 2] } },
    refused(-32601, 'Method not found'),
    refused(-32602, 'invalid type'),
    refused(1010, 'Invalid Transaction', 'Transaction is outdated'),
  ];
  const connect = async () => ({ batch: async () => answers, close: () => undefined });
  Object.assign(context.userNode, { connect });
  openLink('#/rpc/state_getStorage?params=[5]&as=json');
  const page = mountIn(context, RpcPanel, {});
  for (const _ of answers) press(page, 'Add to batch');
  press(page, 'Send batch');
  const part = (name: string) => page.querySelector(`[aria-label="${name}"]`);
  for (const name of ['Result', 'History'])
    await vi.waitFor(() => expect(part(name)?.textContent).toContain('3 of 4 failed'));
  const items = [...(part('Result')?.querySelectorAll('li') ?? [])];
  const texts = [
    /ok\s+state_getStorage\s+\{"a":\[1,2\]\}/,
    /The node does not have this method.*Method not found/s,
    /Parameter key: expected bytes as hex.*invalid type/s,
    /Transaction is outdated\. The transaction is not valid\. Check.*Invalid Transaction/s,
  ];
  expect(items).toHaveLength(texts.length);
  for (const [index, text] of texts.entries()) expect(items[index]?.textContent).toMatch(text);
  widen(page, 390);
  for (const item of items) expect(item.getBoundingClientRect().height).toBeLessThan(30);
});

it('an error is explained in plain words above those of the node', async () => {
  const { context } = openContext(() => {
    throw Object.assign(new Error('Unable to query dispatch info.'), { code: 2 });
  });
  openLink('#/rpc/payment_queryInfo?params=["0x00"]');
  const page = mountIn(context, RpcPanel, {});
  press(page, 'Run');
  await vi.waitFor(() =>
    expect(page.querySelector('[aria-label="Result"]')?.textContent).toMatch(
      /The bytes are not an extrinsic\. Check that they are complete\..*Unable to query dispatch info/s,
    ),
  );
});

it.each([
  ['dev_newBlock', 'Run'],
  ['chain_subscribeNewHeads', 'Run'],
  ['system_name', 'Send batch'],
])('%s (%s) of a node that ends before it answers has no answer: that is no error', async (method, send) => {
  const { context } = openContext(() => null);
  const lost = async () => Promise.reject(new NodeError('Disconnected'));
  const answers = async () => [{ ok: false, error: Object.assign(new Error(), { data: 'Disconnected' }) }];
  const connect = async () => ({ batch: answers, close: () => undefined });
  const subscribe = () => ({ opened: lost(), close: () => undefined });
  Object.assign(context.userNode, { request: lost, subscribe, connect });
  openLink(`#/rpc/${method}`);
  const page = mountIn(context, RpcPanel, {});
  if (send === 'Send batch') press(page, 'Add to batch');
  press(page, send);
  await settle();
  const texts = ['Result', 'History'].map(
    (name) => page.querySelector(`[aria-label="${name}"] ol, [aria-label="${name}"].result`)?.textContent,
  );
  expect(texts[0]).toMatch(/^no answer .*The outcome is unknown/s);
  expect(texts[1]).toMatch(/^no answer/);
  expect(texts[0]).not.toMatch(/error/i);
  expect(page.querySelector('[aria-label="Result"] [role=status]')?.className).toContain('warn');
});

it('the focus stays in a batch when a call of it is removed, and goes to the page with the last one', async () => {
  const { context } = openContext(() => ({ methods: ['system_name'] }));
  const main = document.createElement('main');
  main.tabIndex = -1;
  document.body.append(main);
  onTestFinished(() => main.remove());
  openLink('#/rpc/system_name');
  const page = mountIn(context, RpcPanel, {});
  await settle();
  for (let left = 3; left > 0; left -= 1) press(page, 'Add to batch');
  const focused = async (name: string | RegExp) => {
    press(page, name);
    await settle();
    return document.activeElement;
  };
  expect((await focused(/Remove call 3/))?.textContent).toMatch(/Remove call 2/);
  expect((await focused(/Remove call 1/))?.textContent).toMatch(/Remove call 1/);
  expect(await focused('Clear batch')).toBe(main);
});

it('on a phone, the history names each call in full, with its time below', async () => {
  const { context } = openContext(() => 1);
  openLink('#/rpc/state_getRuntimeVersion');
  const page = mountIn(context, RpcPanel, {});
  widen(page, 390);
  press(page, 'Run');
  await settle();
  const name = page.querySelector('[aria-label="History"] .ellipsis');
  expect(name?.textContent).toContain('state_getRuntimeVersion');
  expect(name?.scrollWidth).toBeLessThanOrEqual(name?.clientWidth ?? 0);
});

it('a stored value that was read before an upgrade is decoded by the runtime of the best block of then', async () => {
  const { context, asked } = openContext((method) =>
    method === 'rpc_methods'
      ? { methods: ['state_getStorage'] }
      : method === 'state_getStorage'
        ? '0x01'
        : null,
  );
  const heads = ['0b', '0c'].map((byte, number) => ({ hash: `0x${byte.repeat(32)}`, number }));
  let best = heads[0];
  Object.defineProperty(context.chain, 'best', { get: () => best });
  openLink('#/rpc/state_getStorage?params=["0x3a63"]');
  const page = mountIn(context, RpcPanel, {});
  await settle();
  press(page, 'Run');
  await settle();
  best = heads[1];
  press(page, 'Decoded');
  const headers = () => asked.filter(([method]) => method === 'chain_getHeader').map(([, hash]) => hash);
  await vi.waitFor(() => expect(headers()).toContain(heads[0]?.hash));
  expect(headers()).not.toContain(heads[1]?.hash);
});

it('a reorganization while a form is open leaves what was typed, and the call that runs is that', async () => {
  let [number, fork] = [12, '0c'];
  const hashOf = (byte: string) => `0x${byte.repeat(32)}`;
  const { context, asked, subscribers } = openContext((method) => {
    if (method === 'rpc_methods') return { methods: ['chain_getBlockHash'] };
    if (method === 'chain_getHeader')
      return { number: `0x${number.toString(16)}`, parentHash: hashOf(fork), digest: { logs: [] } };
    return method === 'chain_getBlockHash' ? hashOf(fork) : null;
  });
  openLink('#/rpc/chain_getBlockHash');
  // The bar follows the best block.
  mountIn(context, TopBar, { session: null, onpalette: () => undefined });
  const page = mountIn(context, RpcPanel, {});
  await vi.waitFor(() => expect(subscribers.has('chain_subscribeNewHeads')).toBe(true));
  await settle();
  const find = () => page.querySelector<HTMLInputElement>('[aria-label="Arguments"] input');
  const field = find();
  typeIn(field, '12');
  field?.focus();
  // The block is on a branch that a longer one replaces.
  for (const [height, branch] of [
    [13, 'aa'],
    [11, 'bb'],
    [14, 'bb'],
  ] as const) {
    [number, fork] = [height, branch];
    subscribers.get('chain_subscribeNewHeads')?.({});
    await vi.waitFor(() => expect(context.chain.best).toEqual({ number, hash: hashOf(fork) }));
    await settle();
  }
  expect([find() === field, find()?.value, document.activeElement === field]).toEqual([true, '12', true]);
  press(page, 'Run');
  await settle();
  expect(asked).toContainEqual(['chain_getBlockHash', 12]);
});
