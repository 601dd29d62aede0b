import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { openSocket } from '../clients/socket-clients.fixture.ts';
import { openTcp, untilEnd, upgradeHead } from './attacks.fixture.ts';
import { keepAlive } from './ws-handler.ts';

it('closes a half-open connection, whose other side is silent, and no other', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const stop = keepAlive(server, 100);
  onTestFinished(stop);
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // This client replies to pings, as every client library does by default.
  const alive = await openSocket(address);
  const silent = await openTcp(address);
  silent.write(upgradeHead());
  expect(await untilEnd(silent)).toContain('101 Switching Protocols');
  expect(alive.readyState).toBe(alive.OPEN);
  alive.terminate();
});
