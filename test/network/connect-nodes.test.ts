import { expose } from 'comlink';
import { afterEach, expect, test } from 'vitest';
import { connectNodes } from '../../src/link.ts';
import { type NodePort, nodeEndpoint } from '../../src/protocol/port.ts';
import { type NodeOptions, startNodeIn, type TabNode } from '../../src/start.ts';
import { createControl } from '../../worker/control.ts';
import { createTestPlatform } from '../rigs/platform.ts';
import { createWallClock, link, sealNext, startLinked, until } from './link-rig.ts';

const open: TabNode[] = [];
afterEach(async () => {
  for (const node of open.splice(0)) await node.stop();
});

/** A node behind its control functions, as in a worker. */
const start = async (options: NodeOptions): Promise<TabNode> => {
  const { port1, port2 } = new MessageChannel();
  expose(createControl(createTestPlatform()), nodeEndpoint(port2 as unknown as NodePort));
  const terminate = (): void => port1.close();
  const endpoint = nodeEndpoint(port1 as unknown as NodePort);
  const host = { endpoint, onDeath: () => undefined, terminate };
  const node = await startNodeIn(host, { chain: 'local_testnet', seal: 'manual', ...options });
  open.push(node);
  return node;
};

/** Calls back when a best block of this height was announced. */
const best = async ({ connection }: TabNode, height: number, run: () => void): Promise<void> => {
  await connection.subscribe('chain_subscribeNewHeads', [], (head) => {
    if (Number((head as { readonly number: string }).number) >= height) run();
  });
};

test('two nodes exchange blocks until their link is cut, and one that links again catches up', async () => {
  // The first node's blocks are old enough for the other's clock, however fast they are sealed.
  const alice = await start({ keys: ['//Alice', '//Bob'], clock: new Date(Date.UTC(2029, 0, 1)) });
  const bob = await start({ keys: [] });
  const seal = () => alice.connection.request('engine_createBlock', [true, false]);
  const link = await connectNodes(alice, bob);
  const arrived = Promise.withResolvers<void>();
  await best(bob, 1, arrived.resolve);
  await seal();
  await arrived.promise;
  await link.close();
  await seal();
  expect((await bob.status()).bestNumber).toBe(1);
  const caught = Promise.withResolvers<void>();
  await best(bob, 2, caught.resolve);
  await connectNodes(bob, alice);
  await caught.promise;
  expect((await bob.status()).bestHash).toBe((await alice.status()).bestHash);
});

test('a node that catches up imports old blocks as such, and says in its health that it is syncing', async () => {
  const clock = createWallClock();
  const [alice, bob] = [
    await startLinked(clock, 'local_testnet', { keys: ['//Alice', '//Bob'], finality: { kind: 'manual' } }),
    await startLinked(clock, 'local_testnet', { keys: [], finality: { kind: 'manual' } }),
  ];
  for (let count = 0; count < 12; count++) await sealNext(clock, [alice]);
  const seen: string[] = [];
  const { chain, syncing } = bob.node.parts;
  const off = chain.onEvent((event) => {
    if (event.kind === 'imported') seen.push(`${event.number} ${event.origin} ${syncing.isMajor()}`);
  });
  await link(bob, alice);
  await until(bob, () => chain.best().number === 12);
  off();
  expect(seen).toHaveLength(12);
  expect([seen[0], seen[6], seen[7], seen[11]]).toEqual([
    '1 sync true',
    '7 sync false',
    '8 announced false',
    '12 announced false',
  ]);
  expect(syncing.highest()).toBe(12);
  for (const one of [alice, bob]) await one.stop();
});
