import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { writeJson } from '../../../src/protocol/json.ts';
import { toAddress } from '../../../src/scale/address.ts';
import { encodeCall } from '../../../src/scale/extrinsic.ts';
import { extrinsicHash } from '../../../src/scale/hash.ts';
import { openLink } from '../../kit/page/route.svelte.ts';
import { devAccounts } from '../../node/accounts.ts';
import type { ChainView } from '../../node/chain-view.svelte.ts';
import { Actions } from '../../node/client/action.svelte.ts';
import { Sent } from '../../node/tx/sent.svelte.ts';
import type { Signer } from '../../node/tx/signers.svelte.ts';
import { loadFacts, signCall } from '../../node/tx/signing.ts';
import { mountIn, press, settle, typeIn, widen, withStatus } from '../../testing/open-page.ts';
import { field, useSend } from '../../testing/open-send.ts';
import FundDialog from './accounts/FundDialog.svelte';
import Pool from './pool/Pool.svelte';
import SubmitRaw from './SubmitRaw.svelte';
import SentList from './sent/SentList.svelte';

const { openSend, real } = useSend();
const bob = devAccounts[1]?.id ?? '';

it('shows the arguments, the outcome and the block of a sent transaction', async () => {
  const { context, props, subscribers } = openSend((method) =>
    method === 'chain_getBlock' ? block.promise : undefined,
  );
  const block = Promise.withResolvers<unknown>();
  const page = mountIn(context, SentList, { sent: props.sent });
  expect(page.textContent).toContain('Transactions you send appear here');
  const hash = String(await real.request('chain_getBlockHash', []));
  const real1 = (await real.request('chain_getBlock', [hash])) as {
    block: { extrinsics: readonly string[] };
  };
  await props.sent.submit(String(real1.block.extrinsics[0]), 'Timestamp.set', 'Alice', '{ now: 1 }', 'exact');
  const row = () => page.querySelector('li summary')?.textContent?.replace(/\s+/g, ' ').trim();
  flushSync();
  expect(row()).toMatch(/^Sending Timestamp.set \{ now: 1 \} by Alice/);
  subscribers.get('author_submitAndWatchExtrinsic')?.({ inBlock: hash });
  await settle();
  expect(row()).toMatch(/^In block/);
  // Words use the page's font; the node's names are monospaced.
  const isMono = (of: string) => page.querySelector(`li ${of}`)?.matches('.data');
  expect([isMono('.status'), isMono('.by'), isMono('summary .ellipsis')]).toEqual([false, false, true]);
  expect([...page.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
    'Hash',
    'Statuses',
  ]);
  block.resolve(real1);
  await vi.waitFor(() => expect(row()).toMatch(/by Alice succeeded in #1$/));
  const link = page.querySelector('summary a')?.getAttribute('href');
  expect(link).toMatch(new RegExp(`chain/${hash}/0$`));
  const status = page.querySelector('.status');
  expect(status?.classList).not.toContain('final');
  expect(page.querySelector<HTMLElement>('summary .ellipsis')?.title).toBe('exact');
  // Every status looks alike: a mark and a word.
  const look = () => {
    const { backgroundColor, padding, borderRadius } = getComputedStyle(status ?? page);
    return [backgroundColor, padding, borderRadius];
  };
  const inBlock = look();
  subscribers.get('author_submitAndWatchExtrinsic')?.({ finalized: hash });
  await settle();
  expect(row()).toMatch(/^Finalized .*succeeded in #1$/);
  expect([page.querySelector('.status'), status?.classList.contains('final')]).toEqual([status, true]);
  expect(look()).toEqual(inBlock);
  // On a phone, who sent it and how it ended share the second line.
  widen(page, 390);
  const [by, end] = ['.by', '.end'].map((of) => page.querySelector(of)?.getBoundingClientRect());
  expect(end?.left).toBeGreaterThan(by?.right ?? 0);
  expect(end?.bottom).toBeGreaterThan(by?.top ?? 0);
  expect(by?.bottom).toBeGreaterThan(end?.top ?? 0);
});

it('updates the raw extrinsic with the URL, also on Back, and keeps a long one out of the URL', () => {
  const { context, props } = openSend();
  openLink('#/send/raw?extrinsic=0x1234');
  const page = mountIn(context, SubmitRaw, props);
  const bytes = page.querySelector('textarea');
  expect(bytes?.value).toBe('0x1234');
  openLink('#/send/raw?extrinsic=0x5678');
  flushSync();
  expect(bytes?.value).toBe('0x5678');
  typeIn(bytes, '0x1004000000');
  expect(page.querySelector('dl')?.textContent).toContain('System.remark');
  const hash = page.querySelector('dl [data-full]')?.getAttribute('data-full');
  typeIn(bytes, '0x100400000000ff');
  expect(page.textContent).toMatch(/2 bytes\s+after the extrinsic: the node would ignore them/);
  expect(page.querySelector('dl [data-full]')?.getAttribute('data-full')).toBe(hash);
  // The runtime refuses a length that takes more bytes than it needs.
  typeIn(bytes, '0x140400000100');
  expect(page.textContent).toContain('It cannot be decoded: the compact integer 0 could be shorter.');
  expect(page.querySelector('dl')).toBeNull();
  typeIn(bytes, '0x5');
  expect(page.textContent).toContain('Enter bytes as 0x');
  expect(bytes?.value).toBe('0x5');
  const long = `0x${'00'.repeat(10_000)}`;
  typeIn(bytes, long);
  expect(bytes?.value).toBe(long);
  expect(context.route.place.query.has('extrinsic')).toBe(false);
  // Back from another panel.
  expect(mountIn(context, SubmitRaw, props).querySelector('textarea')?.value).toBe(long);
  // After a reload of the window too, unless it is too large even for that.
  context.close();
  const second = openSend();
  const again = mountIn(second.context, SubmitRaw, props);
  expect(again.querySelector('textarea')?.value).toBe(long);
  expect(again.textContent).not.toContain('too large');
  typeIn(again.querySelector('textarea'), `0x${'00'.repeat(1_000_000)}`);
  expect(again.textContent).toContain('This draft is too large to keep over a reload.');
  second.context.close();
  expect(mountIn(openSend().context, SubmitRaw, props).querySelector('textarea')?.value).toBe('');
});

it('warns of signed bytes that the live chain of a fork accepts too', async () => {
  const [{ id, name }] = devAccounts as [(typeof devAccounts)[number]];
  const opened = openSend();
  const { node } = opened.context;
  const base = { number: 1, hash: `0x${'0b'.repeat(32)}` };
  const call = encodeCall(real.meta, 'System', 'remark', { remark: '0x01' });
  const facts = await loadFacts(node, toAddress(id, real.meta.ss58Prefix), 0);
  const bytesBy = (signer: Signer, of = facts, period: number | null = null) =>
    signCall(real.meta, call, signer, of, { nonce: 0, tip: 0n, period });
  const warns = (bytes: string, info: object): boolean => {
    const page = mountIn(withStatus(opened.context, node.status, info), SubmitRaw, opened.props);
    typeIn(page.querySelector('textarea'), bytes);
    return page.textContent.includes('The live chain accepts this transaction too');
  };
  const own = { kind: 'key', id: `0x${'77'.repeat(32)}`, name: 'Mine', suri: '//Bob' } as const;
  const mortal = await bytesBy(own, { ...facts, birth: { number: 2, hash: facts.best } }, 64);
  const immortal = await bytesBy(own);
  expect([warns(immortal, { base }), warns(immortal, {}), warns(mortal, { base })]).toEqual([
    true,
    false,
    false,
  ]);
  expect(warns(await bytesBy({ kind: 'key', id, name, suri: '//Alice' }), { base })).toBe(false);
  expect(warns(await bytesBy({ kind: 'impersonated', id: own.id, name: null }), { base })).toBe(false);
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
  const { context, asked } = openSend((method) => {
    if (method === 'dev_pool') return { ready, future: [], banned: [] };
    if (method === 'author_removeExtrinsic') return [ready[0]?.hash, ready[1]?.hash];
    return method === 'dev_newBlock' ? { hash: '0x00' } : undefined;
  });
  const page = mountIn(context, Pool, { meta: real.meta });
  await vi.waitFor(() => expect(page.querySelectorAll('ol > li').length).toBe(3));
  press(page, /^Seal without it/);
  await vi.waitFor(() => expect(page.textContent).toContain('A block was sealed without 2 transactions.'));
  expect(asked).toContainEqual(['dev_newBlock', { transactions: ['0x03'] }]);
  press(page, 'Remove…');
  expect(asked.map(([method]) => method)).not.toContain('author_removeExtrinsic');
  press(page, 'Remove');
  await vi.waitFor(() => expect(page.textContent).toContain('2 transactions removed.'));
});

it('funds an account in the chain’s unit; does not send an invalid account or amount', async () => {
  const { context, asked } = openSend((method) =>
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
  for (const wrong of ['7.5.5', '1,5', '1,5 UNIT', '-1', `${2n ** 128n}`]) {
    typeIn(amount(), wrong);
    expect(button()?.disabled, wrong).toBe(true);
  }
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
  localStorage.setItem('tabnode.sent.lost', writeJson([item]));
  onTestFinished(() => localStorage.removeItem('tabnode.sent.lost'));
  const { context } = openSend();
  const sent = new Sent(context.node, context.metadata, 'lost');
  const page = mountIn(context, SentList, { sent });
  const row = () => page.querySelector('li summary')?.textContent?.replace(/\s+/g, ' ').trim();
  expect(row()).toMatch(/^Checking… .*when last seen\./);
  await sent.follow(context.chain);
  flushSync();
  expect(row()).toMatch(/^Not included .*neither in the pool nor in a recent block/);
  // The status is red, its explanation is not.
  const [status, end] = ['.status', '.end'].map((part) => page.querySelector(`summary ${part}`)?.classList);
  expect([status?.contains('bad'), end?.contains('bad'), end?.contains('muted')]).toEqual([
    true,
    false,
    true,
  ]);
  const sizes = [...page.querySelectorAll('h2')].map((title) => getComputedStyle(title).fontSize);
  expect(sizes).toEqual(['15px']);
});

it('a transaction in a block has its outcome after a reload, also one whose bytes are too long to keep', async () => {
  const { context } = openSend();
  const hash = String(await real.request('chain_getBlockHash', []));
  const { block } = (await real.request('chain_getBlock', [hash])) as {
    block: { extrinsics: readonly string[] };
  };
  const [hex = ''] = block.extrinsics;
  const item = (id: string, kept: string | null) => ({
    ...{ id, hash: extrinsicHash(hex), hex: kept, label: 'Timestamp.set', args: '', by: 'Alice', atMs: 1 },
    ...{ steps: [{ name: 'inBlock', hash, atMs: 1 }], refused: null, open: true },
    ...{ block: { hash, number: 1, index: 0 }, outcome: { kind: 'ok' } },
  });
  // The page may also end after the last status, before the outcome is read.
  const unread = {
    ...item('c', hex),
    ...{ steps: [{ name: 'finalized', hash, atMs: 1 }], open: false, block: null, outcome: null },
  };
  localStorage.setItem('tabnode.sent.open', writeJson([item('a', hex), item('b', null), unread]));
  onTestFinished(() => localStorage.removeItem('tabnode.sent.open'));
  const sent = new Sent(context.node, context.metadata, 'open');
  const page = mountIn(context, SentList, { sent });
  const loadBlock = (of: string) => context.chain.loadBlock(of);
  await sent.follow({ best: null, finalized: 0, loadBlock } as unknown as ChainView);
  const rows = () =>
    [...page.querySelectorAll('section > ol > li > details > summary')].map((one) => one.textContent);
  await vi.waitFor(() =>
    expect(rows().map((text) => /In block.*succeeded\s+in\s+#1/s.test(text))).toEqual([true, true, true]),
  );
});

it('tabs of one chain keep each other’s transactions', async () => {
  onTestFinished(() => localStorage.removeItem('tabnode.sent.shared'));
  const { context } = openSend();
  const tabs = [new AbortController(), new AbortController()];
  const [mine, others] = tabs.map(
    ({ signal }) => new Sent(context.node, context.metadata, 'shared', signal),
  ) as [Sent, Sent];
  await others.submit('0x1004000001', 'System.remark', 'Bob', '');
  tabs[1]?.abort();
  dispatchEvent(new StorageEvent('storage', { key: 'tabnode.sent.shared' }));
  await mine.submit('0x1004000002', 'System.remark', 'Alice', '');
  expect(mine.items.map(({ by }) => by)).toEqual(['Alice', 'Bob']);
  tabs[0]?.abort();
  expect(new Sent(context.node, context.metadata, 'shared').items.map(({ by }) => by)).toEqual([
    'Alice',
    'Bob',
  ]);
});

it('a finalized transaction whose block has left the chain is looked for again', async () => {
  const at = (id: string, number: number) => ({
    ...{
      id,
      hash: `0x${id.repeat(64)}`,
      hex: '0x00',
      label: 'System.remark',
      args: '',
      by: 'Alice',
      atMs: number,
    },
    ...{ steps: [{ name: 'finalized', hash: `0x${id.repeat(64)}`, atMs: 1 }], refused: null, open: false },
    ...{ block: { hash: `0x${id.repeat(64)}`, number, index: 2 }, outcome: { kind: 'ok' } },
  });
  localStorage.setItem('tabnode.sent.back', writeJson([at('b', 5), at('a', 3)]));
  onTestFinished(() => localStorage.removeItem('tabnode.sent.back'));
  // A roll back to #4 left the block of one of them.
  const { context } = openSend((method, params) =>
    method === 'chain_getBlockHash' && Number(params[0]) <= 4 ? `0x${'a'.repeat(64)}` : undefined,
  );
  const sent = new Sent(context.node, context.metadata, 'back');
  const page = mountIn(context, SentList, { sent });
  const rows = () => [...page.querySelectorAll('li summary .status')].map((one) => one.textContent?.trim());
  expect(rows()).toEqual(['Finalized', 'Finalized']);
  await sent.follow(context.chain);
  flushSync();
  expect(rows()).toEqual(['Not included', 'Finalized']);
});

it('an account field says why it takes no megabytes', () => {
  const { context } = openSend();
  const around = { actions: new Actions(context.node), onclose: () => undefined };
  const page = mountIn(context, FundDialog, { account: bob, prefix: 42, ...around });
  expect(page.textContent).not.toContain('Enter an SS58 address');
  typeIn(page.querySelector('[aria-label="Account"]'), 'f'.repeat(3_000_000));
  expect(page.querySelector('[role="status"]')?.textContent).toBe(
    'Enter an SS58 address or a 0x public key.',
  );
});
