import { afterAll, beforeAll, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode } from '../../worker/node.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { originOf } from './chain-origin.ts';

let live: DevNode;
beforeAll(async () => {
  live = await startDevNode();
  for (let block = 0; block < 2; block++) await live.call('engine_createBlock', true, true);
}, 60_000);
afterAll(() => live.stop());

it('writes nothing of a block whose state no endpoint has, so that another block can be chosen', async () => {
  // A start that fails closes its database.
  const db = { ...createMemoryDatabase(), close: async () => undefined };
  const whole = originOf(live.node);
  const pruned = {
    ...whole,
    nodes: () => Promise.reject(new NodeError('NotCached', 'State already discarded')),
  };
  const open = (origin: typeof whole, block: string) =>
    createNode(
      { ...createTestPlatform({ db }), openOrigin: () => origin },
      testConfig({ fork: { endpoints: ['ws://live'], block } }),
    );
  await expect(open(pruned, '1')).rejects.toMatchObject({ code: 'NotCached' });
  const node = await open(whole, '2');
  expect(node.info().base?.number).toBe(2);
  await node.close();
});
