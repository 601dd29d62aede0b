import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startServe } from '../clients/test-process.fixture.ts';

type Answer = { readonly id: number; readonly result?: unknown };

const openClient = async (address: string) => {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  let lastId = 0;
  const call = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const id = ++lastId;
    const answered = once(socket, 'message');
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const [data] = await answered;
    const answer = JSON.parse(String(data)) as Answer;
    expect(answer).toMatchObject({ id, result: expect.toSatisfy((result) => result !== undefined) });
    return answer.result as T;
  };
  return { call, close: () => socket.close() };
};

it.each([
  ['archive', true],
  ['archive-canonical', false],
])(
  'tabnode serve --blocks-pruning %s returns a block of an abandoned fork by its hash: %s',
  async (mode, isTold) => {
    const flags = ['--seal', 'manual', '--finality', 'manual', '--blocks-pruning', mode];
    const node = await startServe('--tmp', ...flags);
    const { call, close } = await openClient(node.ready.ws);
    const seal = async (parent: string | null): Promise<string> =>
      (await call<{ hash: string }>('engine_createBlock', true, false, parent)).hash;
    const trunk = await seal(null);
    const lost = await seal(trunk);
    const kept = await seal(trunk);
    const told = { block: { header: { number: '0x2' } } };
    expect(await call('chain_getBlock', lost)).toMatchObject(told);
    await call('engine_finalizeBlock', kept);
    expect(await call('chain_getBlockHash', 2)).toBe(kept);
    expect(await call('chain_getBlock', kept)).toMatchObject(told);
    const block = await call('chain_getBlock', lost);
    if (isTold) expect(block).toMatchObject(told);
    else expect(block).toBe(null);
    close();
    node.kill('SIGTERM');
    await node.ended;
  },
);
