import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { NodeStatus } from '../../../../src/index.ts';
import { encodeCall } from '../../../../src/scale/extrinsic.ts';
import { toHex } from '../../../../src/scale/hex.ts';
import { openLink } from '../../../kit/page/route.svelte.ts';
import { devAccounts } from '../../../node/accounts.ts';
import { mountIn, press, settle, withStatus } from '../../../testing/open-page.ts';
import { field, sendButton, sends, useSend } from '../../../testing/open-send.ts';
import BuildCall from './BuildCall.svelte';

const { openSend, real, signers } = useSend();
const [alice, bob] = devAccounts.map(({ id }) => id) as [string, string];

const remark = (text: string): string => toHex(encodeCall(real.meta, 'System', 'remark', { remark: text }));

type Info = Parameters<typeof withStatus>[2];

const openBuild = (call: string, change?: Parameters<typeof openSend>[0], info: Info = {}) => {
  const opened = openSend(change);
  const status = () => Promise.resolve(info as NodeStatus);
  const context = withStatus(opened.context, info.base ? status : opened.context.node.status, info);
  openLink(`#/send/System/remark?call=${call}`);
  const page = mountIn(context, BuildCall, opened.props);
  const dryRun = () =>
    [...page.querySelectorAll('dt')]
      .find(({ textContent }) => textContent === 'Execution')
      ?.nextElementSibling?.textContent?.trim();
  return { ...opened, page, dryRun };
};

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
  await vi.waitFor(() => expect(dryRun()).toMatch(/^fails: CannotLookup/));
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
  sendButton(page)?.focus();
  press(page, sends);
  // Once is enough, and the button keeps the focus: a disabled one would lose it.
  press(page, sends);
  expect([sendButton(page)?.ariaDisabled, sendButton(page)?.disabled]).toEqual(['true', false]);
  expect(document.activeElement).toBe(sendButton(page));
  openLink(`#/send/System/remark?call=${remark('0x0bad')}&from=${bob}`);
  flushSync();
  facts.resolve();
  await vi.waitFor(() => expect(sent.length).toBe(1));
  expect(String(sent[0])).toContain(remark('0x01').slice(2));
  expect(String(sent[0])).toContain(alice.slice(2));
  expect(subscribers.size).toBeGreaterThan(0);
});

it('names the tip beside the fee, for the next transaction too', async () => {
  const { page, context } = openBuild(`${remark('0x01')}&tip=100000000000`);
  const fee = () => page.querySelector('[aria-label="Forecast"] dd')?.textContent?.replace(/\s+/g, ' ');
  await vi.waitFor(() => expect(fee()).toContain('+ 0.1 UNIT tip'));
  const subscribe = vi.spyOn(context.node, 'subscribe');
  press(page, sends);
  await vi.waitFor(() =>
    expect(subscribe.mock.calls.map(([method]) => method)).toContain('author_submitAndWatchExtrinsic'),
  );
  await settle();
  expect((field(page, 'tip') as HTMLInputElement).value).toBe('100000000000');
  expect(fee()).toContain('+ 0.1 UNIT tip');
});

it('says once why a transaction is not valid', async () => {
  const { page, dryRun } = openBuild(remark('0x01'), (method, [name]) => {
    if (method === 'system_dryRun') return '0x010001';
    return name === 'TaggedTransactionQueue_validate_transaction' ? '0x010001' : undefined;
  });
  await vi.waitFor(() => expect(dryRun()).toBe('not applied'));
  expect(page.textContent.match(/Payment:/g)?.length).toBe(1);
});

it('what keeps a transaction from being forecast is one sentence, with the node’s words in its details', async () => {
  const { page } = openBuild(remark('0x01'), (method) => {
    if (method === 'system_accountNextIndex')
      throw Object.assign(new Error('Client error: gone'), { code: 4003 });
    return undefined;
  });
  await vi.waitFor(() => {
    const line = [...page.querySelectorAll('p[role="status"]')].at(-1);
    expect([line?.textContent, line?.nextElementSibling?.querySelector('pre')?.textContent]).toEqual([
      'The state of the block could not be read, or its runtime failed. Check the block and the parameters.',
      '4003: Client error: gone',
    ]);
  });
});

it('the forecast is renewed after one’s own transaction, without a new block', async () => {
  const { page, asked, subscribers, dryRun } = openBuild(remark('0x01'), (method) =>
    method === 'system_dryRun' ? succeeds : undefined,
  );
  const runs = () => asked.filter(([method]) => method === 'system_dryRun').length;
  await vi.waitFor(() => expect(dryRun()).toBe('succeeds'));
  expect(runs()).toBe(1);
  press(page, sends);
  await vi.waitFor(() => expect(subscribers.has('author_submitAndWatchExtrinsic')).toBe(true));
  await vi.waitFor(() => expect(runs()).toBe(2));
  subscribers.get('author_submitAndWatchExtrinsic')?.('ready');
  await vi.waitFor(() => expect(runs()).toBe(3));
});

it('warns before an own key signs on a fork what the live chain accepts too, and not for a key that everybody has', async () => {
  const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const mine = await signers.add('Mine', phrase);
  onTestFinished(() => signers.forget(mine));
  // The best block of the real node is #1.
  const warning = async (from: string, era: string, base?: number) => {
    const info = base === undefined ? {} : { base: { number: base, hash: `0x${'0b'.repeat(32)}` } };
    const { page, asked } = openBuild(`${remark('0x01')}&from=${from}&era=${era}`, undefined, info);
    await vi.waitFor(() => expect(asked.map(([method]) => method)).toContain('system_dryRun'));
    await vi.waitFor(() => expect(page.querySelector('[aria-label="Forecast"]')?.ariaBusy).toBe('false'));
    return [...page.querySelectorAll('p.warn')].map(({ textContent }) => textContent.trim()).join();
  };
  expect(await warning(mine, 'immortal', 0)).toMatch(/has no expiry, so the live chain accepts it too/);
  expect(await warning(mine, '64', 0)).toBe('');
  expect(await warning(mine, '64', 1)).toMatch(/up to block #64\. Seal a block first/);
  expect(await warning(mine, 'immortal')).toBe('');
  expect(await warning(alice, 'immortal', 0)).toBe('');
});

it('a wallet that does not sign is waited for until that is canceled, and nothing is sent', async () => {
  const address = '5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV';
  const accounts = { get: async () => [{ address, name: 'Mine' }] };
  const signPayload = vi.fn(() => new Promise(() => undefined));
  vi.stubGlobal('injectedWeb3', { slow: { enable: async () => ({ accounts, signer: { signPayload } }) } });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
  });
  const [mine] = (await signers.connect('slow')).accounts;
  const { page, props, subscribers } = openBuild(`${remark('0x01')}&from=${mine?.id}`);
  await vi.waitFor(() => expect(sendButton(page)?.disabled).toBe(false));
  press(page, sends);
  await vi.waitFor(() => expect(signPayload).toHaveBeenCalledTimes(1));
  expect(page.textContent).toContain('Confirm the transaction in slow.');
  press(page, 'Cancel');
  await vi.waitFor(() => expect(sendButton(page)?.ariaDisabled).toBe('false'));
  expect(props.sent.items).toMatchObject([{ refused: 'You no longer wait for slow. Try again.', hash: '' }]);
  expect(page.textContent).not.toContain('Confirm the transaction');
  expect(subscribers.has('author_submitAndWatchExtrinsic')).toBe(false);
});
