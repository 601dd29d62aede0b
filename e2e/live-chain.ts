import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { type Ready, startProcess, type TestProcess } from '../bridge/clients/test-process.fixture.ts';

// A live chain for the tests of forks: `tabnode serve` with three blocks.

const live: TestProcess[] = [];

export const startLive = async (): Promise<Ready> => {
  const node = startProcess(
    'serve',
    '--json',
    '--dev',
    '--seal',
    'manual',
    '--ws-port',
    '0',
    '--rpc-port',
    '0',
  );
  live.push(node);
  const ready = JSON.parse(await node.firstLine) as Ready;
  for (let block = 0; block < 3; block++) await callHttp(ready.http, 'engine_createBlock', [true, true]);
  return ready;
};

/** Ends what was started; to be called after each test. */
export const endLive = async (): Promise<void> => {
  for (const node of live.splice(0)) {
    node.kill('SIGTERM');
    await node.ended;
  }
};

type Between = {
  /** Requests of this method get no response. */
  readonly held?: string;
  /** Latency that is added to each response. */
  readonly delayMs?: number;
};

/** Another name for the live chain's node, which the policy of a page allows only if its URL names it. */
export const startBetween = async (ws: string, { held, delayMs = 0 }: Between = {}) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (client) => {
    const node = new WebSocket(`${ws}/?dialect=polkadot-sdk`);
    const opened = once(node, 'open');
    client.on('close', () => node.close());
    client.on('message', async (data: Buffer) => {
      await opened;
      const { method } = JSON.parse(data.toString()) as { method: string };
      if (method !== held) node.send(data.toString());
    });
    node.on('message', (data: Buffer) => {
      const pass = () => client.send(data.toString());
      if (delayMs === 0) pass();
      else setTimeout(pass, delayMs);
    });
  });
  const close = (): void => {
    for (const client of server.clients) client.terminate();
    server.close();
  };
  return { url: `ws://node.localhost:${(server.address() as AddressInfo).port}/`, close };
};
