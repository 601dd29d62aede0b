import { expect, test } from 'vitest';
import { connectNodes } from './link.ts';
import type { TabNode } from './start.ts';
import { startNodeInThread } from './thread.ts';

const start = (...keys: string[]): Promise<TabNode> =>
  startNodeInThread({
    chain: 'local_testnet',
    keys,
    seal: 'manual',
    finality: 'grandpa',
    dialect: 'polkadot-sdk',
  });

/** Resolves when a best block of this height was announced. */
const best = ({ rpc }: TabNode, height: number): Promise<void> =>
  new Promise((resolve, reject) => {
    rpc
      .chain_subscribeNewHeads(({ number }) => {
        if (Number(number) >= height) resolve();
      })
      .catch(reject);
  });

test('two nodes in threads exchange blocks until the link is cut', async () => {
  const [alice, bob] = await Promise.all([start('//Alice', '//Bob'), start()]);
  const link = await connectNodes(alice, bob);
  const arrived = best(bob, 1);
  const { hash } = await alice.rpc.engine_createBlock({ create_empty: true, finalize: false });
  await arrived;
  expect((await bob.status()).bestHash).toBe(hash);
  await link.close();
  await alice.rpc.engine_createBlock({ create_empty: true, finalize: false });
  // A node that links again catches up.
  const caught = best(bob, 2);
  await connectNodes(bob, alice);
  await caught;
  expect((await bob.status()).bestHash).toBe((await alice.status()).bestHash);
  await alice.stop();
  await bob.stop();
});
