import { expect, it } from 'vitest';
import { createControl } from '../../worker/control.ts';
import { checkedDatabase, type Engine, uncheckedDatabase } from '../../worker/db/checked.ts';
import { createMemoryEngine } from '../../worker/db/memory.ts';
import { migrate } from '../../worker/db/migrate.ts';
import type { StoreName } from '../../worker/db/stores.ts';
import { createNode } from '../../worker/node.ts';
import { checkWhole } from '../chain/whole-chain.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';

const open = (engine: Engine, statePruning?: number) =>
  createNode(
    createTestPlatform({ db: checkedDatabase(engine) }),
    testConfig('development', { finality: { kind: 'manual' }, statePruning }),
  );

/** A chain with pruning and one altered record in a store. */
const damaged = async (store: StoreName): Promise<Engine> => {
  const engine = { ...createMemoryEngine(), close: async () => undefined };
  await migrate(uncheckedDatabase(engine));
  const node = await open(engine, 4);
  for (let at = 0; at < 60; at++) await node.parts.chain.finalize(await sealOn(node));
  await node.close();
  const found = await engine.range(store);
  const [key, stored] = found.at(-1) ?? [new Uint8Array(32).fill(1), new Uint8Array(8)];
  stored[0] = (stored[0] as number) ^ 1;
  await engine.write({ puts: [[store, key, stored]], deletes: [] }, (_store, _key, bytes) => bytes);
  return engine;
};

const repair = async (engine: Engine) => {
  const control = createControl(createTestPlatform({ damaged: engine }));
  const { storage, chain } = testConfig('development');
  const outcome = await control.repair({ chain, storage }, { apply: true });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
};

it.each(['nodeCounts', 'journals'] as const)(
  'a repair of %s stops pruning rather than delete a node that is in use',
  async (store) => {
    const engine = await damaged(store);
    expect(await repair(engine)).toMatchObject({ outcome: 'repaired', pruningStops: true });
    const node = await open(engine);
    expect(await node.status()).toMatchObject({ statePruning: 'archive' });
    for (let at = 0; at < 60; at++) await node.parts.chain.finalize(await sealOn(node));
    await checkWhole(node);
    await node.close();
  },
);

it('a repair of anything else keeps pruning enabled', async () => {
  const engine = await damaged('keystore');
  expect(await repair(engine)).toMatchObject({ outcome: 'repaired', pruningStops: false });
  const node = await open(engine);
  expect(await node.status()).toMatchObject({ statePruning: 4 });
  await node.close();
});
