import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createAdmission } from './access.ts';
import { toRpcSettings } from './rpc-settings.ts';
import { createWsFront } from './ws-front.ts';

type Noted = (data: unknown) => void;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const openFront = async (onNode: Noted) => {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onNode);
  const rpc = toRpcSettings({ 'rpc-message-buffer-capacity-per-connection': '4' }, 'psp-6');
  const front = createWsFront(async () => port2 as unknown as MessagePort, {
    dialect: 'psp-6',
    rpc,
    admission: createAdmission(1),
  });
  const server = createServer();
  server.on('upgrade', (request, stream, head) =>
    front.upgrade({ denyUnsafe: false }, request, stream, head),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.once('open', resolve));
  cleanups.push(() => {
    socket.terminate();
    front.close();
    server.close();
    port1.close();
  });
  return { node: port1, socket, address };
};

it('tells the node of a client that does not read, and when it reads again', async () => {
  const noted: unknown[] = [];
  let wake: () => void = () => undefined;
  const { node, socket } = await openFront((data) => {
    noted.push(data);
    wake();
  });
  const count = (length: number): Promise<void> =>
    new Promise((resolve) => {
      wake = () => noted.length >= length && resolve();
      wake();
    });
  socket.pause();
  for (let sent = 0; sent < 40; sent++) node.postMessage('x'.repeat(512 * 1024));
  await count(1);
  expect(noted).toEqual([{ note: 'blocked', isBlocked: true }]);
  socket.resume();
  await count(2);
  expect(noted[1]).toEqual({ note: 'blocked', isBlocked: false });
});

it('holds requests of a client back while it does not read answers', async () => {
  const texts: unknown[] = [];
  let wake: () => void = () => undefined;
  const { node, socket } = await openFront((data) => {
    texts.push(data);
    wake();
  });
  socket.pause();
  for (let sent = 0; sent < 40; sent++) node.postMessage('x'.repeat(512 * 1024));
  await new Promise<void>((resolve) => {
    wake = () => texts.length > 0 && resolve();
    wake();
  });
  socket.send('held back');
  socket.resume();
  await new Promise<void>((resolve) => {
    wake = () => texts.includes('held back') && resolve();
    wake();
  });
  expect(texts.at(-1)).toBe('held back');
  expect(texts).toContainEqual({ note: 'blocked', isBlocked: false });
});

it('has places for so many connections only', async () => {
  const { address } = await openFront(() => undefined);
  const second = new WebSocket(address);
  await expect(new Promise((_resolve, reject) => second.once('error', reject))).rejects.toThrow('429');
});
