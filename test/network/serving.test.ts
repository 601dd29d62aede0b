import { afterEach, beforeEach, expect, test } from 'vitest';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { peerIdBytes } from '../../worker/crypto/peer-id.ts';
import { encodeAddress } from '../../worker/network/address-bytes.ts';
import { identify, serveIdentify } from '../../worker/network/transport/identify.ts';
import { startPings } from '../../worker/network/transport/ping.ts';
import { decodeFields, encodeFields } from '../../worker/network/transport/protobuf.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { type MadeUpPeer, meet } from './made-up-peer.ts';

let dev: DevNode;
const met: MadeUpPeer[] = [];
const join = async (options?: Parameters<typeof meet>[1]): Promise<MadeUpPeer> => {
  const peer = await meet(dev.node, options);
  met.push(peer);
  return peer;
};
beforeEach(async () => {
  dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
});
afterEach(async () => {
  for (const peer of met.splice(0)) peer.leave();
  await dev.stop();
});

const limits = { maxBytes: 2 ** 24, timeoutMs: 10_000 };
const address = '/ip4/127.0.0.1/tcp/4000/ws';
const schedule = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

test('a node says what it serves; that it can be dialled, and its Kademlia, only while it listens', async () => {
  const { connection, names } = await join();
  const before = await identify(connection);
  expect(before.agent).toMatch(/^Tabnode\/v[\d.]+$/);
  expect(before.addresses).toEqual([]);
  const suffixes = ['block-announces/1', 'transactions/1', 'grandpa/1', 'sync/2', 'light/2', 'sync/warp'];
  for (const suffix of suffixes) expect(before.protocols).toEqual(expect.arrayContaining([...names(suffix)]));
  expect(before.protocols).toEqual(expect.arrayContaining(['/ipfs/id/1.0.0', '/ipfs/ping/1.0.0']));
  expect(before.protocols).not.toContain(names('kad')[0]);
  const search = encodeFields([1, 4]);
  await expect(connection.request(names('kad'), search, limits)).rejects.toMatchObject({
    code: 'PeerFailed',
  });
  dev.node.parts.localPeer.listen([address]);
  const after = await identify(connection);
  expect(after.addresses).toEqual([encodeAddress(address)]);
  expect(after.protocols).toContain(names('kad')[0]);
  expect(await connection.request(names('kad'), search, limits)).toEqual(search);
});

test('a node in a network says its name and the public addresses it was given', async () => {
  const publicAddress = '/dns/node.example/tcp/443/wss';
  const { network } = dev.node.parts;
  const bootNodes: string[] = [];
  const wrong = { bootNodes, publicAddresses: ['node.example:443'] };
  await expect(network.join(wrong)).rejects.toMatchObject({
    code: 'BadConfig',
    message: 'Not an address such as /dns/node.example/tcp/443/wss',
  });
  await network.join({ bootNodes, name: 'Bob', publicAddresses: [publicAddress] });
  const { connection, names } = await join();
  const info = await identify(connection);
  expect(info.agent).toMatch(/^Tabnode\/v[\d.]+ \(Bob\)$/);
  expect(info.addresses).toEqual([encodeAddress(publicAddress)]);
  expect(info.protocols).toContain(names('kad')[0]);
});

test('protocols that are not served are refused', async () => {
  const { connection, names } = await join();
  const others = [
    ...['beefy/2', 'beefy/justifications/1', 'statement/1', 'statement/2', 'state/2'].map(names),
    ['/ipfs/bitswap/1.2.0'],
  ];
  for (const other of others)
    await expect(connection.request(other, new Uint8Array(1), limits)).rejects.toMatchObject({
      details: { reason: 'refused' },
    });
});

test('pings come back', async () => {
  const { connection } = await join();
  const random = (length: number) => new Uint8Array(length).fill(3);
  const now = () => performance.now();
  await new Promise((resolve) => startPings(connection, { schedule, now, random, onLatency: resolve }));
});

test('one peer is told of another, where that can be dialled', async () => {
  dev.node.parts.localPeer.listen([address]);
  const asking = await join();
  const theirs = encodeAddress('/ip4/10.0.0.7/tcp/30333/ws') as Uint8Array;
  const describe = () => ({
    ...{ agent: 'other', observed: null, addresses: [theirs] },
    protocols: [...asking.names('kad')],
  });
  let key = new Uint8Array(0);
  await join({
    seed: 2,
    serves: (publicKey) => {
      key = Uint8Array.from(publicKey);
      return [serveIdentify(publicKey, describe, schedule)];
    },
  });
  const told = async () => {
    const bytes = await asking.connection.request(asking.names('kad'), encodeFields([1, 4]), limits);
    return decodeFields(bytes)
      .all(8)
      .map((peer) => {
        const fields = decodeFields(peer);
        return [fields.bytes(1), fields.all(2)];
      });
  };
  await expect.poll(told).toEqual([[peerIdBytes(key), [theirs]]]);
});

test('a proof of a value and one of authority sets come from a peer', async () => {
  const { connection, names } = await join();
  const block = hexToBytes(dev.node.parts.chain.genesisHash);
  const read = encodeFields([2, encodeFields([2, block], [3, Uint8Array.of(1)])]);
  const response = decodeFields(await connection.request(names('light/2'), read, limits));
  expect(decodeFields(response.bytes(2)).bytes(2).length).toBeGreaterThan(32);
  expect(await connection.request(names('sync/warp'), block, limits)).toEqual(Uint8Array.of(0, 1));
});
