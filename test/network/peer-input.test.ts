import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashHeader } from '../../worker/chain/hashes.ts';
import { type BlockHash, bytesToBlockHash } from '../../worker/codec/identity.ts';
import type { SignedBlock } from '../../worker/codec/signed-block.ts';
import { maxEarly } from '../../worker/network/links/votes.ts';
import { encodeBlockResponse, encodeFound } from '../../worker/network/protocol/block-request.ts';
import { loadBlocks } from '../consensus/grandpa-rig.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { meet } from './made-up-peer.ts';

let dev: DevNode;
beforeEach(async () => {
  dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
});
// Throws if the node reported an error.
afterEach(() => dev.stop());

const genesis = (): BlockHash => dev.node.parts.chain.genesisHash;
const peers = () => dev.node.parts.network.peers();

/** Blocks of another node with the same chain, old enough for this one's clock. */
const foreignBlocks = async (count: number): Promise<SignedBlock[]> => {
  const clock = { startMs: Date.UTC(2029, 0, 1) };
  const other = await startDevNode({ changes: { finality: { kind: 'manual' }, clock } });
  await other.call('dev_newBlock', { count });
  const blocks = await loadBlocks(other.node, count);
  await other.stop();
  return blocks;
};

const refOf = ({ header }: SignedBlock) => ({
  hash: hashHeader(dev.node.parts.crypto, header),
  number: header.number,
});

/** Serves these blocks, the first of which is #1. */
const serving = (blocks: readonly SignedBlock[]) => ({
  best: refOf(blocks.at(-1) as SignedBlock),
  respond: ({
    from,
    isDescending,
    max,
  }: {
    from: BlockHash | number;
    isDescending: boolean;
    max: number;
  }) => {
    const all = blocks.map((block) => ({ ...refOf(block), block }));
    const at = all.findIndex(({ hash, number }) => hash === from || number === from);
    const found = isDescending ? all.slice(0, at + 1).reverse() : all.slice(at);
    const whole = { parts: 19, takesSeveral: true };
    return encodeBlockResponse(
      (at < 0 ? [] : found)
        .slice(0, max)
        .map((one) => encodeFound({ hash: one.hash, block: one.block }, whole)),
    );
  },
});

test('a peer is one from its handshake on, by its id and role, until it leaves', async () => {
  const peer = await meet(dev.node, { role: 'authority' });
  await peer.ready;
  // The node may learn later than the peer that their link is open.
  await expect.poll(peers).toMatchObject([{ role: 'authority', best: { number: 0 } }]);
  const [first] = peers();
  expect(await dev.call('system_peers')).toEqual([
    { peerId: first?.id, roles: 'AUTHORITY', bestHash: genesis(), bestNumber: 0 },
  ]);
  expect(await dev.call('system_health')).toMatchObject({ peers: 1 });
  peer.leave();
  await expect.poll(peers).toEqual([]);
});

test.each([
  ['of another chain', (bytes: Uint8Array) => bytes.with(40, 7)],
  ['that is too short', (bytes: Uint8Array) => bytes.subarray(1)],
])('a handshake %s is refused', async (_what, status) => {
  const peer = await meet(dev.node, { status });
  await peer.connection.closed;
  expect(peers()).toEqual([]);
});

test('a peer whose announcements do not decode is banned, and comes back in vain', async () => {
  const peer = await meet(dev.node);
  await peer.ready;
  for (let sent = 0; sent < 10; sent++) expect(peer.sendRaw(Uint8Array.of(1, 2, 3))).toBe(true);
  await expect.poll(() => peers().length).toBe(1);
  dev.node.parts.network.gossip.rate(peers()[0]?.id as string, -0x8000_0000);
  await peer.connection.closed;
  const again = await meet(dev.node);
  await again.connection.closed;
  expect(peers()).toEqual([]);
});

