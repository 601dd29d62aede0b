import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { JsonRpcError } from '../../../src/protocol/json-rpc/json-rpc-error.ts';
import { currentFrame } from '../../kit/page/frame.ts';
import { openLink } from '../../kit/page/route.svelte.ts';
import { mountIn, openContext, press, settle, typeIn } from '../../testing/open-page.ts';
import LivePanel from './LivePanel.svelte';
import DockLog from './traffic/DockLog.svelte';

const heads = '["chain_subscribeNewHeads",[]]';
const keys = '["state_subscribeStorage",[["0x01"]]]';
const address = () => decodeURIComponent(currentFrame().address.read());

const openPanel = (link: string) => {
  const opened = openContext((method) => (method === 'rpc_methods' ? { methods: [] } : null));
  openLink(link);
  const page = mountIn(opened.context, LivePanel, {});
  const go = (to: string) => {
    openLink(to);
    flushSync();
  };
  const columns = () =>
    [...page.querySelectorAll('section > header h2')].map((name) => name.textContent.trim());
  return { ...opened, page, go, columns };
};

it('the address opens, orders and closes subscriptions; a return to the page brings them back', async () => {
  const { page, go, columns, ended } = openPanel(`#/live?sub=[${heads},${keys}]`);
  expect(columns()).toEqual([expect.stringMatching(/^chain_/), expect.stringMatching(/^state_/)]);
  go(`#/live?sub=[${keys}]`);
  await settle();
  expect(columns()).toHaveLength(1);
  expect(ended).toEqual(['chain_unsubscribeNewHeads']);
  go('#/live/traffic');
  go('#/live');
  expect(address()).toBe(`#/live?sub=[${keys}]`);
  expect(columns()).toHaveLength(1);
  press(page, /Close state_subscribeStorage/);
  expect([address(), columns().length]).toEqual(['#/live', 0]);
});

it('an unknown subscription of the address has a column that says so, and can be closed', () => {
  const { page, columns } = openPanel(`#/live?sub=[["nope",[]],${heads}]`);
  expect(columns()).toEqual(['nope', expect.stringMatching(/^chain_/)]);
  expect(page.querySelector('[aria-label="nope"]')?.textContent).toContain('Unknown subscription nope');
  const open = vi.spyOn(currentFrame().address, 'open');
  press(page, /Close nope/);
  expect([columns().length, address()]).toEqual([1, `#/live?sub=[${heads}]`]);
  // Back brings it again.
  expect(open).toHaveBeenCalledOnce();
});

it('a refused subscription has a column that says why and what to do, with the refusal below', async () => {
  const { context } = openContext(() => ({ methods: [] }));
  const refusals = [
    new JsonRpcError(-32006, 'Too many subscriptions', 'limit 1024'),
    new JsonRpcError(-32602, 'Invalid params', 'invalid type: integer `5`'),
  ];
  vi.spyOn(context.userNode, 'subscribe').mockImplementation(() => ({
    opened: Promise.reject(refusals.shift()),
    close: () => undefined,
  }));
  openLink(`#/live?sub=[${heads},["state_subscribeStorage",[5]]]`);
  const page = mountIn(context, LivePanel, {});
  await settle();
  const [alert, other] = page.querySelectorAll('[role="alert"]');
  expect(alert?.querySelector('p')?.textContent).toBe(
    'Too many subscriptions are open. Close one. Close this column and subscribe again.',
  );
  expect(alert?.querySelector('pre')?.textContent).toBe('-32006: Too many subscriptions\nlimit 1024');
  expect(other?.querySelector('p')?.textContent).toMatch(/^Parameter keys: expected a list of bytes/);
});

it('a link that would submit a transaction waits for a click', () => {
  const submit = 'author_submitAndWatchExtrinsic';
  const { page, go, subscribers } = openPanel(`#/live?sub=[["${submit}",["0x00"]],${heads}]`);
  expect([...subscribers.keys()]).not.toContain(submit);
  expect(page.textContent).toContain('Nothing was sent yet');
  press(page, 'Submit');
  expect([...subscribers.keys()]).toContain(submit);
  expect(page.textContent).not.toContain('Nothing was sent yet');
  go(`#/live?method=${submit}&params=["0x01"]`);
  expect(page.textContent).toContain('Nothing was sent yet');
});

it('an item of the address that is no subscription has a column that says so; the others open', () => {
  const { page, columns, subscribers } = openPanel(`#/live?sub=[[1],${heads},5,["nope",5]]`);
  expect(columns()).toEqual(['[1]', expect.stringMatching(/^chain_/), '5', '["nope",5]']);
  expect([...subscribers.keys()]).toContain('chain_subscribeNewHeads');
  for (const column of [...page.querySelectorAll('section:has(> header)')].filter((_, at) => at !== 1))
    expect(column.textContent).toContain('Unknown subscription');
  for (const name of [/Close \[1\]/, /Close 5/, /Close \["nope",5\]/]) press(page, name);
  expect([columns().length, address()]).toEqual([1, `#/live?sub=[${heads}]`]);
});

it('subscriptions of the address beyond the maximum are told, and open when others are closed', () => {
  const all = Array.from({ length: 14 }, (_, at) => `["state_subscribeStorage",[["0x0${at.toString(16)}"]]]`);
  const { page, columns } = openPanel(`#/live?sub=[${all.join()}]`);
  const status = () => page.querySelector('[role="status"]')?.textContent;
  expect([columns().length, status()]).toEqual([12, 'Waiting for a free column: 2']);
  press(page, /Close state_subscribeStorage/);
  expect([columns().length, status()]).toEqual([12, 'Waiting for a free column: 1']);
  expect(address()).toBe(`#/live?sub=[${all.slice(1).join()}]`);
});

it('a link to one subscription adds it to those that are open', () => {
  const { go, columns } = openPanel(`#/live?sub=[${heads}]`);
  go('#/live?method=state_subscribeStorage&params=[["0x01"]]');
  expect(columns()).toHaveLength(2);
  expect(address()).toBe(`#/live?sub=[${heads},${keys}]`);
});

it('the filter of the log is that of the address; the dock has its own', () => {
  const { context, page, go } = openPanel('#/live/traffic?method=system_');
  const field = (of: Element) => of.querySelector<HTMLInputElement>('[aria-label="Filter by method"]');
  expect(field(page)?.value).toBe('system_');
  typeIn(field(page), 'chain_');
  expect(address()).toBe('#/live/traffic?method=chain_');
  go('#/live/traffic?method=state_');
  expect(field(page)?.value).toBe('state_');
  go('#/chain');
  const dock = mountIn(context, DockLog, {});
  expect(field(dock)?.value).toBe('');
  typeIn(field(dock), 'author_');
  expect([field(dock)?.value, address()]).toEqual(['author_', '#/chain']);
  go('#/live/traffic?method=state_');
  go('#/storage');
  expect(field(dock)?.value).toBe('author_');
});
