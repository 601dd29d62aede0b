import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { callSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, post } from '../clients/test-clients.fixture.ts';
import { startServe } from '../clients/test-process.fixture.ts';
import { openTcp, untilEnd, untilSaid, upgradeHead } from './attacks.fixture.ts';

const mebibyte = 1024 * 1024;
const startNode = async () => {
  const node = await startServe('--dev', '--seal', 'manual');
  onTestFinished(async () => {
    node.kill('SIGTERM');
    await node.ended;
  });
  return node;
};

const connectTo = async (address: string): Promise<WebSocket> => {
  const socket = new WebSocket(address, { maxPayload: 16 * mebibyte });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  socket.on('error', () => undefined);
  return socket;
};

/** The most memory that a process has had so far, in bytes. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** The head of a masked text frame of 48 MiB. */
const frameHead = Uint8Array.of(0x81, 0xff, 0, 0, 0, 0, 0x03, 0, 0, 0, 1, 2, 3, 4);

/** Resolves when the system takes no more of it, or the server has ended the connection. */
const pour = (socket: Socket, data: Uint8Array): Promise<unknown> =>
  Promise.race([
    new Promise((sent) => socket.write(data, sent)),
    new Promise((ended) => socket.once('close', ended)),
  ]);

it.skipIf(!existsSync('/proc/self/status'))(
  '60 clients that read nothing, each with 300 large results, and 20 half frames of 48 MiB',
  { timeout: 240_000 },
  async () => {
    const node = await startNode();
    const { ws, http } = node.ready;
    await callSocket(ws, 'state_getMetadata');
    const before = peakOf(node.pid);

    const silent = await Promise.all(Array.from({ length: 60 }, () => connectTo(ws)));
    for (const socket of silent) {
      socket.pause();
      for (let id = 1; id <= 300; id++) socket.send(bodyOf('state_getMetadata', [], id));
    }
    // Responses to these come after the node has taken what the silent clients sent.
    for (let round = 0; round < 20; round++) {
      expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
      expect((await post(http, bodyOf('system_chain'))).status).toBe(200);
    }
    // 64 MiB wait at the most; the rest is garbage of the results, which each exist three times for a moment.
    expect((peakOf(node.pid) - before) / mebibyte).toBeLessThan(400);

    const halves = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await openTcp(ws);
        onTestFinished(() => void socket.destroy());
        socket.write(upgradeHead());
        await untilSaid(socket, '\r\n\r\n');
        void untilEnd(socket);
        return socket;
      }),
    );
    const half = new Uint8Array(24 * mebibyte);
    half.set(frameHead);
    await Promise.all(halves.map((socket) => pour(socket, half)));
    expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
    expect(halves.filter(({ closed, destroyed }) => closed || destroyed).length).toBeGreaterThan(5);
    expect((peakOf(node.pid) - before) / mebibyte).toBeLessThan(900);
  },
);

it.skipIf(!existsSync('/proc/self/status'))(
  '60 clients that read nothing, each with 200 large results over HTTP, one request behind another',
  { timeout: 240_000 },
  async () => {
    const node = await startNode();
    const { http } = node.ready;
    const text = bodyOf('state_getPairs', ['0x']);
    await post(http, text);
    const before = peakOf(node.pid);
    const request = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    for (let client = 0; client < 60; client++) {
      const socket = await openTcp(http);
      onTestFinished(() => void socket.destroy());
      socket.pause();
      socket.write(request.repeat(200));
    }
    for (let round = 0; round < 20; round++)
      expect((await post(http, bodyOf('system_chain'))).status).toBe(200);
    // One result of 1.6 MB for each at the most.
    expect((peakOf(node.pid) - before) / mebibyte).toBeLessThan(600);
  },
);

it('a client that reads gets every result of a burst, however large they are together', {
  timeout: 240_000,
}, async () => {
  const { ready } = await startNode();
  const socket = await connectTo(ready.ws);
  const count = 500;
  let closed: string | null = null;
  let bytes = 0;
  let nextId = 1;
  const all = new Promise<void>((resolve) => {
    socket.on('close', (code, reason) => {
      closed = `${code} ${reason}`;
      resolve();
    });
    socket.on('message', (data: Uint8Array) => {
      const head = new TextDecoder().decode(data.subarray(0, 60));
      if (head.startsWith(`{"jsonrpc":"2.0","id":${nextId},"result":[[`)) nextId += 1;
      bytes += data.length;
      if (nextId > count) resolve();
    });
  });
  for (let id = 1; id <= count; id++) socket.send(bodyOf('state_getPairs', ['0x'], id));
  await all;
  expect({ closed, answered: nextId - 1 }).toEqual({ closed: null, answered: count });
  expect(bytes).toBeGreaterThan(count * mebibyte);
});
