import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChainSource, SignedBlockJson } from '../src/protocol/node.ts';
import { bytesToHex } from '../worker/bytes/hex.ts';
import type { BlockHash } from '../worker/codec/identity.ts';
import { decodeGrandpaJustification } from '../worker/consensus/grandpa/codec.ts';
import type { VoterRecord } from '../worker/consensus/grandpa/voter/record.ts';
import type { Database } from '../worker/db/database.ts';
import { lastingDatabase } from './dev-node.ts';
import { checkVotes, whenFinal, withRecords } from './grandpa-rig.ts';
import { type LinkedNode, startLinked } from './link-rig.ts';
import { hasNativeNode, type NativeNode, unpackNativeNode } from './native-rig.ts';
import { linkNative, type NativeLink } from './p2p/native-peer.ts';
import { openAt } from './verify-rig.ts';

type Alice = Awaited<ReturnType<NativeNode['serve']>>;

/** The identity of our node in the network; the same after a restart. */
const secret = new Uint8Array(32).fill(0xb0);
const port = 26_000 + (process.pid % 4000);

const heightOf = async ({ call }: Alice, hash: string): Promise<number> =>
  Number((await call<{ number: string }>('chain_getHeader', hash)).number);
const bestOf = async (alice: Alice): Promise<number> =>
  heightOf(alice, await alice.call<string>('chain_getBlockHash'));
const finalOf = async (alice: Alice): Promise<number> =>
  heightOf(alice, await alice.call<string>('chain_getFinalizedHead'));

/** A native node notifies over a socket only, so its RPC is asked again and again. */
const reaches = (height: () => Promise<number>, least: number): Promise<void> =>
  expect.poll(height, { timeout: 240_000, interval: 250 }).toBeGreaterThanOrEqual(least);

describe.skipIf(!hasNativeNode)('two voters: a native Alice and our Bob (shared native-node)', () => {
  let native: NativeNode;
  let alice: Alice;
  let chain: ChainSource;
  const disk: { readonly db: Database; readonly records: VoterRecord[] } = withRecords(lastingDatabase());
  let bob: LinkedNode | null = null;
  let link: NativeLink | null = null;

  beforeAll(async () => {
    native = await unpackNativeNode();
    const node = await openAt(Date.now(), 'local_testnet', { keys: [] });
    const spec = native.writeSpec(node);
    await node.close();
    chain = { specJson: readFileSync(spec, 'utf8') };
    const place = [
      '--chain',
      spec,
      '--base-path',
      join(native.folder, 'alice'),
      '--node-key',
      '11'.repeat(32),
    ];
    alice = await native.serve(
      ...[...place, '--alice', '--validator', '--force-authoring', '--rpc-methods', 'unsafe'],
      ...['--justification-period', '1', '--listen-addr', `/ip4/127.0.0.1/tcp/${port}/ws`],
    );
    await expect.poll(alice.isUp, { timeout: 60_000, interval: 200 }).toBe(true);
  }, 120_000);
  afterAll(() => native.close());
  afterEach(async () => {
    if (bob !== null) await leave();
  });

  /** Bob's key is in the keystore, but only its votes are used: he seals no blocks. */
  const enter = async (): Promise<LinkedNode> => {
    const clock = { now: Date.now, pass: () => undefined };
    bob = await startLinked(clock, chain, { keys: ['//Bob'], db: disk.db });
    link = await linkNative(bob.node.parts, `ws://127.0.0.1:${port}/`, secret);
    return bob;
  };
  const leave = async (): Promise<void> => {
    const [node, opened] = [bob, link];
    bob = link = null;
    try {
      await opened?.close();
    } finally {
      await node?.stop();
    }
  };
  /** Both have finalized this height, with the same hash. */
  const expectFinal = async ({ node }: LinkedNode, height: number): Promise<void> => {
    await Promise.all([whenFinal(node, height), reaches(() => finalOf(alice), height)]);
    const hash = await alice.call<string>('chain_getBlockHash', height);
    expect(await node.parts.chain.loadHashAt(height)).toBe(hash);
  };
  const expectPeer = async (): Promise<void> => {
    const peers = await alice.call<{ peerId: string; roles: string }[]>('system_peers');
    expect(peers).toMatchObject([{ peerId: link?.peerId, roles: 'AUTHORITY' }]);
    expect(link?.remoteId).toBe(await alice.call('system_localPeerId'));
  };

  it('finality moves only with both', async () => {
    await reaches(() => bestOf(alice), 4);
    expect(await finalOf(alice)).toBe(0);

    const first = await enter();
    const [bobKey] = first.node.parts.keystore.pairs('gran');
    await expectFinal(first, 20);
    await expectPeer();
    const target = await alice.call<string>('chain_getFinalizedHead');
    const { justifications } = await alice.call<SignedBlockJson>('chain_getBlock', target);
    const [, proof = []] = justifications?.[0] ?? [];
    const { precommits } = decodeGrandpaJustification(Uint8Array.from(proof as readonly number[]));
    expect(precommits.map(({ voter }) => bytesToHex(voter))).toContain(
      bytesToHex(bobKey?.publicKey as Uint8Array),
    );

    await leave();
    const left = await bestOf(alice);
    // Whatever Bob has sent has arrived when two more blocks are sealed.
    await reaches(() => bestOf(alice), left + 2);
    const still = await finalOf(alice);
    expect(still).toBeLessThanOrEqual(left);
    await reaches(() => bestOf(alice), left + 7);
    expect(await finalOf(alice)).toBe(still);

    const again = await enter();
    expect(again.chain.finalized().number).toBeGreaterThanOrEqual(20);
    await expectFinal(again, left + 9);
    await expectPeer();
    expect(checkVotes(disk.records)).toBeGreaterThan(10);
    const { chain: ours } = again;
    expect((await ours.loadHashAt(still)) as BlockHash).toBe(await alice.call('chain_getBlockHash', still));
    await leave();
  }, 600_000);
});
