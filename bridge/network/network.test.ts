import { connect as connectTcp } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Carrier } from '../../worker/network/transport/carrier.ts';
import { connect } from '../../worker/network/transport/connect.ts';
import type { Connection, Served } from '../../worker/network/transport/connection.ts';
import { baseOptions, keyOf, schedule } from '../../worker/network/transport/pair.fixture.ts';
import { portCarrier } from '../../worker/network/transport/port.ts';
import { dialWebSocket } from '../../worker/network/transport/web-socket.ts';
import { dialTcp } from './dial.ts';
import { joinSocket, type PeerSocketEvents } from './join.ts';
import { createTcpPeers, createWebSocketPeers } from './listen.ts';

const echo: Served = {
  ...{ names: ['/echo/1'], maxMessageBytes: 1 << 24, priority: 'answer' },
  accept: (stream) => ({ message: (message) => void stream.send(message), end: () => stream.close() }),
};

type Kind = 'tcp' | 'ws';

/** A node that other nodes can reach; `connections` are those whose handshake is complete. */
const listen = async (kind: Kind, maxSockets = 10) => {
  const connections: Promise<Connection>[] = [];
  const from: string[] = [];
  const create = kind === 'tcp' ? createTcpPeers : createWebSocketPeers;
  const listener = create({
    maxSockets,
    onPeer: (port, { host }) => {
      from.push(host);
      const options = { ...baseOptions, key: keyOf(2), isDialer: false, served: () => [echo] };
      const connection = connect(portCarrier(port), options);
      connection.catch(() => undefined);
      connections.push(connection);
    },
  });
  const address = await listener.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    for (const connection of connections) (await connection.catch(() => null))?.close('The test is over');
    await listener.close();
  });
  return { address, connections, from, port: Number(address.split(':')[1]) };
};

const carrierTo = async (kind: Kind, port: number): Promise<Carrier> =>
  kind === 'tcp'
    ? portCarrier(await dialTcp('127.0.0.1', port))
    : dialWebSocket(`ws://127.0.0.1:${port}`, { schedule });

const dial = async (kind: Kind, port: number): Promise<Connection> =>
  connect(await carrierTo(kind, port), { ...baseOptions, key: keyOf(1), isDialer: true });

const bodyOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) & 255);

describe.each(['tcp', 'ws'] as const)('nodes by %s', (kind) => {
  test('exchange messages of any size both ways, and see each other leave', async () => {
    const { port, connections, from } = await listen(kind);
    const near = await dial(kind, port);
    const requests = [0, 1, 100_000, 1 << 24].map(async (size) => {
      const body = bodyOf(size);
      const response = await near.request(['/echo/1'], body, { maxBytes: 1 << 24, timeoutMs: 20_000 });
      expect(Buffer.compare(response, body)).toBe(0);
    });
    await Promise.all(requests);
    const far = await connections[0];
    expect(from).toEqual(['127.0.0.1']);
    near.close('The test is over');
    expect(await far?.closed).toBe('The other side has ended the connection');
    const again = await dial(kind, port);
    (await connections[1])?.close('The listening side leaves');
    expect(await again.closed).toBe('The other side has ended the connection');
  });

  test('know when the other side vanishes', async () => {
    const { port, connections } = await listen(kind);
    const carrier = await carrierTo(kind, port);
    const near = await connect(carrier, { ...baseOptions, key: keyOf(1), isDialer: true });
    await connections[0];
    carrier.close();
    expect(await (await connections[0])?.closed).toMatch(/closed the connection|ended the connection/);
    near.close('The test is over');
  });

  test('that are too many are turned away', async () => {
    const { port } = await listen(kind, 1);
    const near = await dial(kind, port);
    await expect(dial(kind, port)).rejects.toMatchObject({ code: 'PeerFailed' });
    expect((await near.request(['/echo/1'], bodyOf(10), { maxBytes: 10, timeoutMs: 5000 })).length).toBe(10);
    near.close('The test is over');
  });

  test('that cannot be reached are an error', async () => {
    const { port } = await listen(kind);
    await expect(dial(kind, port === 1 ? 2 : 1)).rejects.toMatchObject({
      code: 'PeerFailed',
      message: expect.stringMatching(/cannot be reached/),
    });
    const create = kind === 'tcp' ? createTcpPeers : createWebSocketPeers;
    await expect(
      create({ maxSockets: 1, onPeer: () => undefined }).listen({ host: '127.0.0.1', port }),
    ).rejects.toMatchObject({ code: 'BadConfig', message: expect.stringMatching(/is in use/) });
  });

  test('that say something else are closed, and harm nobody', async () => {
    const { port, connections } = await listen(kind);
    const socket = connectTcp(port, '127.0.0.1');
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(new Uint8Array(100_000).fill(71));
    await ended;
    const near = await dial(kind, port);
    expect((await near.request(['/echo/1'], bodyOf(10), { maxBytes: 10, timeoutMs: 5000 })).length).toBe(10);
    near.close('The test is over');
    if (kind === 'tcp') await expect(connections[0]).rejects.toThrow(/multistream|does not end|1024/);
  });
});

