import { multiaddr } from '@multiformats/multiaddr';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { peerIdEncode } from '../../worker/crypto/peer-id.ts';
import { connect } from '../../worker/network/transport/connect.ts';
import type { Connection, Served } from '../../worker/network/transport/connection.ts';
import { withLength } from '../../worker/network/transport/framing.ts';
import { identify, serveIdentify } from '../../worker/network/transport/identify.ts';
import { baseOptions, keyOf, schedule } from '../../worker/network/transport/pair.fixture.ts';
import { servePing, startPings } from '../../worker/network/transport/ping.ts';
import { portCarrier } from '../../worker/network/transport/port.ts';
import { dialWebSocket } from '../../worker/network/transport/web-socket.ts';
import { dialTcp } from './dial.ts';
import { readMessages, startLibp2p } from './libp2p.fixture.ts';
import { createTcpPeers, createWebSocketPeers } from './listen.ts';

type Kind = 'tcp' | 'ws';

const echoName = '/echo/1';
const pushName = '/push/1';
const megabytes = 5;

const echo: Served = {
  ...{ names: [echoName], maxMessageBytes: 1 << 24, priority: 'answer' },
  accept: (stream) => ({ message: (message) => void stream.send(message), end: () => stream.close() }),
};

const bodyOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) & 255);

/** js-libp2p, which sends back each message. */
const startEcho = async (kind: Kind) => {
  const started = await startLibp2p(kind);
  await started.node.handle(echoName, (stream) => {
    const messages = readMessages((message) => stream.send(withLength(message)));
    stream.addEventListener('message', ({ data }) => messages(data.subarray()));
    stream.addEventListener('remoteCloseWrite', () => stream.close());
  });
  return started;
};

const describeUs = () => ({
  agent: 'tabnode of a test',
  protocols: ['/ipfs/id/1.0.0', '/ipfs/ping/1.0.0', echoName],
  addresses: [],
  observed: null,
});

/** What we serve; `pushes` are streams held open, on which the other side sends. */
const serve = (received: Uint8Array[] = []): readonly Served[] => [
  servePing,
  serveIdentify(keyOf(2).publicKey, describeUs, schedule),
  echo,
  {
    ...{ names: [pushName], maxMessageBytes: 1000, priority: 'announce' },
    accept: (stream) => ({
      message: (message) => {
        received.push(message);
        stream.send(message);
      },
      end: () => stream.close(),
    }),
  },
];

const listen = async (kind: Kind, served: readonly Served[]) => {
  const connections: Promise<Connection>[] = [];
  const listener = (kind === 'tcp' ? createTcpPeers : createWebSocketPeers)({
    maxSockets: 10,
    onPeer: (port) => {
      const options = { ...baseOptions, key: keyOf(2), isDialer: false, served: () => served };
      connections.push(connect(portCarrier(port), options));
    },
  });
  const address = await listener.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(listener.close);
  const port = address.split(':')[1];
  const id = peerIdEncode(keyOf(2).publicKey);
  return { connections, address: `/ip4/127.0.0.1/tcp/${port}${kind === 'ws' ? '/ws' : ''}/p2p/${id}` };
};

describe.each(['ws', 'tcp'] as const)('js-libp2p by %s', (kind) => {
  test('dials us: identify, ping, a large message, and a stream held open', async () => {
    const received: Uint8Array[] = [];
    const { connections, address } = await listen(kind, serve(received));
    const { node, id } = await startEcho(kind);
    const identified = new Promise<{ agentVersion?: string; protocols: string[] }>((resolve) =>
      node.addEventListener('peer:identify', ({ detail }) => resolve(detail)),
    );
    await node.dial(multiaddr(address));
    expect((await connections[0])?.remoteId).toBe(id);
    expect(await identified).toMatchObject({
      agentVersion: 'tabnode of a test',
      protocols: expect.arrayContaining([echoName]),
    });
    expect(await node.services.ping.ping(multiaddr(address))).toBeGreaterThanOrEqual(0);

    const body = bodyOf(megabytes * 1_000_000);
    const stream = await node.dialProtocol(multiaddr(address), echoName);
    const echoed: Uint8Array[] = [];
    const read = readMessages((message) => echoed.push(message));
    stream.addEventListener('message', ({ data }) => read(data.subarray()));
    stream.send(withLength(body));
    await vi.waitFor(() => expect(echoed).toHaveLength(1), { timeout: 20_000 });
    expect(Buffer.compare(echoed[0] ?? new Uint8Array(), body)).toBe(0);
    await stream.close();

    const held = await node.dialProtocol(multiaddr(address), pushName);
    const back: Uint8Array[] = [];
    const readBack = readMessages((message) => back.push(message));
    held.addEventListener('message', ({ data }) => readBack(data.subarray()));
    for (let count = 1; count <= 20; count++) {
      held.send(withLength(bodyOf(count)));
      await vi.waitFor(() => expect(received).toHaveLength(count));
    }
    await vi.waitFor(() => expect(back).toEqual(received));
    expect(held.status).toBe('open');
    await expect(node.dialProtocol(multiaddr(address), '/unknown/1')).rejects.toThrow(/protocol/i);
    (await connections[0])?.close('The test is over');
    await vi.waitFor(() => expect(node.getConnections()).toHaveLength(0));
    expect(['reset', 'aborted', 'closed']).toContain(held.status);
  });

  test('is dialed by us: identify, ping, a large message, and a stream held open', async () => {
    const { node, id, port } = await startEcho(kind);
    const carrier =
      kind === 'ws'
        ? await dialWebSocket(`ws://127.0.0.1:${port}`, { schedule })
        : portCarrier(await dialTcp('127.0.0.1', port));
    const near = await connect(carrier, {
      ...{ ...baseOptions, key: keyOf(2), isDialer: true, expectedId: id, served: () => serve() },
    });
    const info = await identify(near);
    expect(info.agent).toMatch(/^js-libp2p\//);
    expect(info.protocols).toEqual(expect.arrayContaining([echoName, '/ipfs/ping/1.0.0']));
    await new Promise((resolve) => startPings(near, { ...baseOptions, onLatency: resolve }));

    const body = bodyOf(megabytes * 1_000_000);
    for (const names of [[echoName], ['/unknown/1', echoName]]) {
      const response = await near.request(names, body, { maxBytes: 1 << 24, timeoutMs: 30_000 });
      expect(Buffer.compare(response, body)).toBe(0);
    }
    await expect(near.request(['/unknown/1'], body, { maxBytes: 10, timeoutMs: 5000 })).rejects.toMatchObject(
      {
        details: { reason: expect.stringMatching(/refused|reset/) },
      },
    );

    const messages: Uint8Array[] = [];
    const end = vi.fn();
    const held = near.open(
      [echoName],
      { maxMessageBytes: 1000, priority: 'announce' },
      { message: (message) => messages.push(message), end },
    );
    for (let count = 1; count <= 20; count++) {
      held.send(bodyOf(count));
      await vi.waitFor(() => expect(messages).toHaveLength(count));
    }
    expect(end).not.toHaveBeenCalled();
    await node.stop();
    expect(await near.closed).toMatch(/ended|closed|broke/);
    expect(end).toHaveBeenCalledOnce();
  });
});
