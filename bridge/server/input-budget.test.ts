import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { toRpcSettings } from '../cli/rpc-settings.ts';
import { createAdmission } from './access.ts';
import { createHttpHandler } from './http-handler.ts';
import { createInputBudget } from './input-budget.ts';
import { createOutputBudget } from './output-budget.ts';
import { createWsHandler } from './ws-handler.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const mebibyte = 1024 * 1024;

/**
 * Both servers on one port, with a limit of 4 MiB for incomplete messages, and the messages that reach the
 * node.
 */
const listen = async () => {
  const heard: number[] = [];
  const rpc = toRpcSettings({}, 'psp-6');
  const options = {
    dialect: 'psp-6',
    rpc,
    admission: createAdmission(9),
    inputBudget: createInputBudget(4 * mebibyte),
    outputBudget: createOutputBudget(),
    directory: null,
  } as const;
  const open = async (): Promise<MessagePort> => {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (data: unknown) => typeof data === 'string' && heard.push(data.length));
    cleanups.push(() => port1.close());
    return port2 as unknown as MessagePort;
  };
  const calls = {
    call: async (_caller: unknown, text: string) => {
      heard.push(text.length);
      return 'called';
    },
    close: () => undefined,
  };
  const http = createHttpHandler(calls, options);
  const ws = createWsHandler(open, options);
  const server = createServer((request, response) => http({ denyUnsafe: false }, request, response));
  server.on('upgrade', (request, stream, head) => ws.upgrade({ denyUnsafe: false }, request, stream, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    ws.close();
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard };
};

const openSocket = async (port: number): Promise<WebSocket> => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(socket, 'open');
  cleanups.push(() => socket.terminate());
  return socket;
};

/** Resolves when the client is disconnected, including by a reset. */
const closing = (client: WebSocket | Socket): Promise<void> =>
  new Promise((resolve) => {
    client.on('error', () => undefined);
    client.once('close', () => resolve());
  });

/** Sends a part of a message; resolves once it has been sent. */
const sendPart = (socket: WebSocket, bytes: number, fin: boolean): Promise<void> =>
  new Promise((resolve, reject) =>
    socket.send('['.repeat(bytes), { fin, binary: false }, (error) => (error ? reject(error) : resolve())),
  );

/** Sends a request whose body is never completed. */
const postPart = async (port: number, bytes: number) => {
  const socket = connect(port, '127.0.0.1');
  cleanups.push(() => socket.destroy());
  const head = ['POST / HTTP/1.1', 'Host: 127.0.0.1', 'Content-Type: application/json', 'Connection: close'];
  socket.write([...head, `Content-Length: ${bytes + 1}`, '', '['.repeat(bytes)].join('\r\n'));
  return socket;
};

it('disconnects the client with the most incomplete data if the total exceeds the limit', async () => {
  const { port, heard } = await listen();
  const [small, large] = [await openSocket(port), await openSocket(port)];
  await sendPart(small, mebibyte, false);
  const closed = closing(large);
  void sendPart(large, 3.5 * mebibyte, false).catch(() => undefined);
  await closed;
  await sendPart(small, mebibyte, true);
  await expect.poll(() => heard).toEqual([2 * mebibyte]);
});

it('counts incomplete bodies and frames together, but not complete messages', async () => {
  const { port, heard } = await listen();
  const socket = await openSocket(port);
  for (let sent = 1; sent <= 4; sent++) {
    await sendPart(socket, 2 * mebibyte, true);
    await expect.poll(() => heard.length).toBe(sent);
  }
  await sendPart(socket, mebibyte, false);
  const slow = await postPart(port, 3.5 * mebibyte);
  await closing(slow);
  const next = await postPart(port, mebibyte);
  next.write(']');
  const [answer] = await once(next, 'data');
  expect(String(answer)).toContain('200 OK');
});
