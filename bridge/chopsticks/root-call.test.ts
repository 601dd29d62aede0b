import { expect, it, onTestFinished } from 'vitest';
import { startDevNode } from '../../test/rigs/dev-node.ts';
import { connectRpc } from '../../test/rigs/rpc.ts';
import type { Request } from './request.ts';
import { runRootCall } from './root-call.ts';

it('a call that cannot be run leaves no snapshot and no block', async () => {
  const live = await startDevNode();
  onTestFinished(() => live.stop());
  const { call } = connectRpc(live.node);
  await call('dev_newBlock');
  const before = live.best().hash;
  const request: Request = async (method, params) => {
    if (method === 'dev_runBlock') throw new Error('the block cannot be executed again');
    return call(method, ...params);
  };
  await expect(runRootCall(request, '0x00000400')).rejects.toThrow('cannot be executed again');
  expect(await call('dev_listSnapshots')).toEqual([]);
  expect(live.best().hash).toBe(before);
});
