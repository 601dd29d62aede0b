import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf } from '../clients/test-clients.fixture.ts';
import { startServe } from '../clients/test-process.fixture.ts';

const places = 30;
let node: Awaited<ReturnType<typeof startServe>>;
beforeAll(async () => {
  node = await startServe('--tmp', '--seal', 'manual', '--rpc-max-connections', `${places}`);
});
afterAll(async () => {
  node.kill('SIGTERM');
  expect((await node.ended).code).toBe(0);
});

const body = bodyOf('system_name');
const call = [
  'POST / HTTP/1.1',
  'Host: 127.0.0.1',
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n');
const upgrade = [
  'GET / HTTP/1.1',
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '',
  '',
].join('\r\n');

/** Sends the whole text at once and disconnects immediately. */
const leaveEarly = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(node.ready.http).port), '127.0.0.1', () => {
      socket.write(text, () => socket.resetAndDestroy());
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });

/** How many WebSockets can be open at the same time. */
const countPlaces = async (): Promise<number> => {
  const port = Number(new URL(node.ready.ws).port);
  const opened = await Promise.all(
    Array.from(
      { length: places },
      () =>
        new Promise<{ readonly isIn: boolean; readonly leave: () => Promise<unknown> }>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => socket.write(upgrade));
          socket.once('error', reject);
          socket.once('data', (data) => {
            const isIn = data.toString().startsWith('HTTP/1.1 101');
            resolve({ isIn, leave: () => once(socket.destroy(), 'close') });
          });
        }),
    ),
  );
  await Promise.all(opened.map(({ leave }) => leave()));
  return opened.filter(({ isIn }) => isIn).length;
};

it.each([
  ['two calls and an upgrade', call + call + upgrade],
  ['three calls', call + call + call],
])('a client that disconnects after sending %s does not occupy a connection', async (_, text) => {
  await Promise.all(Array.from({ length: 10 }, () => leaveEarly(text)));
  await expect.poll(countPlaces).toBe(places);
});
