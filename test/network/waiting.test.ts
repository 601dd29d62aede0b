import { afterEach, expect, it } from 'vitest';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { createWallClock, type LinkedNode, link, startLinked } from './link-rig.ts';
import { listenAsPeer } from './listen.ts';

const open: LinkedNode[] = [];
const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
  for (const one of open.splice(0)) await one.stop();
});

const clock = createWallClock();
/** A node of the chain of Alice and Bob, in a network that has no other node yet. */
const start = async (
  changes: Partial<NodeConfig>,
  chain: 'local_testnet' | 'development' = 'local_testnet',
) => {
  const node = await startLinked(clock, chain, { network: {}, ...changes });
  open.push(node);
  return node;
};
const waitOf = ({ node }: LinkedNode) => node.parts.network.findWait();
/** Lets slots pass until the node has sealed a block. */
const sealBySlots = ({ node, chain }: LinkedNode): Promise<void> =>
  expect
    .poll(() => {
      clock.pass(6000);
      // A new mode looks at the clock at once.
      node.parts.sealing.setMode({ kind: 'slots' });
      return chain.best().number;
    })
    .toBeGreaterThan(0);

it('an authority of several waits for its first peer', async () => {
  const alice = await start({ keys: ['//Alice'], seal: { kind: 'slots' } });
  const fault = async () => (await alice.node.status()).sealFault?.message;
  await expect.poll(fault).toMatch(/^The node has no peer, .* --force-authoring$/);
  clock.pass(60_000);
  alice.node.parts.sealing.setMode({ kind: 'slots' });
  await expect.poll(fault).toMatch(/^The node has no peer/);
  expect(alice.chain.best().number).toBe(0);

  const { close } = await listenAsPeer(alice.node);
  closes.push(close);
  const bob = await start({ keys: [] });
  await (await bob.node.parts.network.open()).dial(alice.node.parts.localPeer.addresses()[0] ?? '');
  await expect.poll(() => alice.node.parts.network.peers().length).toBe(1);
  expect(await waitOf(alice)).toBeNull();
  await sealBySlots(alice);
  expect(await fault()).toBeUndefined();
});

it.each<[string, Partial<NodeConfig>, 'local_testnet' | 'development']>([
  ['is forced to', { keys: ['//Alice'], forceAuthoring: true }, 'local_testnet'],
  ['holds the keys of all authorities', { keys: ['//Alice', '//Bob'] }, 'local_testnet'],
  ['is the only authority', { keys: ['//Alice'] }, 'development'],
])('a node without a peer seals if it %s', async (_why, changes, chain) => {
  await sealBySlots(await start({ ...changes, seal: { kind: 'slots' } }, chain));
});

it('a node without a key, one in no network, and one that is only linked wait for nobody', async () => {
  expect(await waitOf(await start({ keys: ['//Charlie'] }))).toBeNull();
  const none = await startLinked(clock, 'local_testnet', { keys: ['//Alice'] });
  const linked = await startLinked(clock, 'local_testnet', { keys: ['//Alice'] });
  open.push(none, linked);
  const cut = await link(none, linked);
  await cut();
  expect([await waitOf(none), await waitOf(linked)]).toEqual([null, null]);
  // It waits as soon as it takes part in a network, and no longer when it has left.
  await none.node.parts.joinNetwork({});
  expect(await waitOf(none)).toMatch(/has no peer/);
  none.node.parts.leaveNetwork();
  expect(await waitOf(none)).toBeNull();
});
