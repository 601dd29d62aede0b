import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NodeError } from '../../../../src/protocol/errors.ts';
import { toAddress } from '../../../../src/scale/address.ts';
import { encodeCall } from '../../../../src/scale/extrinsic.ts';
import { toHex } from '../../../../src/scale/hex.ts';
import { openLink } from '../../../kit/page/route.svelte.ts';
import { devAccounts } from '../../../node/accounts.ts';
import { Sent } from '../../../node/tx/sent.svelte.ts';
import { loadFacts, signCall } from '../../../node/tx/signing.ts';
import { mountIn, press } from '../../../testing/open-page.ts';
import { sendButton, useSend } from '../../../testing/open-send.ts';
import BuildCall from '../build/BuildCall.svelte';
import SentList from './SentList.svelte';

const { openSend, real } = useSend();

/** The status of the newest transaction, and the text at the end of its row. */
const rowOf = (page: HTMLElement) => {
  flushSync();
  return ['.status', '.end'].map((part) => page.querySelector(`li ${part}`)?.textContent?.trim());
};

it('a call that cannot be signed has a row that says so, also after the node or the page has ended', async () => {
  onTestFinished(() => localStorage.removeItem('tabnode.sent.dead'));
  const facts = Promise.withResolvers<unknown>();
  let isSending = false;
  const { context, props, subscribers } = openSend((method) =>
    isSending && method === 'system_accountNextIndex' ? facts.promise : undefined,
  );
  const ending = new AbortController();
  const sent = new Sent(context.node, context.metadata, 'dead', ending.signal);
  openLink(
    `#/send/System/remark?call=${toHex(encodeCall(real.meta, 'System', 'remark', { remark: '0x01' }))}`,
  );
  const form = mountIn(context, BuildCall, { ...props, sent });
  const page = mountIn(context, SentList, { sent });
  await vi.waitFor(() => expect(sendButton(form)?.disabled).toBe(false));
  isSending = true;
  press(form, /^Sign and send/);
  expect(rowOf(page)).toEqual(['Signing', '']);
  expect(page.querySelector('li summary')?.textContent).toContain('System.remark');
  ending.abort();
  const later = mountIn(context, SentList, { sent: new Sent(context.node, context.metadata, 'dead') });
  expect(rowOf(later)).toEqual(['Not sent', 'The page or its node ended before it was signed.']);
  expect([...later.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual(['Statuses']);
  facts.reject(new Error('the node is gone'));
  await vi.waitFor(() => expect(rowOf(page)).toEqual(['Not sent', 'the node is gone']));
  expect([...subscribers.keys()]).not.toContain('author_submitAndWatchExtrinsic');
});

it('a transaction is searched for, not called refused, if the node ends before it answers the submission', async () => {
  const { context } = openSend();
  const opened = Promise.reject(new NodeError('Disconnected'));
  const sent = new Sent(
    context.node.with({ subscribe: () => ({ opened, close: () => undefined }) }),
    context.metadata,
  );
  const page = mountIn(context, SentList, { sent });
  await sent.submit('0x1004000001', 'System.remark', 'Alice');
  expect(rowOf(page)).toEqual(['Checking…', 'Sending when last seen.']);
  await sent.follow(context.chain);
  expect(rowOf(page)[0]).toBe('Not included');
});

it('a transaction of another tab that a rollback takes out of its block is in the pool, and in no block', async () => {
  const { context, props } = openSend();
  const genesisHash = String(await real.request('chain_getBlockHash', [0]));
  const node = context.node.with({
    info: { ...context.node.info, genesisHash },
    // The tab that sent it watches it.
    subscribe: () => ({ opened: Promise.reject(new NodeError('Disconnected')), close: () => undefined }),
  });
  const [alice] = devAccounts;
  if (alice?.suri == null) throw new Error('no key');
  const facts = await loadFacts(node, toAddress(alice.id, real.meta.ss58Prefix), null);
  const call = encodeCall(real.meta, 'System', 'remark', { remark: '0x01' });
  const signer = { kind: 'key', id: alice.id, name: 'Alice', suri: alice.suri } as const;
  const hex = await signCall(real.meta, call, signer, facts, { nonce: null, tip: 0n, period: null });
  const sent = new Sent(node, context.metadata);
  const loadBlock = (hash: string) => context.chain.loadBlock(hash);
  const chain = { best: { number: 2 }, finalized: 0, loadBlock } as unknown as typeof context.chain;
  const page = mountIn(context, SentList, { ...props, sent });
  const before = await real.request('chain_getBlockHash', []);
  onTestFinished(() => void real.request('dev_setHead', [before]));
  await real.request('author_submitExtrinsic', [hex]);
  await real.request('dev_newBlock', []);
  await sent.submit(hex, 'System.remark', 'Alice');
  await sent.follow(chain);
  await vi.waitFor(() => expect(rowOf(page)[1]).toMatch(/^succeeded\s+in\s+#2$/));
  await real.request('dev_setHead', [before]);
  await sent.follow(chain);
  expect(rowOf(page)).toEqual(['Ready', '']);
});

it('another tab’s transaction is listed once it is signed', async () => {
  onTestFinished(() => localStorage.removeItem('tabnode.sent.two'));
  const { context } = openSend();
  const [mine, others] = [0, 1].map(
    () => new Sent(context.node, context.metadata, 'two', new AbortController().signal),
  ) as [Sent, Sent];
  const signed = Promise.withResolvers<{ hex: string }>();
  const submitting = others.submit(() => signed.promise, 'System.remark', 'Bob');
  dispatchEvent(new Event('pagehide'));
  const join = () => {
    dispatchEvent(new StorageEvent('storage', { key: 'tabnode.sent.two' }));
    return mine.items.map(({ by }) => by);
  };
  expect(join()).toEqual([]);
  signed.resolve({ hex: '0x1004000001' });
  await submitting;
  expect(join()).toEqual(['Bob']);
});

it('how a transaction of another tab ended is taken from that tab, and survives both', async () => {
  onTestFinished(() => localStorage.removeItem('tabnode.sent.ends'));
  const { context } = openSend();
  const answer = Promise.withResolvers<void>();
  const refusing = context.node.with({
    subscribe: () => ({ opened: answer.promise, close: () => undefined }),
  });
  const ends = [new AbortController(), new AbortController()];
  const [mine, others] = [context.node, refusing].map(
    (node, index) => new Sent(node, context.metadata, 'ends', ends[index]?.signal),
  ) as [Sent, Sent];
  const join = () => dispatchEvent(new StorageEvent('storage', { key: 'tabnode.sent.ends' }));
  await mine.follow(context.chain);
  const submitting = others.submit('0x1004000001', 'System.remark', 'Bob');
  join();
  const page = mountIn(context, SentList, { sent: mine });
  // It is searched for at once, not with the next block.
  await vi.waitFor(() => expect(rowOf(page)[0]).toBe('Not included'));
  const reason = 'Inability to pay some fees';
  answer.reject(Object.assign(new Error('Invalid Transaction'), { code: 1010, data: reason }));
  await submitting;
  ends[1]?.abort();
  join();
  expect(rowOf(page)[0]).toBe('Refused');
  ends[0]?.abort();
  expect(new Sent(context.node, context.metadata, 'ends').items[0]?.refused).toContain(reason);
});

it('a transaction that becomes invalid says why, in the words of the runtime', async () => {
  const answers = ['0x010003', `0x00${'0100000000000000'}0000${'4000000000000000'}01`, 'no bytes'];
  const { context, props, subscribers } = openSend((_, [name]) =>
    name === 'TaggedTransactionQueue_validate_transaction' ? answers.shift() : undefined,
  );
  const page = mountIn(context, SentList, { sent: props.sent });
  for (const why of [
    'Another transaction of Alice with this nonce came first. Sign it again with the next nonce.',
    'It was removed from the pool, alone or with one it needs, or a block on another branch refused it. Send it again.',
    'The node gives no reason. Check the nonce, the expiry and the balance.',
  ]) {
    await props.sent.submit('0x1004000001', 'System.remark', 'Alice');
    subscribers.get('author_submitAndWatchExtrinsic')?.('invalid');
    await vi.waitFor(() => expect(rowOf(page)).toEqual(['Invalid', why]));
  }
});

it('a transaction that the node refuses says why, what that means and what to do; the node’s words are in its details', async () => {
  const { context } = openSend();
  const trap = {
    code: 1002,
    data: 'RuntimeApi("Execution aborted due to trap: wasm trap: wasm `unreachable` instruction executed, panicked at src/apis.rs")',
  };
  const faults = [{ code: 1010, data: 'Transaction is outdated' }, trap].map((one) =>
    Object.assign(new Error('Invalid Transaction'), one),
  );
  const subscribe = () => ({ opened: Promise.reject(faults.shift()), close: () => undefined });
  const sent = new Sent(context.node.with({ subscribe }), context.metadata);
  const page = mountIn(context, SentList, { sent });
  const newest = async () => {
    await sent.submit('0x00', 'System.remark', 'Alice', '');
    flushSync();
    return [page.querySelector('li .end')?.textContent?.trim(), page.querySelector('li pre')?.textContent];
  };
  expect(await newest()).toEqual([
    'Another transaction of Alice with this nonce came first. Sign it again with the next nonce.',
    '1010: Invalid Transaction\nTransaction is outdated',
  ]);
  expect(await newest()).toEqual([
    'The runtime could not check the transaction. Build it with the current metadata.',
    `1002: Invalid Transaction\n${trap.data}`,
  ]);
});
