import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hashCall, list, messageOf, open, send, token, usual } from './http.fixture.ts';

it('refuses requests above its limit, and accepts them again afterwards', async () => {
  const waiting: ((value: unknown) => void)[] = [];
  let arrived = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const request = (): Promise<unknown> =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 2) arrived();
    });
  const listener = await open(request, { maxRequests: 2 });
  onTestFinished(listener.close);
  const two = [send(listener.url, hashCall), send(listener.url, hashCall)];
  await all;
  expect(await send(listener.url, list)).toMatchObject({ status: 429 });
  for (const resolve of waiting) resolve('0x12');
  expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await send(listener.url, list)).toMatchObject({ status: 200 });
});

it('cancels the work of a 2026-07-28 client that disconnects', async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const listener = await open((_method, _params, options) => {
    begun.resolve(options?.signal as AbortSignal);
    return new Promise(() => undefined);
  });
  onTestFinished(listener.close);
  const version = '2026-07-28';
  const body = messageOf('tools/call', {
    name: 'rpc_call',
    arguments: { method: 'chain_getBlockHash' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  });
  const left = new AbortController();
  const headers = {
    ...usual,
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': 'rpc_call',
  };
  const fetching = fetch(listener.url, { method: 'POST', headers, body, signal: left.signal });
  fetching.catch(() => undefined);
  const signal = await Promise.race([begun.promise, fetching.then(async (answered) => answered.text())]);
  expect(signal).toBeInstanceOf(AbortSignal);
  const aborted = once(signal as AbortSignal, 'abort');
  left.abort();
  await aborted;
});

describe('slow clients', () => {
  const closed = (socket: Socket): Promise<unknown> => {
    socket.on('error', () => undefined).resume();
    return once(socket, 'close');
  };

  it('disconnects clients that send nothing or an incomplete request, while others are served', async () => {
    const listener = await open(async () => '0x12', { requestMs: 400 });
    onTestFinished(listener.close);
    const port = Number(new URL(listener.url).port);
    const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n`;
    const starts = ['', 'POST /mcp', head, `${head}content-length: 1000\r\n\r\n{"jsonrpc"`];
    const sockets = Array.from({ length: 200 }, (_, index) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(starts[index % starts.length] as string);
      return socket;
    });
    const ended = Promise.all(sockets.map(closed));
    expect((await send(listener.url, hashCall)).status).toBe(200);
    await ended;
    expect((await send(listener.url, hashCall)).status).toBe(200);
  });
});

it('closes while a request is in progress', async () => {
  const begun = Promise.withResolvers<void>();
  const listener = await open(() => {
    begun.resolve();
    return new Promise(() => undefined);
  });
  const lost = expect(send(listener.url, hashCall)).rejects.toThrow();
  await begun.promise;
  await listener.close();
  await lost;
});