test('an altered block costs its sender the connection, and the chain nothing', async () => {
  const [block] = (await foreignBlocks(1)) as [SignedBlock];
  const stateRoot = block.header.stateRoot.with(31, 1);
  const altered = { ...block, header: { ...block.header, stateRoot } };
  const peer = await meet(dev.node, serving([altered]));
  await peer.connection.closed;
  expect(dev.best().number).toBe(0);
  const honest = await meet(dev.node, { seed: 2, ...serving([block]) });
  await expect.poll(() => dev.best().number).toBe(1);
  honest.leave();
});

test('a bad proof with a good block is dropped, and the block is imported', async () => {
  const [block] = (await foreignBlocks(1)) as [SignedBlock];
  const junk = [Uint8Array.of(0x46, 0x52, 0x4e, 0x4b), Uint8Array.of(1, 2, 3)] as const;
  const peer = await meet(dev.node, serving([{ ...block, justifications: [junk] }]));
  await expect.poll(() => dev.best().number).toBe(1);
  expect(dev.finalized().number).toBe(0);
  expect(peers()).toHaveLength(1);
  peer.leave();
});

test('blocks come from another peer if the first never responds', async () => {
  const blocks = await foreignBlocks(3);
  const mute = await meet(dev.node, {
    ...serving(blocks),
    respond: () => new Promise<null>(() => undefined),
  });
  await mute.ready;
  await mute.requests.next();
  const helpful = await meet(dev.node, { seed: 2, ...serving(blocks) });
  mute.leave();
  await expect.poll(() => dev.best().number).toBe(3);
  helpful.leave();
});

test('a block that leads nowhere is not asked for again and again', async () => {
  const lost = { hash: bytesToBlockHash(new Uint8Array(32).fill(0x66)), number: 9 };
  const peer = await meet(dev.node, { best: lost });
  // No blocks instead of those that it says it has.
  await peer.connection.closed;
  expect(peer.requests.items.length).toBeLessThanOrEqual(2);
});

test('blocks are announced with their headers, to those that do not have them', async () => {
  const [a, b] = [await meet(dev.node), await meet(dev.node, { seed: 2 })];
  await Promise.all([a.ready, b.ready]);
  await dev.call('dev_newBlock');
  for (const peer of [a, b]) {
    const { header, isBest } = await peer.announcements.next();
    expect([header.number, isBest]).toEqual([1, true]);
  }
  const [block] = await loadBlocks(dev.node, 1);
  const second = await dev.call<{ hash: BlockHash }>('engine_createBlock', true, false);
  expect((await a.announcements.next()).header.number).toBe(2);
  expect((await a.request({ from: second.hash, max: 1 }))?.[0]?.header?.number).toBe(2);
  expect((await a.request({ from: 1, max: 1 }))?.[0]?.header).toEqual(block?.header);
  for (const peer of [a, b]) peer.leave();
});

test('votes that arrive before the voter does wait for it, as far as there is room', async () => {
  const peer = await meet(dev.node);
  await peer.ready;
  const { gossip } = dev.node.parts.network;
  for (let nth = 0; nth < maxEarly + 2; nth++) await peer.vote(Uint8Array.of(nth));
  // A response comes after what was sent before it.
  await peer.request({ from: 0, max: 1 });
  const received: number[] = [];
  const stop = gossip.onMessage((_peer, [nth]) => received.push(nth as number));
  expect(received).toEqual(Array.from({ length: maxEarly }, (_, nth) => nth + 2));
  stop();
  peer.leave();
});

test('the voter learns of a peer that comes, and of one that leaves or is cut', async () => {
  const seen: string[] = [];
  const { gossip, unlink } = dev.node.parts.network;
  gossip.onPeer(() => seen.push('came'));
  gossip.onLeave(() => seen.push('left'));
  const [cut, ending] = [await meet(dev.node), await meet(dev.node, { seed: 2 })];
  for (const peer of [cut, ending]) await peer.vote(Uint8Array.of(0));
  expect(seen).toEqual(['came', 'came']);
  await unlink(cut.link);
  ending.leave();
  await expect.poll(() => seen).toEqual(['came', 'came', 'left', 'left']);
});
