import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { toRpcSettings } from '../cli/rpc-settings.ts';
import { createAdmission } from './access.ts';
import { createInputBudget } from './input-budget.ts';
import { createOutputBudget, type OutgoBounds } from './output-budget.ts';
import { createWsHandler } from './ws-handler.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

type OpenPort = Parameters<typeof createWsHandler>[0];

/** The address of a listening server. */
const listen = async (openPort: OpenPort, places: number, bounds?: OutgoBounds): Promise<string> => {
  const rpc = toRpcSettings({ 'rpc-message-buffer-capacity-per-connection': '4' }, 'psp-6');
  const admission = createAdmission(places);
  const front = createWsHandler(openPort, {
    dialect: 'psp-6',
    rpc,
    admission,
    inputBudget: createInputBudget(),
    outputBudget: createOutputBudget(bounds),
    directory: null,
  });
  const server = createServer();
  server.on('upgrade', (request, stream, head) =>
    front.upgrade({ denyUnsafe: false }, request, stream, head),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    front.close();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const connectTo = async (address: string): Promise<WebSocket> => {
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.once('open', resolve));
  cleanups.push(() => socket.terminate());
  return socket;
};

/**
 * A client of a server, the server's notes to the node, and a function that waits for a condition on them.
 */
const openFront = async () => {
  const { port1, port2 } = new MessageChannel();
  const told: unknown[] = [];
  let wake = (): void => undefined;
  port1.on('message', (data: unknown) => {
    told.push(data);
    wake();
  });
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      wake = () => holds() && resolve();
      wake();
    });
  cleanups.push(() => port1.close());
  const address = await listen(async () => port2 as unknown as MessagePort, 1);
  const fill = (): void => {
    for (let sent = 0; sent < 40; sent++) port1.postMessage('x'.repeat(512 * 1024));
  };
  return { told, until, fill, socket: await connectTo(address), address };
};

it('notifies the node when a client stops reading, and when it reads again', async () => {
  const { told, until, fill, socket } = await openFront();
  socket.pause();
  fill();
  await until(() => told.length > 1);
  expect(told).toEqual([
    { note: 'full', isFull: true },
    { note: 'blocked', isBlocked: true },
  ]);
  socket.resume();
  await until(() => told.length > 3);
  expect(told.slice(2)).toEqual([
    { note: 'blocked', isBlocked: false },
    { note: 'full', isFull: false },
  ]);
});

it('disconnects a client with a code and the reason if it can still read them', async () => {
  const { port1, port2 } = new MessageChannel();
  cleanups.push(() => port1.close());
  const bounds = { oneBytes: 30 * 1024 * 1024, allBytes: 64 * 1024 * 1024 };
  const socket = await connectTo(await listen(async () => port2 as unknown as MessagePort, 1, bounds));
  socket.pause();
  const blocked = new Promise<void>((resolve) => {
    let count = 0;
    port1.on('message', ({ note }: { note?: string }) => {
      if (note === 'full') port1.postMessage('x'.repeat(1024 * 1024));
      count += 1;
      if (count === 2) resolve();
    });
  });
  const closed = new Promise((resolve) =>
    socket.once('close', (code, reason) => resolve(`${code} ${reason}`)),
  );
  for (let sent = 0; sent < 45; sent++) port1.postMessage('x'.repeat(1024 * 1024));
  await blocked;
  socket.resume();
  expect(await closed).toBe('1008 Too much waits to be sent to this client');
});

it('does not read further requests of a client that does not read responses', async () => {
  const { told, until, fill, socket } = await openFront();
  socket.pause();
  fill();
  await until(() => told.length > 1);
  socket.send('held back');
  socket.resume();
  await until(() => told.includes('held back'));
  expect(told.at(-1)).toBe('held back');
  expect(told).toContainEqual({ note: 'blocked', isBlocked: false });
});

it('disconnects the slowest client if too much is queued for all clients', async () => {
  const mebibyte = 1024 * 1024;
  const ends: { readonly port: MessagePort; readonly left: Promise<void> }[] = [];
  const openPort = async (): Promise<MessagePort> => {
    const { port1, port2 } = new MessageChannel();
    const left = new Promise<void>((resolve) => {
      port1.on('message', ({ note }: { note?: string }) => note === 'bye' && resolve());
    });
    ends.push({ port: port1 as unknown as MessagePort, left });
    cleanups.push(() => port1.close());
    return port2 as unknown as MessagePort;
  };
  const address = await listen(openPort, 2, { oneBytes: 64 * mebibyte, allBytes: 42 * mebibyte });
  const sockets = [await connectTo(address), await connectTo(address)] as const;
  const texts = sockets.map((socket) => {
    let count = 0;
    socket.on('message', () => {
      count += 1;
    });
    socket.pause();
    return () => count;
  });
  const send = (end: number, count: number): void => {
    for (let sent = 0; sent < count; sent++) ends[end]?.port.postMessage('x'.repeat(mebibyte));
  };
  // The socket buffers of the system hold less than 10 MiB of it.
  send(0, 40);
  send(1, 24);
  await ends[0]?.left;
  const [slow, quick] = sockets;
  const closed = new Promise((resolve) => slow.once('close', resolve));
  slow.resume();
  await closed;
  expect(texts[0]?.()).toBeLessThan(40);
  quick.resume();
  await expect.poll(() => texts[1]?.()).toBe(24);
  expect(quick.readyState).toBe(WebSocket.OPEN);
});

it('limits the number of connections', async () => {
  const { address } = await openFront();
  const second = new WebSocket(address);
  await expect(new Promise((_resolve, reject) => second.once('error', reject))).rejects.toThrow('429');
});