describe('a WebSocket', () => {
  const open = async (port: number): Promise<WebSocket> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('open', resolve));
    return socket;
  };
  const closeOf = (socket: WebSocket): Promise<number> =>
    new Promise((resolve) => socket.once('close', resolve));

  test('is offered without compression, and without pings', async () => {
    const { port } = await listen('ws');
    const socket = await open(port);
    expect(socket.extensions).toBe('');
    socket.terminate();
  });

  test.each([
    ['a text', '\u0013/multistream/1.0.0\n', /text instead of bytes/],
    ['a message of more than 2 MiB', new Uint8Array(2 * 1024 * 1024 + 1), /broke/],
  ])('that sends %s is closed', async (_name, message, reason) => {
    const { port, connections } = await listen('ws');
    const socket = await open(port);
    const closed = closeOf(socket);
    socket.send(message);
    await closed;
    await expect(connections[0]).rejects.toThrow(reason);
  });

  test('that receives a text from the other side closes', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.close());
    server.on('connection', (socket) => socket.send('hello'));
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address() as { port: number };
    await expect(dial('ws', address.port)).rejects.toThrow('The other side sent a text instead of bytes');
  });
});

test('a socket is not read while the node has not taken what it brought', () => {
  const calls: unknown[] = [];
  let events: PeerSocketEvents | null = null;
  const port = joinSocket((given) => {
    events = given;
    return {
      send: (bytes, onTaken) => {
        calls.push(bytes.length);
        onTaken();
      },
      pause: (isPaused) => calls.push(isPaused),
      close: () => calls.push('close'),
    };
  });
  const arrive = (bytes: number) => (events as PeerSocketEvents | null)?.bytes(new Uint8Array(bytes));
  arrive(1024 * 1024);
  expect(calls).toEqual([]);
  arrive(1);
  expect(calls).toEqual([true]);
  let taken = 0;
  const carrier = portCarrier(port);
  const closed = vi.fn();
  carrier.listen({
    bytes: (bytes) => {
      taken += bytes.length;
    },
    close: closed,
    drain: () => undefined,
  });
  expect(taken).toBe(1024 * 1024 + 1);
  expect(calls).toEqual([true, false]);
  carrier.send(new Uint8Array(40_000));
  expect(carrier.buffered()).toBe(0);
  (events as PeerSocketEvents | null)?.close('The cable was pulled');
  expect(closed).toHaveBeenCalledWith('The cable was pulled');
  expect(calls).toEqual([true, false, 40_000, 'close']);
  arrive(1);
  expect(taken).toBe(1024 * 1024 + 1);
});

test('who connects and says nothing is cut off soon, and makes room for others', async () => {
  const listener = createWebSocketPeers({ maxSockets: 2, silenceMs: 100, onPeer: (port) => port.close() });
  onTestFinished(listener.close);
  const port = Number((await listener.listen({ host: '127.0.0.1', port: 0 })).split(':')[1]);
  const ends = [0, 1].map(
    () => new Promise((resolve) => connectTcp(port, '127.0.0.1').resume().once('close', resolve)),
  );
  await Promise.all(ends);
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await new Promise((resolve) => socket.once('open', resolve));
}, 10_000);
