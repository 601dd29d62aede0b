import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { Connection } from './connection.ts';
import { JsonRpcError } from './protocol/json-rpc/json-rpc-error.ts';

type Asked = readonly [method: string, params: readonly unknown[]];

const openClient = () => {
  const asked: Asked[] = [];
  const items: ((item: unknown) => void)[] = [];
  const note = (method: string, params: readonly unknown[]): void => {
    asked.push([method, params]);
  };
  const connection: Pick<Connection, 'request' | 'subscribe' | 'unsubscribe' | 'isOpen'> = {
    request: async (method, params) => note(method, params),
    subscribe: async (method, params, onItem) => {
      note(method, params);
      items.push(onItem);
      return 'id';
    },
    unsubscribe: async (method, id) => {
      note(method, [id]);
      return true;
    },
    isOpen: () => true,
  };
  const rpc = createClient(connection as Connection);
  /** Calls a method without type checks, like JavaScript code. */
  const call = (method: keyof typeof rpc, ...args: readonly unknown[]): Promise<unknown> =>
    (rpc[method] as unknown as (...args: readonly unknown[]) => Promise<unknown>)(...args);
  return { rpc, call, asked, items };
};

describe('the typed client', () => {
  it('sends named arguments in order, bytes as hex, and omits trailing missing ones', async () => {
    const { rpc, asked } = openClient();
    await rpc.chain_getBlockHash({ hash: 5 });
    await rpc.chain_getBlockHash();
    await rpc.chain_getBlockHash({});
    await rpc.state_getStorage({ key: Uint8Array.of(0x3a, 1) });
    await rpc.state_getKeysPaged({ prefix: '0x26', count: 2, hash: `0x${'11'.repeat(32)}` });
    expect(asked).toEqual([
      ['chain_getBlockHash', [5]],
      ['chain_getBlockHash', []],
      ['chain_getBlockHash', []],
      ['state_getStorage', ['0x3a01']],
      ['state_getKeysPaged', ['0x26', 2, null, `0x${'11'.repeat(32)}`]],
    ]);
  });

  it('reports which parameter the node refuses, and what the method takes', async () => {
    const refused = new JsonRpcError(-32602, 'Invalid params', 'key: is missing');
    const refuse = () => Promise.reject(refused);
    const rpc = createClient({ request: refuse, subscribe: refuse } as unknown as Connection);
    const say = (method: string, args: string) =>
      new JsonRpcError(-32602, `Invalid params: key: is missing; ${method} takes ${args}`, refused.data);
    await expect(rpc.state_getStorage({} as { key: string })).rejects.toEqual(
      say('state_getStorage', '{ key, hash? }'),
    );
    await expect(rpc.chain_subscribeNewHeads({}, () => undefined)).rejects.toEqual(
      say('chain_subscribeNewHeads', 'no arguments'),
    );
  });

  it.each([
    [[5], 'chain_getBlockHash takes { hash? }, not a number.'],
    [['0x00'], 'chain_getBlockHash takes { hash? }, not a string.'],
    [[[5]], 'chain_getBlockHash takes { hash? }, not a list.'],
    [[null], 'chain_getBlockHash takes { hash? }, not null.'],
    [[Uint8Array.of(1)], 'chain_getBlockHash takes { hash? }, not bytes.'],
    [[new Map([['hash', 5]])], 'chain_getBlockHash takes { hash? }, not an object of a class.'],
    [[{ height: 5 }], 'chain_getBlockHash has no parameter "height": it takes { hash? }.'],
    [[{ hash: 5, at: undefined }], 'chain_getBlockHash has no parameter "at": it takes { hash? }.'],
    [[{ toString: 5 }], 'chain_getBlockHash has no parameter "toString": it takes { hash? }.'],
  ])('refuses %j instead of requesting another block', async (args, text) => {
    const { call, asked } = openClient();
    await expect(call('chain_getBlockHash', ...args)).rejects.toThrow(new TypeError(text));
    expect(asked).toEqual([]);
  });

  it('names the parameters of other methods', async () => {
    const { call } = openClient();
    await expect(call('state_getStorage', '0x3a')).rejects.toThrow('takes { key, hash? }, not a string.');
    await expect(call('system_health', true)).rejects.toThrow(
      'system_health takes no arguments, not a boolean.',
    );
    await expect(call('dev_newBlock', { count: 2 })).rejects.toThrow(
      'dev_newBlock has no parameter "count": it takes { options? }.',
    );
  });

  it('subscribes with a callback for the items, and refuses to without one', async () => {
    const { rpc, call, asked, items } = openClient();
    const heard: unknown[] = [];
    const stop = await rpc.chain_subscribeNewHeads({}, (head) => heard.push(head));
    items[0]?.('head');
    await stop();
    expect(heard).toEqual(['head']);
    expect(asked).toEqual([
      ['chain_subscribeNewHeads', []],
      ['chain_unsubscribeNewHeads', ['id']],
    ]);
    await expect(call('chain_subscribeNewHeads', () => undefined)).rejects.toThrow(
      'chain_subscribeNewHeads takes no arguments, not a function.',
    );
    await expect(call('chain_subscribeNewHeads', {})).rejects.toThrow(
      'chain_subscribeNewHeads takes a function for its items after the arguments: (args, onItem).',
    );
  });
});
