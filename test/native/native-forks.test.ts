import { afterAll, describe, expect, it } from 'vitest';
import {
  bestOf,
  type Called,
  hashAt,
  killServed,
  listenAddress,
  serveTabnode,
} from '../network/serve-tabnode.ts';
import { startSealing, useNativePreset } from './native-pair.ts';
import { freePort, hasNativeNode } from './native-rig.ts';

const seal = ({ call }: Called) => call('engine_createBlock', true, false, null);

/** The primary blocks above a height: BABE prefers the chain with more of them (sc-consensus-babe, `ForkChoiceStrategy`). */
const weightAbove = async (node: Called, height: number): Promise<number> => {
  let weight = 0;
  for (let number = await bestOf(node); number > height; number--) {
    const hash = await hashAt(node, number);
    const { digest } = await node.call<{ digest: { logs: string[] } }>('chain_getHeader', hash);
    // A pre-digest (6) of BABE of a primary slot (1), whose VRF output makes its length two bytes.
    if (digest.logs.some((log) => /^0x0642414245b50101/.test(log))) weight++;
  }
  return weight;
};

describe.skipIf(!hasNativeNode)('forks between a native node and ours (shared native-node)', () => {
  const held = useNativePreset('local_testnet');
  afterAll(killServed);

  it.each(['the native side', 'our side'] as const)(
    'two forks of 10 blocks end on the better chain, that of %s',
    async (side) => {
      const port = await freePort();
      const listens = ['--listen-addr', listenAddress(port, 'ws')];
      const alice = await startSealing(held.native, held.spec, '--seal-grandpa', ...listens);
      for (let number = 1; number <= 5; number++) await seal(alice);
      const address = `${listenAddress(port, 'ws')}/p2p/${await alice.call('system_localPeerId')}`;
      // Of two authorities both must vote: apart, neither finalizes anything, so that either side can be abandoned.
      const keys = ['--bob', '--seal', 'manual', '--clock', '2025-06-15T15:30:00Z'];
      const ours = await serveTabnode(held.spec, ...keys, '--bootnodes', address);
      await expect.poll(() => bestOf(ours), { timeout: 60_000, message: 'the first five' }).toBe(5);

      await ours.call('dev_network', { leave: true });
      for (const node of [alice, ours]) for (let count = 0; count < 10; count++) await seal(node);
      expect(await hashAt(ours, 6)).not.toBe(await hashAt(alice, 6));
      const [better, worse] = side === 'our side' ? [ours, alice] : [alice, ours];
      const least = await weightAbove(worse, 5);
      do await seal(better);
      while ((await weightAbove(better, 5)) <= least);
      const height = await bestOf(better);
      const head = await hashAt(better, height);

      await ours.call('dev_network', { join: { bootNodes: [address] } });
      await expect.poll(() => hashAt(worse, height), { timeout: 60_000 }).toBe(head);
      expect(await bestOf(worse)).toBe(height);
      // Both build on it.
      for (const node of [alice, ours]) {
        await seal(node);
        const next = await bestOf(node);
        const other = node === alice ? ours : alice;
        await expect.poll(() => bestOf(other), { timeout: 60_000, message: 'the next one' }).toBe(next);
        expect(await hashAt(other, next)).toBe(await hashAt(node, next));
      }
      await ours.stop();
      await alice.stop();
    },
    240_000,
  );
});
