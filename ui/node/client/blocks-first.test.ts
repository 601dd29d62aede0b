import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createBlocksFirst } from './blocks-first.ts';
import type { UiNode } from './ui-node.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const sent: string[] = [];
beforeEach(() => {
  sent.length = 0;
});

/** A node that records what it is asked for. */
const node = {
  status: async () => sent.push('status'),
  request: async (method: string) => sent.push(method),
  subscribe: (method: string) => {
    sent.push(method);
    return { opened: Promise.resolve(), close: () => sent.push(`end ${method}`) };
  },
  with: (change: object) => ({ ...node, ...change }),
} as unknown as UiNode;

const watchVersion = (held: UiNode) =>
  held.subscribe('state_subscribeRuntimeVersion', [], 'state_unsubscribeRuntimeVersion', () => undefined);

it('sends requests for blocks at once and the others in order when it opens', async () => {
  const first = createBlocksFirst();
  const held = first.over(node);
  const all = [
    held.status(),
    held.request('state_call', ['Metadata_metadata_at_version', '0x10000000']),
    watchVersion(held).opened,
    held.request('chain_getHeader', []),
  ];
  held.subscribe('chain_subscribeNewHeads', [], 'chain_unsubscribeNewHeads', () => undefined);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual(['chain_getHeader', 'chain_subscribeNewHeads']);
  first.open();
  await Promise.all(all);
  expect(sent.slice(2)).toEqual(['status', 'state_call', 'state_subscribeRuntimeVersion']);
  void held.request('rpc_methods', []);
  expect(sent.at(-1)).toBe('rpc_methods');
});

it('waits no longer than half a second', async () => {
  const held = createBlocksFirst().over(node);
  const asked = held.request('state_call', []);
  await vi.advanceTimersByTimeAsync(499);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(sent).toEqual(['state_call']);
});

it('does not open a subscription that was closed while it waited, and closes one that was opened', async () => {
  const first = createBlocksFirst();
  const held = first.over(node);
  const [early, late] = [watchVersion(held), watchVersion(held)];
  early.close();
  first.open();
  await Promise.all([early.opened, late.opened]);
  expect(sent).toEqual(['state_subscribeRuntimeVersion']);
  late.close();
  expect(sent).toEqual(['state_subscribeRuntimeVersion', 'end state_subscribeRuntimeVersion']);
});

it('sends nothing to a node that is still starting, and then blocks first', async () => {
  const { promise, resolve } = Promise.withResolvers<never>();
  const first = createBlocksFirst();
  const held = first.over({ ...node, starting: promise });
  const version = held.request('state_getRuntimeVersion', []);
  const header = held.request('chain_getHeader', []);
  // However long the start takes.
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent).toEqual([]);
  resolve({} as never);
  await header;
  expect(sent).toEqual(['chain_getHeader']);
  await vi.advanceTimersByTimeAsync(500);
  await version;
  expect(sent).toEqual(['chain_getHeader', 'state_getRuntimeVersion']);
});
