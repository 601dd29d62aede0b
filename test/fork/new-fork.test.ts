import { afterAll, beforeAll, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode } from '../../worker/node.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
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

it('a start that is canceled in the middle of its reads leaves a storage in which the fork can be made', async () => {
  const db = { ...createMemoryDatabase(), close: async () => undefined };
  const whole = originOf(live.node);
  const open = (origin: typeof whole) =>
    createNode(
      { ...createTestPlatform({ db }), openOrigin: () => origin },
      testConfig({ fork: { endpoints: ['ws://live'], block: '2' } }),
    );
  const total = whole.stats().requests;
  await (
    await createNode(
      { ...createTestPlatform(), openOrigin: () => whole },
      testConfig({ fork: { endpoints: ['ws://live'], block: '2' } }),
    )
  ).close();
  const reads = whole.stats().requests - total;
  expect(reads).toBeGreaterThan(0);
  for (let done = 0; done < reads; done++) {
    let left = done;
    const canceled = {
      ...whole,
      nodes: (...request: Parameters<typeof whole.nodes>) =>
        left-- > 0 ? whole.nodes(...request) : Promise.reject(new NodeError('Aborted', 'canceled')),
    };
    await expect(open(canceled)).rejects.toMatchObject({ code: 'Aborted' });
  }
  const node = await open(whole);
  expect((await sealOn(node)).length).toBe(66);
  expect(node.parts.chain.best().number).toBe(3);
  await node.close();
});
