import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { concatBytes, noBytes } from '../../worker/bytes/bytes.ts';
import { encodeHeader } from '../../worker/codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../worker/codec/identity.ts';
import { encodeBlockResponse, encodeFound } from '../../worker/network/protocol/block-request.ts';
import { makeBlock } from '../../worker/network/sync/made-up-chain.fixture.ts';
import { serveIdentify } from '../../worker/network/transport/identify.ts';
import { schedule } from '../../worker/network/transport/pair.fixture.ts';
import { servePing } from '../../worker/network/transport/ping.ts';
import { encodeFields } from '../../worker/network/transport/protobuf.ts';
import { dialWebSocket } from '../../worker/network/transport/web-socket.ts';
import { openAt } from '../consensus/verify-rig.ts';
import { type MadeUpPeer, meetOver, type PeerOptions } from '../network/made-up-peer.ts';
import { neighbor, signVote, voteOf } from '../network/vote-messages.ts';
import { rejection } from '../rigs/dev-node.ts';
import { freePort, hasNativeNode, logsReports, type NativeNode, unpackNativeNode } from './native-rig.ts';

type Row = {
  readonly does: string;
  /** How the native node changes its reputation, first of all. */
  readonly changes: readonly number[];
  readonly options?: (genesis: BlockHash) => PeerOptions;
  readonly act?: (peer: MadeUpPeer, genesis: BlockHash) => Promise<unknown> | unknown;
};

const unknownBlock = { hash: bytesToBlockHash(new Uint8Array(32).fill(0x66)), number: 1000 };
const described = { agent: 'tabnode of a test', protocols: [], addresses: [], observed: null };

/** Blocks that link with each other, whose authors nobody knows: #1 to #64. */
const unsealed = (genesis: BlockHash): ReturnType<typeof makeBlock>[] => {
  const blocks: ReturnType<typeof makeBlock>[] = [];
  for (let number = 1; number <= 64; number++)
    blocks.push(makeBlock(blocks.at(-1) ?? { hash: genesis, number: 0 }, 1));
  return blocks;
};

/** Responds with the requested ones of these blocks, which are descending. */
const respondWith =
  (blocks: readonly ReturnType<typeof makeBlock>[]): NonNullable<PeerOptions['respond']> =>
  ({ from, max, parts, takesSeveral }) => {
    const at = blocks.findIndex(({ hash, number }) => hash === from || number === from);
    const found = at < 0 ? [] : blocks.slice(at, at + max);
    return encodeBlockResponse(found.map((one) => encodeFound(one, { parts, takesSeveral })));
  };

const lastOf = (genesis: BlockHash) => unsealed(genesis)[63] as ReturnType<typeof makeBlock>;

const rows: readonly Row[] = [
  {
    ...{ does: 'repeats a neighbor packet', changes: [100, -500] },
    act: async (peer) => {
      for (let count = 0; count < 2; count++) await peer.vote(neighbor(1n));
    },
  },
  {
    ...{ does: 'goes back by a round', changes: [100, -500] },
    act: async (peer) => {
      for (const round of [2n, 1n]) await peer.vote(neighbor(round));
    },
  },
  {
    // Those after the first, which says what kind of message it is.
    ...{ does: 'sends 50 bytes without meaning as a vote, by 49 of them', changes: [-245] },
    act: (peer) => peer.vote(new Uint8Array(50).fill(255)),
  },
  {
    ...{ does: 'sends a vote with a bad signature', changes: [100, -100] },
    act: async (peer, genesis) => {
      await peer.vote(neighbor(1n));
      const target = { hash: genesis, number: 0 };
      await peer.vote(voteOf(1n, signVote(0, target, 1n, '//Bob', '//Eve')));
    },
  },
  {
    ...{ does: 'sends the same request five times', changes: [-4096, -4096, -4096] },
    act: async (peer) => {
      for (let count = 0; count < 5; count++) await rejection(peer.request({ from: 0, max: 1 }));
    },
  },
  {
    ...{ does: 'sends a request of a light client that requests nothing', changes: [-4096] },
    act: (peer) =>
      rejection(
        peer.connection.request(peer.names('light/2'), encodeFields([9, 1]), {
          maxBytes: 10,
          timeoutMs: 5000,
        }),
      ),
  },
  {
    ...{ does: 'sends an announcement with data that no chain uses', changes: [-4096] },
    act: (peer, genesis) => {
      const { header } = makeBlock({ hash: genesis, number: 0 }, 1).block;
      return peer.sendRaw(concatBytes(encodeHeader(header), Uint8Array.of(1, 4, 7)));
    },
  },
  {
    ...{ does: 'sends a transaction without meaning', changes: [-4096] },
    act: (peer) => peer.submit(Uint8Array.of(255, 1)),
  },
  {
    ...{ does: 'responds with no blocks', changes: [-(2 ** 29)] },
    options: () => ({ best: unknownBlock, respond: () => noBytes }),
  },
  {
    ...{ does: 'responds without meaning', changes: [-4096] },
    options: () => ({ best: unknownBlock, respond: () => Uint8Array.of(7, 7, 7) }),
  },
  {
    ...{ does: 'refuses requests', changes: [-1024] },
    options: () => ({ best: unknownBlock, respond: () => null }),
  },
  {
    ...{ does: 'responds with blocks that do not link', changes: [-(2 ** 29)] },
    options: (genesis) => {
      const blocks = unsealed(genesis).map((one, index) => (index % 2 === 0 ? one : makeBlock(one, 2)));
      return { best: lastOf(genesis), respond: respondWith(blocks.reverse()) };
    },
  },
  {
    ...{ does: 'responds with blocks of nobody', changes: [-(2 ** 29)] },
    options: (genesis) => ({ best: lastOf(genesis), respond: respondWith(unsealed(genesis).reverse()) }),
  },
];

