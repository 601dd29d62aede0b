import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { dialTcp } from '../../bridge/network/dial.ts';
import { createTcpPeers, createWebSocketPeers } from '../../bridge/network/listen.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { peerIdEncode } from '../../worker/crypto/peer-id.ts';
import { connect } from '../../worker/network/transport/connect.ts';
import type { Connection, Served } from '../../worker/network/transport/connection.ts';
import { identify, serveIdentify } from '../../worker/network/transport/identify.ts';
import { baseOptions, keyOf, schedule } from '../../worker/network/transport/pair.fixture.ts';
import { servePing, startPings } from '../../worker/network/transport/ping.ts';
import { portCarrier } from '../../worker/network/transport/port.ts';
import { decodeFields, encodeFields } from '../../worker/network/transport/protobuf.ts';
import { dialWebSocket } from '../../worker/network/transport/web-socket.ts';
import { useNativePreset } from './native-pair.ts';
import { freePort, hasNativeNode } from './native-rig.ts';

type Kind = 'ws' | 'tcp';

const us = keyOf(7);
const protocols = ['/ipfs/id/1.0.0', '/ipfs/ping/1.0.0'];
const described = { agent: 'tabnode of a test', protocols, addresses: [], observed: null };
const served: readonly Served[] = [servePing, serveIdentify(us.publicKey, () => described, schedule)];
const options = { ...baseOptions, key: us, served: () => served, idleMs: null };

/** Header, body and justification of block 1 alone. */
const blockOne = encodeFields([1, 19 * 2 ** 24], [3, Uint8Array.of(1, 0, 0, 0)], [5, 0], [6, 1], [7, 1]);

describe.skipIf(!hasNativeNode)('connections with a native node (shared native-node)', () => {
  const held = useNativePreset('local_testnet');

  const start = async (...how: readonly string[]) => {
    // What stops it with `--seal manual` alone: its voter, whose protocol would be missing.
    const seal = ['--seal', 'manual', '--seal-grandpa', '--rpc-methods', 'unsafe'];
    const node = await held.native.serve(
      ...['--chain', held.spec, '--alice', '--tmp', '--node-key', '11'.repeat(32), ...seal, ...how],
    );
    onTestFinished(() => node.stop());
    await expect.poll(node.isUp, { timeout: 60_000, interval: 200 }).toBe(true);
    return node;
  };

  /** What a connection is good for, whoever has dialed. */
  const use = async (connection: Connection, node: Awaited<ReturnType<typeof start>>): Promise<void> => {
    expect(connection.remoteId).toBe(await node.call('system_localPeerId'));
    const info = await identify(connection);
    expect(info.agent).toMatch(/^Judge Node/);
    const sync = info.protocols.find((name) => name.endsWith('/sync/2')) ?? '';
    const latency = await new Promise<number>((resolve) => {
      const stop = startPings(connection, {
        ...baseOptions,
        onLatency: (ms) => {
          stop();
          resolve(ms);
        },
      });
    });
    expect(latency).toBeGreaterThanOrEqual(0);
    const [genesis = ''] = sync.split('/').slice(1);
    expect(`0x${genesis}`).toBe(await node.call('chain_getBlockHash', 0));
    for (const names of [[sync], ['/unknown/1', sync]]) {
      const response = await connection.request(names, blockOne, { maxBytes: 1 << 24, timeoutMs: 20_000 });
      const [block] = decodeFields(response).all(1);
      const hash = decodeFields(block ?? new Uint8Array()).bytes(1);
      expect(hash).toEqual(hexToBytes(await node.call('chain_getBlockHash', 1)));
    }
    await expect(
      connection.request(['/unknown/1'], blockOne, { maxBytes: 1 << 24, timeoutMs: 20_000 }),
    ).rejects.toMatchObject({ details: { reason: 'refused' } });
  };

  test.each(['ws', 'tcp'] as const)(
    'are made by us by %s: identify, ping, block 1, and `:code` with its proof',
    async (kind: Kind) => {
      const port = await freePort();
      const node = await start('--listen-addr', `/ip4/127.0.0.1/tcp/${port}${kind === 'ws' ? '/ws' : ''}`);
      await node.call('engine_createBlock', true, false, null);
      const carrier =
        kind === 'ws'
          ? await dialWebSocket(`ws://127.0.0.1:${port}/`, { schedule })
          : portCarrier(await dialTcp('127.0.0.1', port));
      const connection = await connect(carrier, { ...options, isDialer: true });
      await use(connection, node);
      const { protocols: names } = await identify(connection);
      const light = names.find((name) => name.endsWith('/light/2')) ?? '';
      const block = hexToBytes(await node.call('chain_getBlockHash', 0));
      const read = encodeFields([2, encodeFields([2, block], [3, new TextEncoder().encode(':code')])]);
      const proof = await connection.request([light], read, { maxBytes: 1 << 24, timeoutMs: 20_000 });
      const { genesis } = JSON.parse(readFileSync(held.spec, 'utf8')) as {
        genesis: { raw: { top: Record<string, string> } };
      };
      const code = genesis.raw.top['0x3a636f6465'] ?? '';
      expect(proof.length).toBeGreaterThan(code.length / 2 - 1);
      connection.close('The test is over');
    },
    120_000,
  );

  test.each(['ws', 'tcp'] as const)(
    'are made by it by %s, as its boot node: identify, ping, block 1',
    async (kind: Kind) => {
      const connections: Promise<Connection>[] = [];
      const listener = (kind === 'tcp' ? createTcpPeers : createWebSocketPeers)({
        maxSockets: 10,
        onPeer: (port) => void connections.push(connect(portCarrier(port), { ...options, isDialer: false })),
      });
      const address = await listener.listen({ host: '127.0.0.1', port: 0 });
      onTestFinished(listener.close);
      const path = `/ip4/127.0.0.1/tcp/${address.split(':')[1]}${kind === 'ws' ? '/ws' : ''}`;
      const node = await start('--bootnodes', `${path}/p2p/${peerIdEncode(us.publicKey)}`);
      await node.call('engine_createBlock', true, false, null);
      await vi.waitFor(() => expect(connections.length).toBeGreaterThan(0), { timeout: 60_000 });
      await use(await (connections[0] as Promise<Connection>), node);
      for (const connection of connections) (await connection).close('The test is over');
    },
    120_000,
  );
});
