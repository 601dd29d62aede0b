import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { encodeKey, storageEntry } from '../../../src/scale/storage.ts';
import { openLink } from '../../kit/page/route.svelte.ts';
import { groupDigits } from '../../kit/text/format.ts';
import ChainPanel from '../../panels/chain/ChainPanel.svelte';
import ConsensusPage from '../../panels/chain/consensus/ConsensusPage.svelte';
import LivePanel from '../../panels/live/LivePanel.svelte';
import NodePanel from '../../panels/node/NodePanel.svelte';
import RpcPanel from '../../panels/rpc/RpcPanel.svelte';
import RuntimePanel from '../../panels/runtime/RuntimePanel.svelte';
import SendPanel from '../../panels/send/SendPanel.svelte';
import StorageStart from '../../panels/storage/StorageStart.svelte';
import ValuePane from '../../panels/storage/ValuePane.svelte';
import { mountIn, openContext, widen } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import TopBar from './TopBar.svelte';

const real = useRealNode();

it('with every panel open, a new block costs a small number of requests, whatever the length of the chain', async () => {
  const { context, asked } = openContext((method, params) => real.request(method, params));
  const { node } = context;
  type Listener = { readonly method: string; readonly hear: (value: unknown) => void };
  const listeners = new Set<Listener>();
  vi.spyOn(node, 'subscribe').mockImplementation(((
    method: string,
    _: unknown,
    __: string,
    hear: Listener['hear'],
  ) => {
    const listener = { method, hear };
    listeners.add(listener);
    return { opened: Promise.resolve(), close: () => void listeners.delete(listener) };
  }) as never);
  const tell = (method: string, value: unknown) => {
    for (const listener of [...listeners]) if (listener.method === method) listener.hear(value);
  };
  let statuses = 0;
  const status = async () => {
    statuses += 1;
    const modes = { seal: { kind: 'manual' }, finality: { kind: 'manual' }, storage: 'memory' };
    const none = { sealFault: null, storageFault: null, edited: [], modified: false };
    return { ...modes, ...none, ready: 0, future: 0, specName: 'a', specVersion: 1 } as never;
  };
  vi.spyOn(node, 'status').mockImplementation(status);
  openLink('#/chain');
  const entry = storageEntry(real.meta, 'Timestamp', 'Now');
  if (entry === null) throw new Error('no Timestamp.Now');
  const key = encodeKey(real.meta, entry, []);
  const bar = mountIn(context, TopBar, { session: null, onpalette: () => undefined });
  for (const panel of [ChainPanel, LivePanel, NodePanel, RpcPanel, RuntimePanel, SendPanel])
    widen(mountIn(context, panel as typeof ChainPanel, {}), 1440);
  mountIn(context, ConsensusPage, { slotMs: 600_000, onclose: () => undefined } as never);
  mountIn(context, StorageStart, { meta: real.meta, hash: null });
  const value = mountIn(context, ValuePane, { meta: real.meta, entry, key, hash: null });
  const shown = () => {
    flushSync();
    return [bar.textContent, value.textContent];
  };
  const grow = async () => {
    const hash = await real.request('dev_newBlock', []);
    const header = await real.request('chain_getHeader', [hash]);
    const changes = [[key, await real.request('state_getStorage', [key, hash])]];
    tell('state_subscribeStorage', { block: hash, changes });
    for (const method of ['chain_subscribeAllHeads', 'chain_subscribeNewHeads']) tell(method, header);
    const number = `#${groupDigits(Number((header as { number: string }).number))}`;
    await vi.waitFor(() => {
      const [top, history] = shown();
      expect(top).toContain(number);
      expect(history).toContain(number);
    });
  };
  /** Requests and reads of the status, per block. */
  const countOf = async (blocks: number) => {
    const [requests, reads] = [asked.length, statuses];
    for (let block = 0; block < blocks; block += 1) await grow();
    return [(asked.length - requests) / blocks, (statuses - reads) / blocks] as const;
  };
  for (let block = 0; block < 3; block += 1) await grow();
  const [requests, reads] = await countOf(10);
  expect(requests).toBeLessThanOrEqual(16);
  expect(reads).toBeLessThanOrEqual(2);
  // The list follows up to forty new blocks at once.
  for (let pages = 0; pages < 8; pages += 1) {
    await real.request('dev_newBlock', [{ count: 38 }]);
    await grow();
  }
  const [later, readsLater] = await countOf(10);
  expect(later).toBeLessThanOrEqual(requests + 4);
  expect(readsLater).toBeLessThanOrEqual(2);
});
