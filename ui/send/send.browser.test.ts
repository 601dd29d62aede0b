import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadNextRuntime } from '../../test/platform.ts';
import { Actions } from '../client/action.svelte.ts';
import { encodeCall } from '../meta/extrinsic.ts';
import { fromHex, toHex } from '../meta/hex.ts';
import type { Json } from '../meta/types.ts';
import { openLink } from '../page/route.svelte.ts';
import { devAccounts } from '../state/accounts.ts';
import { Metas } from '../state/metas.svelte.ts';
import { Sent } from '../state/transactions/sent.svelte.ts';
import { Signers } from '../state/transactions/signers.svelte.ts';
import { addressJson, loadFacts, signCall } from '../state/transactions/signing.ts';
import { mountIn, openContext, press, settle, typeIn } from '../testing/open-page.ts';
import { useRealNode } from '../testing/real-node.ts';
import FundDialog from './accounts/FundDialog.svelte';
import BuildCall from './build/BuildCall.svelte';
import Pool from './pool/Pool.svelte';
import SubmitRaw from './SubmitRaw.svelte';
import SentList from './sent/SentList.svelte';
import Upgrade from './upgrade/Upgrade.svelte';

type Answers = Parameters<typeof openContext>[0];

const real = useRealNode();
const [alice, bob] = devAccounts.map(({ id }) => id) as [string, string];

const callOf = (pallet: string, name: string, args: Json): string =>
  toHex(encodeCall(real.meta, pallet, name, args));
const remark = (text: string): string => callOf('System', 'remark', { remark: text });

/** A context over a real node; `change` may respond in its place. */
const openReal = (change: Answers = () => undefined) => {
  const opened = openContext((method, params) => change(method, params) ?? real.request(method, params));
  const { node } = opened.context;
  const signers = new Signers();
  return { ...opened, props: { meta: real.meta, sent: new Sent(node, new Metas(node)), signers } };
};

const openBuild = (call: string, change?: Answers) => {
  const opened = openReal(change);
  openLink(`#/send/System/remark?call=${call}`);
  const page = mountIn(opened.context, BuildCall, opened.props);
  const dryRun = () =>
    [...page.querySelectorAll('dt')]
      .find(({ textContent }) => textContent === 'Dry run')
      ?.nextElementSibling?.textContent?.trim();
  return { ...opened, page, dryRun };
};

const field = (page: HTMLElement, label: string) => page.querySelector(`[aria-label="${label}"]`);
const sendButton = (page: HTMLElement) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => /^Sign and send/.test(textContent.trim()));

const succeeds = '0x0000';
const fails = '0x000101'; // CannotLookup

it('shows a dry-run result only for the call it was requested for, and ignores late ones', async () => {
  const runs: PromiseWithResolvers<string>[] = [];
  const { dryRun } = openBuild(remark('0x01'), (method) => {
    if (method !== 'system_dryRun') return undefined;
    const run = Promise.withResolvers<string>();
    runs.push(run);
    return run.promise;
  });
  await vi.waitFor(() => expect(runs.length).toBe(1));
  runs[0]?.resolve(succeeds);
  await vi.waitFor(() => expect(dryRun()).toBe('succeeds'));
  openLink(`#/send/System/remark?call=${remark('0x02')}`);
  flushSync();
  expect(dryRun()).toBe('checking…');
  await vi.waitFor(() => expect(runs.length).toBe(2));
  openLink(`#/send/System/remark?call=${remark('0x03')}`);
  await vi.waitFor(() => expect(runs.length).toBe(3));
  runs[2]?.resolve(fails);
  await vi.waitFor(() => expect(dryRun()).toMatch(/^CannotLookup/));
  const verdict = dryRun();
  runs[1]?.resolve(succeeds);
  await settle();
  expect(dryRun()).toBe(verdict);
});

