import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TabNode } from '../tab-node.ts';
import { startNodeInThread } from '../thread.ts';
import { type ProviderMessage, toRequestProvider } from './request-provider.ts';

let node: TabNode;
beforeAll(async () => {
  node = await startNodeInThread({ seal: 'manual' });
});
afterAll(() => node.stop());

describe('a node by one function', () => {
  it('resolves to results, and rejects with the codes of the node', async () => {
    const { request } = toRequestProvider(node);
    expect(await request({ method: 'chain_getBlockHash', params: [0] })).toBe(node.info.genesisHash);
    expect(await request({ method: 'system_chain' })).toBe('Development');
    await expect(request({ method: 'no_such' })).rejects.toMatchObject({ code: -32601 });
  });

  it('emits the items of a subscription until it is ended', async () => {
    const provider = toRequestProvider(node);
    const messages: ProviderMessage[] = [];
    const note = (message: ProviderMessage): void => void messages.push(message);
    provider.on('message', note);
    const id = await provider.request({ method: 'chain_subscribeNewHeads' });
    await node.rpc.dev_newBlock({});
    await expect
      .poll(() => messages.at(-1))
      .toMatchObject({ type: 'chain_newHead', data: { subscription: id, result: { number: '0x1' } } });
    provider.removeListener('message', note);
    const count = messages.length;
    await node.rpc.dev_newBlock({});
    expect(await provider.request({ method: 'chain_unsubscribeNewHeads', params: [id] })).toBe(true);
    expect(messages).toHaveLength(count);
  });

  it('reports the end of its connection, and connects again', async () => {
    let open: (() => void) | undefined;
    const provider = toRequestProvider({
      info: node.info,
      connect: async (choice) => {
        const connection = await node.connect(choice);
        open = () => connection.close();
        return connection;
      },
    });
    const converted: string[] = [];
    provider.on('connect', ({ genesisHash }) => converted.push(genesisHash));
    provider.on('disconnect', ({ code }) => converted.push(`${code}`));
    await provider.request({ method: 'system_chain' });
    open?.();
    expect(await provider.request({ method: 'system_chain' })).toBe('Development');
    expect(converted).toEqual([node.info.genesisHash, '4900', node.info.genesisHash]);
  });

  it('rejects with 4900 if there is no node', async () => {
    const gone = await startNodeInThread({ seal: 'manual' });
    const provider = toRequestProvider(gone);
    await gone.stop();
    await expect(provider.request({ method: 'system_chain' })).rejects.toMatchObject({ code: 4900 });
  });
});
