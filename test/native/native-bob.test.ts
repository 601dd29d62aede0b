import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAddress } from '@polkadot/util-crypto';
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import type { ChainSource, NodeConfig, SignedBlockJson } from '../../src/protocol/node.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { headerPreDigest } from '../../worker/consensus/babe/codec.ts';
import { decodeGrandpaJustification } from '../../worker/consensus/grandpa/codec.ts';
import { checkVotes, loadBlocks, whenFinal, withRecords } from '../consensus/grandpa-rig.ts';
import { type LinkedNode, startLinked, until } from '../network/link-rig.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { writePreset } from './native-pair.ts';
import { freePort, hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';

type Votes = { readonly missing: readonly string[] };
type RoundState = {
  readonly best: { readonly round: number; readonly prevotes: Votes; readonly precommits: Votes };
};

/** The identity of our node in the network; the same after a restart. */
const nodeKey = `0x${'b0'.repeat(32)}`;

// In parallel, because most of the time is spent waiting for rounds and slots, and each pair has its own chain.
describe.skipIf(!hasNativeNode)(
  'two voters: a native Alice and our Bob (shared native-node)',
  {
    concurrent: true,
  },
  () => {
    let native: NativeNode;
    let spec: string;
    let chain: ChainSource;

    beforeAll(async () => {
      native = await unpackNativeNode();
      spec = await writePreset(native, 'local_testnet');
      chain = { specJson: readFileSync(spec, 'utf8') };
    }, 120_000);
    afterAll(() => native.close());

    /** A native Alice, and a Bob that can leave and return. */
    const startPair = async ({ expect, onTestFinished }: TestContext, ...how: readonly string[]) => {
      const disk = withRecords(lastingDatabase());
      const port = await freePort();
      const place = ['--chain', spec, '--base-path', mkdtempSync(join(native.folder, 'alice'))];
      const listens = ['--listen-addr', `/ip4/127.0.0.1/tcp/${port}/ws`, '--node-key', '11'.repeat(32)];
      const rest = ['--alice', '--rpc-methods', 'unsafe', '--justification-period', '1'];
      const alice = await native.serve(...place, ...listens, ...rest, ...how);
      let bob: LinkedNode | null = null;
      const leave = async (): Promise<void> => {
        const node = bob;
        bob = null;
        await node?.stop();
      };
      onTestFinished(async () => {
        await leave();
        await alice.stop();
      });
      const heightOf = async (hash: string): Promise<number> =>
        Number((await alice.call<{ number: string }>('chain_getHeader', hash)).number);
      const finalOf = async (): Promise<number> =>
        heightOf(await alice.call<string>('chain_getFinalizedHead'));
      /** Its HTTP endpoint sends no notifications, so it is polled until it has reached a height. */
      const reaches = (height: () => Promise<number>, least: number): Promise<void> =>
        expect.poll(height, { timeout: 240_000, interval: 200 }).toBeGreaterThanOrEqual(least);
      await expect.poll(alice.isUp, { timeout: 60_000, interval: 200 }).toBe(true);
      const aliceId = await alice.call<string>('system_localPeerId');
      return {
        alice,
        records: disk.records,
        leave,
        reaches,
        finalOf,
        bestOf: async (): Promise<number> => heightOf(await alice.call<string>('chain_getBlockHash')),
        createBlock: () => alice.call<{ hash: string }>('engine_createBlock', true, false, null),
        enter: async (seal: NodeConfig['seal'] = { kind: 'manual' }): Promise<LinkedNode> => {
          const clock = { now: Date.now, pass: () => undefined };
          const network = { bootNodes: [`/ip4/127.0.0.1/tcp/${port}/ws/p2p/${aliceId}`] };
          bob = await startLinked(clock, chain, { keys: ['//Bob'], db: disk.db, seal, nodeKey, network });
          return bob;
        },
        /** Both have finalized this height, with the same hash. */
        expectFinal: async ({ node }: LinkedNode, height: number): Promise<void> => {
          await Promise.all([whenFinal(node, height), reaches(finalOf, height)]);
          expect(await node.parts.chain.loadHashAt(height)).toBe(
            await alice.call('chain_getBlockHash', height),
          );
        },
        expectPeer: async (): Promise<void> => {
          const parts = bob?.node.parts;
          expect(parts?.network.peers()).toMatchObject([{ id: aliceId, role: 'authority' }]);
          const peers = await alice.call<{ peerId: string; roles: string }[]>('system_peers');
          expect(peers).toMatchObject([{ peerId: parts?.localPeer.peerId(), roles: 'AUTHORITY' }]);
        },
        /** The public keys whose precommits finalize Alice's last block. */
        signersOf: async (): Promise<string[]> => {
          const target = await alice.call<string>('chain_getFinalizedHead');
          const { justifications } = await alice.call<SignedBlockJson>('chain_getBlock', target);
          const [, proof = []] = justifications?.[0] ?? [];
          const { precommits } = decodeGrandpaJustification(Uint8Array.from(proof as readonly number[]));
          return precommits.map(({ voter }) => bytesToHex(voter));
        },
      };
    };

    it('finality moves only with both: 20 blocks, none while Bob is away, and all after his return', async (context) => {
      const { expect } = context;
      // Blocks are sealed on request, so that the test need not wait for slots of six seconds.
      const pair = await startPair(context, '--seal', 'manual', '--seal-grandpa');
      const { alice, bestOf, createBlock, enter, expectFinal, expectPeer, finalOf, leave } = pair;
      // More blocks than fit into one response.
      const before = 70;
      for (let number = 1; number <= before; number++) await createBlock();
      expect(await finalOf()).toBe(0);

      const first = await enter();
      // A block that is announced before the link is open is announced by nothing but the next one.
      await until(first, () => first.chain.best().number === before);
      // The voting rules stay two blocks behind the best one.
      for (let height = before; height <= before + 20; height += 2) {
        while ((await bestOf()) < height + 2) await createBlock();
        await expectFinal(first, height);
      }
      const bobKey = first.node.parts.keystore.pairs('gran')[0]?.publicKey as Uint8Array;
      expect(await pair.signersOf()).toContain(bytesToHex(bobKey));
      await expectPeer();

      await leave();
      const left = await bestOf();
      for (let number = 1; number <= 2; number++) await createBlock();
      // Alice has cast what she can in her round, and waits for Bob.
      const roundOf = async () => (await alice.call<RoundState>('grandpa_roundState')).best;
      const awaited = async () => {
        const { prevotes, precommits } = await roundOf();
        return prevotes.missing.length > 0 ? prevotes.missing : precommits.missing;
      };
      await expect.poll(awaited, { timeout: 60_000, interval: 200 }).toEqual([encodeAddress(bobKey, 42)]);
      const [stuck, still] = [await roundOf(), await finalOf()];
      for (let number = 3; number <= 8; number++) await createBlock();
      expect(await bestOf()).toBe(left + 8);
      expect(await finalOf()).toBe(still);
      expect(still).toBeLessThanOrEqual(left);
      expect(await roundOf()).toEqual(stuck);

      const again = await enter();
      expect(again.chain.finalized().number).toBeGreaterThanOrEqual(before + 20);
      await expectFinal(again, left + 6);
      await expectPeer();
      expect(checkVotes(pair.records)).toBeGreaterThan(20);
      expect(again.node.parts.voting.doubleVotes()).toEqual([]);
    }, 300_000);

    it('both seal in their slots, and finalize the blocks of both', async (context) => {
      const { expect } = context;
      const pair = await startPair(context, '--force-authoring');
      const { bestOf, enter, expectFinal, expectPeer, finalOf, reaches } = pair;
      await reaches(bestOf, 1);
      const node = await enter({ kind: 'slots' });
      const authors = async (): Promise<number> => {
        const blocks = await loadBlocks(node.node, await finalOf());
        return new Set(blocks.map(({ header }) => headerPreDigest(header)?.authority)).size;
      };
      await reaches(authors, 2);
      await expectFinal(node, node.chain.finalized().number + 1);
      await expectPeer();
      expect(checkVotes(pair.records)).toBeGreaterThan(4);
    }, 300_000);
  },
);