it('signs the form as it was when sent, whatever is selected during the requests', async () => {
  const facts = Promise.withResolvers<void>();
  let isSending = false;
  const { page, asked, subscribers, context } = openBuild(remark('0x01'), (method) =>
    isSending && method === 'state_getRuntimeVersion'
      ? facts.promise.then(() => real.request(method, []))
      : undefined,
  );
  const sent: unknown[] = [];
  const { node } = context;
  const watch = node.subscribe.bind(node);
  vi.spyOn(node, 'subscribe').mockImplementation((method, params, ...rest) => {
    if (method === 'author_submitAndWatchExtrinsic') sent.push(params[0]);
    return watch(method, params, ...rest);
  });
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
  await vi.waitFor(() => expect(asked.map(([method]) => method)).toContain('system_dryRun'));
  isSending = true;
  press(page, /^Sign and send/);
  openLink(`#/send/System/remark?call=${remark('0x0bad')}&from=${bob}`);
  flushSync();
  facts.resolve();
  await vi.waitFor(() => expect(sent.length).toBe(1));
  expect(String(sent[0])).toContain(remark('0x01').slice(2));
  expect(String(sent[0])).toContain(alice.slice(2));
  expect(subscribers.size).toBeGreaterThan(0);
});

it('shows the arguments, the outcome and the block of a sent transaction', async () => {
  const { context, props, subscribers } = openReal((method) =>
    method === 'chain_getBlock' ? block.promise : undefined,
  );
  const block = Promise.withResolvers<unknown>();
  const page = mountIn(context, SentList, { sent: props.sent });
  expect(page.textContent).toContain('Transactions you send appear here');
  const hash = String(await real.request('chain_getBlockHash', []));
  const real1 = (await real.request('chain_getBlock', [hash])) as {
    block: { extrinsics: readonly string[] };
  };
  await props.sent.submit(String(real1.block.extrinsics[0]), 'Timestamp.set', 'Alice', '{ now: 1 }');
  const row = () => page.querySelector('li summary')?.textContent?.replace(/\s+/g, ' ').trim();
  flushSync();
  expect(row()).toMatch(/^sending Timestamp.set \{ now: 1 \} by Alice/);
  subscribers.get('author_submitAndWatchExtrinsic')?.({ inBlock: hash });
  await settle();
  expect(row()).toMatch(/^in block/);
  block.resolve(real1);
  await vi.waitFor(() => expect(row()).toMatch(/by Alice succeeded in #1$/));
  const link = page.querySelector('summary a')?.getAttribute('href');
  expect(link).toMatch(new RegExp(`chain/${hash}/0$`));
  const status = page.querySelector('.status');
  expect(status?.classList).not.toContain('final');
  subscribers.get('author_submitAndWatchExtrinsic')?.({ finalized: hash });
  await settle();
  expect(row()).toMatch(/^finalized .*succeeded in #1$/);
  expect([page.querySelector('.status'), status?.classList.contains('final')]).toEqual([status, true]);
});

it('says once why a transaction is not valid', async () => {
  const { page, dryRun } = openBuild(remark('0x01'), (method, [name]) => {
    if (method === 'system_dryRun') return '0x010001';
    return name === 'TaggedTransactionQueue_validate_transaction' ? '0x010001' : undefined;
  });
  await vi.waitFor(() => expect(dryRun()).toBe('not applied'));
  expect(page.textContent.match(/Payment:/g)?.length).toBe(1);
});

it('names arguments that cannot be encoded, and blocks sending by button and by key', async () => {
  const { page } = openBuild(callOf('System', 'remark', { remark: '0x01' }));
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
  typeIn(field(page, 'remark'), '0x0');
  expect(sendButton(page)?.disabled).toBe(true);
  expect(page.textContent).toContain('Complete the arguments to see the encoded call.');
  press(page, 'JSON');
  const json = field(page, 'Arguments as JSON');
  typeIn(json, '{ "remark": ');
  expect(json?.getAttribute('aria-invalid')).toBe('true');
  json?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
  await settle();
  expect(page.textContent).not.toContain('Not sent');
  typeIn(json, '{ "remark": "0x02" }');
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
});

it('finds a call by words and selects it by keyboard; Escape restores the previous one', () => {
  const { page } = openBuild(remark('0x01'));
  const call = field(page, 'Call') as HTMLInputElement;
  const key = (name: string) => {
    call.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
    flushSync();
  };
  call.focus();
  typeIn(call, 'transfer keep');
  expect(page.querySelectorAll('[role="option"]').length).toBeGreaterThan(0);
  key('Escape');
  expect(call.value).toBe('System.remark');
  typeIn(call, 'no such call');
  expect(page.textContent).toContain('No call matches “no such call”.');
  typeIn(call, 'transferKeepAlive');
  key('Enter');
  expect(call.value).toBe('Balances.transfer_keep_alive');
});

it('rejects hex that is not a call, and loads the call of a pasted extrinsic', async () => {
  const { page, context } = openBuild(remark('0x01'));
  press(page, 'Paste hex…');
  const paste = field(page, 'Bytes of a call or an extrinsic');
  typeIn(paste, '0xffff');
  press(page, 'Load');
  expect(page.querySelector('[role="alert"]')?.textContent).toMatch(/not a call of this runtime/);
  const call = fromHex(callOf('System', 'remark_with_event', { remark: '0x77' }));
  typeIn(paste, await signed(context.node, call, 0));
  press(page, 'Load');
  expect((field(page, 'Call') as HTMLInputElement).value).toBe('System.remark_with_event');
  expect((field(page, 'remark') as HTMLInputElement).value).toBe('0x77');
});

const signed = async (
  node: Parameters<typeof loadFacts>[0],
  call: Uint8Array,
  nonce: number,
): Promise<string> => {
  const signer = { kind: 'impersonated', id: alice, name: 'Alice' } as const;
  const facts = await loadFacts(
    node,
    String(Object.values(addressJson(real.meta, alice) as object)[0]),
    nonce,
  );
  return signCall(real.meta, call, signer, facts, { nonce, tip: 0n, period: null });
};

it('updates the raw extrinsic with the URL, also on Back, and keeps a long one out of the URL', () => {
  const { context, props } = openReal();
  openLink('#/send/raw?extrinsic=0x1234');
  const page = mountIn(context, SubmitRaw, props);
  const bytes = page.querySelector('textarea');
  expect(bytes?.value).toBe('0x1234');
  openLink('#/send/raw?extrinsic=0x5678');
  flushSync();
  expect(bytes?.value).toBe('0x5678');
  typeIn(bytes, '0x5');
  expect(page.textContent).toContain('Enter bytes as 0x');
  expect(bytes?.value).toBe('0x5');
  const long = `0x${'00'.repeat(10_000)}`;
  typeIn(bytes, long);
  expect(bytes?.value).toBe(long);
  expect(context.route.place.query.has('extrinsic')).toBe(false);
});

const upload = async (page: HTMLElement, name: string, bytes: Uint8Array): Promise<void> => {
  const input = page.querySelector<HTMLInputElement>('[type="file"]');
  if (input === null) throw new Error('no field');
  const files = new DataTransfer();
  files.items.add(new File([bytes as Uint8Array<ArrayBuffer>], name));
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
};

it('shows the version of the runtime file; rejects a file that is not a runtime, with the reason', async () => {
  const { context, props } = openReal();
  const page = mountIn(context, Upgrade, props);
  const version = () => /→\s*(tabnode \d+)/.exec(page.textContent ?? '')?.[1];
  await vi.waitFor(() => expect(page.textContent).toContain('tabnode 101'));
  await vi.waitFor(() => expect(sendButton(page)).toBeDefined());
  const file = page.querySelector<HTMLInputElement>('[type="file"]');
  expect([file?.labels?.[0]?.textContent, file?.getAttribute('aria-label')]).toEqual([
    expect.stringMatching(/^\s*Choose file…\s+Runtime, a .wasm file\s*$/),
    null,
  ]);
  await upload(page, 'notes.txt', new TextEncoder().encode('no runtime'));
  await vi.waitFor(() =>
    expect(page.querySelector('[role="alert"]')?.textContent).toMatch(/neither a WebAssembly/),
  );
  expect(sendButton(page)?.disabled).toBe(true);
  await upload(page, 'next.wasm', await loadNextRuntime());
  await vi.waitFor(() => expect(version()).toBe('tabnode 102'));
  expect(page.querySelector('[role="alert"]')).toBeNull();
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
});

it('ignores a late version of a file that was replaced, and reports a version that is too low', async () => {
  const infos: PromiseWithResolvers<unknown>[] = [];
  const { context, props } = openReal((method) => {
    if (method !== 'dev_runtimeInfo') return undefined;
    const info = Promise.withResolvers<unknown>();
    infos.push(info);
    return info.promise;
  });
  const page = mountIn(context, Upgrade, props);
  const version = () => /→\s*(tabnode \d+)/.exec(page.textContent ?? '')?.[1];
  await vi.waitFor(() => expect(page.textContent).toContain('tabnode 101'));
  await upload(page, 'one.wasm', Uint8Array.of(1));
  await vi.waitFor(() => expect(infos.length).toBe(1));
  await upload(page, 'two.wasm', Uint8Array.of(2));
  await vi.waitFor(() => expect(infos.length).toBe(2));
  infos[1]?.resolve({ specName: 'tabnode', specVersion: 100 });
  await vi.waitFor(() => expect(version()).toBe('tabnode 100'));
  expect(page.textContent).toContain('This runtime does not meet the requirement');
  infos[0]?.resolve({ specName: 'other', specVersion: 7 });
  await settle();
  expect(version()).toBe('tabnode 100');
});

it('neither refuses nor resends a file whose version already runs, as after its upgrade', async () => {
  const { context, props } = openReal((method) =>
    method === 'dev_runtimeInfo' ? { specName: 'tabnode', specVersion: 101 } : undefined,
  );
  const page = mountIn(context, Upgrade, props);
  await vi.waitFor(() => expect(page.textContent).toContain('tabnode 101'));
  await upload(page, 'same.wasm', Uint8Array.of(1));
  await vi.waitFor(() => expect(page.textContent).toContain('This version runs already.'));
  expect(page.textContent).not.toContain('This runtime does not meet the requirement');
  expect(sendButton(page)?.disabled).toBe(true);
});

it('tells that an upgrade has landed, also of a file dropped before the version was known', async () => {
  const opened = openReal((method) => {
    if (method === 'state_getRuntimeVersion') return version.promise;
    return method === 'dev_runtimeInfo' ? { specName: 'tabnode', specVersion: 102 } : undefined;
  });
  let version = Promise.withResolvers<unknown>();
  const session = { upgrade: { name: 'next.wasm', bytes: Uint8Array.of(1) } };
  const now = new SvelteMap([['meta', real.meta]]);
  const props = { ...opened.props, get meta() { return now.get('meta') ?? real.meta; } }; // biome-ignore format: short
  const page = mountIn({ ...opened.context, session: session as never }, Upgrade, props);
  version.resolve({ specName: 'tabnode', specVersion: 101 });
  await vi.waitFor(() => expect(page.textContent).toMatch(/Upgrade:\s+tabnode 101\s+→\s+tabnode 102/));
  expect(page.textContent).not.toContain('Upgraded from');
  version = Promise.withResolvers();
  version.resolve({ specName: 'tabnode', specVersion: 102 });
  now.set('meta', { ...real.meta });
  await vi.waitFor(() =>
    expect(page.querySelector('[role="status"].ok')?.textContent).toContain('✓ Upgraded from tabnode 101.'),
  );
});

it('asks before removing a transaction, and leaves out its dependents when skipping it', async () => {
  const entry = (nonce: number, provides: string, requires: readonly string[] = []) => ({
    hash: `0x${String(nonce).repeat(64)}`,
    extrinsic: `0x0${nonce}`,
    priority: '1',
    validTill: '64',
    propagate: true,
    provides: [provides],
    requires,
  });
  const ready = [entry(1, '0xaa'), entry(2, '0xbb', ['0xaa']), entry(3, '0xcc')];
  const { context, asked } = openReal((method) => {
    if (method === 'dev_pool') return { ready, future: [], banned: [] };
    if (method === 'author_removeExtrinsic') return [ready[0]?.hash, ready[1]?.hash];
    return method === 'dev_newBlock' ? { hash: '0x00' } : undefined;
  });
  const page = mountIn(context, Pool, { meta: real.meta });
  await vi.waitFor(() => expect(page.querySelectorAll('ol > li').length).toBe(3));
  press(page, /^Seal without it/);
  await vi.waitFor(() => expect(page.textContent).toContain('2 transactions were left out'));
  expect(asked).toContainEqual(['dev_newBlock', { transactions: ['0x03'] }]);
  press(page, 'Remove…');
  expect(asked.map(([method]) => method)).not.toContain('author_removeExtrinsic');
  press(page, 'Remove');
  await vi.waitFor(() => expect(page.textContent).toContain('2 transactions removed.'));
});

it('funds an account in the chain’s unit; does not send an invalid account or amount', async () => {
  const { context, asked } = openReal((method) =>
    method === 'dev_fund' ? { hash: '0x00', by: 'sudo' } : undefined,
  );
  const onclose = vi.fn();
  const props = { account: 'nobody', prefix: 42, actions: new Actions(context.node), onclose };
  const page = mountIn(context, FundDialog, props);
  const button = () => page.querySelector<HTMLButtonElement>('button.primary');
  const amount = () => field(page, 'New free balance');
  await vi.waitFor(() => expect(page.textContent).toMatch(/= 1\s000 UNIT/));
  expect(button()?.disabled).toBe(true);
  typeIn(field(page, 'Account'), bob);
  expect(button()?.disabled).toBe(false);
  typeIn(amount(), '7.5.5');
  expect(button()?.disabled).toBe(true);
  typeIn(amount(), '7.5 UNIT');
  button()?.click();
  await settle();
  expect(asked.filter(([method]) => method === 'dev_fund')).toEqual([['dev_fund', bob, '7500000000000']]);
  expect(onclose).toHaveBeenCalled();
});

it('a transaction that a reload interrupted is searched for, and shown as not included if it is not found', async () => {
  const item = {
    ...{ id: 'a', hash: `0x${'5e'.repeat(32)}`, hex: '0x00', label: 'System.remark', args: '', by: 'Alice' },
    ...{ atMs: 1, steps: [], refused: null, open: true, block: null, outcome: null },
  };
  localStorage.setItem('tabnode.sent.lost', JSON.stringify([item]));
  onTestFinished(() => localStorage.removeItem('tabnode.sent.lost'));
  const { context } = openReal();
  const sent = new Sent(context.node, context.metas, 'lost');
  const page = mountIn(context, SentList, { sent });
  const row = () => page.querySelector('li summary')?.textContent?.replace(/\s+/g, ' ').trim();
  expect(row()).toMatch(/^unknown .*Looking for it on the chain/);
  await sent.follow(context.chain);
  flushSync();
  expect(row()).toMatch(/^not included .*neither in the pool nor in a recent block/);
});

it('an account field says why it takes no megabytes', () => {
  const { context } = openReal();
  const around = { actions: new Actions(context.node), onclose: () => undefined };
  const page = mountIn(context, FundDialog, { account: bob, prefix: 42, ...around });
  expect(page.textContent).not.toContain('Enter an SS58 address');
  typeIn(page.querySelector('[aria-label="Account"]'), 'f'.repeat(3_000_000));
  expect(page.querySelector('[role="status"]')?.textContent).toBe(
    'Enter an SS58 address or a 0x public key.',
  );
});