describe.skipIf(!hasNativeNode)('a native node punishes a peer that (shared native-node)', () => {
  let native: NativeNode;
  let node: Awaited<ReturnType<NativeNode['serve']>>;
  let genesis: BlockHash;
  let port = 0;
  let seed = 100;

  beforeAll(async () => {
    native = await unpackNativeNode();
    const ours = await openAt(Date.now(), 'local_testnet', { keys: [] });
    const spec = await native.writeSpec(ours);
    genesis = ours.parts.chain.genesisHash;
    await ours.close();
    port = await freePort();
    const seal = ['--seal', 'manual', '--seal-grandpa', '--rpc-methods', 'unsafe', logsReports];
    const listens = ['--node-key', '11'.repeat(32), '--listen-addr', `/ip4/127.0.0.1/tcp/${port}/ws`];
    node = await native.serve('--chain', spec, '--alice', '--tmp', ...seal, ...listens);
    await vi.waitFor(async () => expect(await node.isUp()).toBe(true), { timeout: 60_000, interval: 100 });
  }, 120_000);
  afterAll(async () => {
    await node.stop();
    native.close();
  });

  const meet = async (options: PeerOptions): Promise<MadeUpPeer> =>
    meetOver(
      { carrier: await dialWebSocket(`ws://127.0.0.1:${port}`, { schedule }), isDialer: true },
      genesis,
      {
        ...{ seed: seed++, role: 'authority' },
        serves: (publicKey) => [servePing, serveIdentify(publicKey, () => described, schedule)],
        ...options,
      },
    );
  const changesOf = ({ id }: MadeUpPeer): number[] =>
    node.reports().flatMap(({ peer, change }) => (peer === id ? [change] : []));

  const isPeer = async ({ id }: MadeUpPeer): Promise<boolean> =>
    (await node.call<{ peerId: string }[]>('system_peers')).some(({ peerId }) => peerId === id);

  for (const { does, changes, options, act } of rows)
    it(`${does}: ${changes.join(', ')}`, async () => {
      const peer = await meet(options?.(genesis) ?? {});
      onTestFinished(peer.leave);
      await peer.ready;
      await act?.(peer, genesis);
      await expect.poll(() => changesOf(peer).slice(0, changes.length)).toEqual(changes);
    });

  it('is on another chain: it is refused', async () => {
    const peer = await meet({ status: (bytes) => bytes.with(40, 7) });
    await peer.connection.closed;
    expect(await isPeer(peer)).toBe(false);
  });

  it('announces a block of more than 1 MiB: its links are closed', async () => {
    const peer = await meet({});
    onTestFinished(peer.leave);
    await peer.ready;
    await expect.poll(() => isPeer(peer)).toBe(true);
    peer.sendRaw(new Uint8Array(1_048_577));
    await expect.poll(() => isPeer(peer)).toBe(false);
  });
});
