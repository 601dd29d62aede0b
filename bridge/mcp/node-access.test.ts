import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { reachNode } from './node-access.ts';

const server = new WebSocketServer({ port: 0, autoPong: false });
afterAll(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

const addressOf = (path = ''): string => {
  const { port } = server.address() as { readonly port: number };
  return `ws://127.0.0.1:${port}${path}`;
};

/**
 * Accepts the next client. Calls return the path that the client requested, except `hang`, which never
 * returns. Pings are not answered.
 */
const nextClient = async (): Promise<WebSocket> => {
  const [socket, { url }] = (await once(server, 'connection')) as [WebSocket, { readonly url: string }];
  socket.on('message', (data: Uint8Array) => {
    const { id, method } = JSON.parse(new TextDecoder().decode(data)) as { id: number; method: string };
    if (method !== 'hang') socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: url }));
  });
  return socket;
};

it('connects on request, and again after the connection was lost', async () => {
  const access = reachNode(addressOf());
  const first = nextClient();
  const one = await access.connect();
  expect(await access.connect()).toBe(one);
  expect(await one.request('path', [])).toBe('/?dialect=psp-6');
  const closed = new Promise((resolve) => one.onClose(resolve));
  const hanging = expect(one.request('hang', [])).rejects.toMatchObject({ code: 'Disconnected' });
  (await first).terminate();
  await hanging;
  expect(await closed).toMatchObject({ code: 'Disconnected' });
  const second = nextClient();
  const other = await access.connect();
  expect(other).not.toBe(one);
  const gone = once(await second, 'close');
  expect(await other.request('path', [])).toBe('/?dialect=psp-6');
  await access.stop();
  await gone;
});

it('keeps a requested dialect', async () => {
  const access = reachNode(addressOf('/?dialect=polkadot-sdk'));
  const client = nextClient();
  const connection = await access.connect();
  await client;
  expect(await connection.request('path', [])).toBe('/?dialect=polkadot-sdk');
  await access.stop();
});

it('reports that there is no node, and tries again', async () => {
  const empty = new WebSocketServer({ port: 0 });
  const { port } = empty.address() as { readonly port: number };
  empty.close();
  await once(empty, 'close');
  const access = reachNode(`ws://127.0.0.1:${port}`);
  const refused = { code: 'Disconnected', message: expect.stringContaining('cannot be reached') };
  await expect(access.connect()).rejects.toMatchObject(refused);
  await expect(access.connect()).rejects.toMatchObject(refused);
});

it('gives up on a server that accepts connections and never responds', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { readonly port: number };
  const access = reachNode(`ws://127.0.0.1:${port}`, { openMs: 1, pingMs: 1000 });
  await expect(access.connect()).rejects.toMatchObject({ code: 'Disconnected' });
  silent.close();
});

it('gives up on a node that stops during a call, and connects again', async () => {
  const access = reachNode(addressOf(), { openMs: 10_000, pingMs: 5 });
  const first = nextClient();
  const connection = await access.connect();
  await first;
  await expect(connection.request('hang', [])).rejects.toMatchObject({
    code: 'Disconnected',
    message: expect.stringContaining('has not responded for'),
  });
  const second = nextClient();
  expect(await access.connect()).not.toBe(connection);
  await second;
  await access.stop();
});

it('waits for a call as long as the node responds to pings', async () => {
  const access = reachNode(addressOf(), { openMs: 10_000, pingMs: 100 });
  const client = nextClient();
  const connection = await access.connect();
  const socket = await client;
  socket.on('ping', (data) => socket.pong(data));
  const hanging = connection.request('hang', []);
  for (let pings = 0; pings < 6; pings += 1) await once(socket, 'ping');
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'late' }));
  expect(await hanging).toBe('late');
  await access.stop();
});
