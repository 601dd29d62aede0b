import { describe, expect, it } from 'vitest';
import { startNode } from '../../src/index.ts';

const here = 'page';
const inPage = 'document' in globalThis;

describe.skipIf(!inPage)('methods of the page and of a module, in a worker', () => {
  it('are available in addition to those of the node', async () => {
    const source = "export const rpcMethods = { mine_where: (_params, { dialect }) => ['worker', dialect] };";
    const module = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const node = await startNode({
      seal: 'manual',
      rpcModules: [module],
      rpcMethods: { mine_title: (params, { denyUnsafe }) => [here, params, denyUnsafe] },
    });
    const { connection } = node;
    expect(await connection.request('mine_where', [])).toEqual(['worker', 'psp-6']);
    expect(await connection.request('mine_title', [1])).toEqual([here, [1], false]);
    const denied = await node.connect({ denyUnsafe: true, dialect: 'polkadot-sdk' });
    expect(await denied.request('mine_title', [])).toEqual([here, [], true]);
    const { methods } = await node.rpc.rpc_methods();
    expect(methods).toEqual(expect.arrayContaining(['mine_title', 'mine_where', 'rpc_methods']));
    const described = await node.rpc['rpc.discover']();
    expect(described.methods.map(({ name }) => name)).toContain('mine_title');
    await node.stop();
    await expect(startNode({ rpcMethods: { rpc_methods: () => 1 } })).rejects.toMatchObject({
      code: 'BadConfig',
    });
  });
});
