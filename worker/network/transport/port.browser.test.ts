import { expect, test, vi } from 'vitest';
import { connect } from './connect.ts';
import type { Served } from './connection.ts';
import { baseOptions, keyOf, schedule } from './pair.fixture.ts';
import { portCarrier } from './port.ts';
import { dialWebSocket } from './web-socket.ts';

const echo: Served = {
  ...{ names: ['/echo/1'], maxMessageBytes: 1 << 24, priority: 'answer' },
  accept: (stream) => ({ message: (message) => void stream.send(message), end: () => stream.close() }),
};

test('a MessagePort carries a connection: what waits in it is acknowledged, and its end is told', async () => {
  const { port1, port2 } = new MessageChannel();
  const near = portCarrier(port1);
  const [dialing, listening] = await Promise.all([
    connect(near, { ...baseOptions, key: keyOf(1), isDialer: true }),
    connect(portCarrier(port2), { ...baseOptions, key: keyOf(2), isDialer: false, served: () => [echo] }),
  ]);
  const body = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 7 + (index >> 8)) & 255);
  const response = await dialing.request(['/echo/1'], body, { maxBytes: 1 << 24, timeoutMs: 20_000 });
  expect(response.length).toBe(body.length);
  expect(response.every((byte, at) => byte === body[at])).toBe(true);
  await vi.waitFor(() => expect(near.buffered()).toBeLessThan(64 * 1024));
  listening.close('The test is over');
  expect(await dialing.closed).toBe('The other side has ended the connection');
});

test('a port that carries something else ends the connection', async () => {
  const { port1, port2 } = new MessageChannel();
  const connection = connect(portCarrier(port1), { ...baseOptions, key: keyOf(1), isDialer: true });
  port2.postMessage({ some: 'object' });
  await expect(connection).rejects.toThrow('The other side sent something else than bytes');
});

test('a WebSocket that cannot be opened is an error', async () => {
  await expect(dialWebSocket('ws://127.0.0.1:1/', { schedule })).rejects.toMatchObject({
    code: 'PeerFailed',
    message: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:1\/ (cannot be reached|has refused)/),
  });
});
