import type { Connection } from '../../worker/network/transport/connection.ts';
import { bulkBytes, dialEndpoint, echoName, receiveBulk, sendBulk } from '../network/endpoint.ts';

/** Milliseconds of a WebSocket alone and of a connection over one: per request of 1 KiB, and for all bulk messages. */
export type TransportTimes = Record<
  'echo' | 'up' | 'down',
  { readonly bare: number; readonly own: number }[]
>;

export type TransportTask = {
  readonly bare: string;
  readonly own: string;
  readonly requests: number;
  readonly messages: number;
  readonly rounds: number;
};

const openBare = (url: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => resolve(socket);
    socket.onerror = () => reject(new Error(`${url} cannot be reached`));
  });

/** Resolves when so many messages have come. */
const arrive = (socket: WebSocket, count: number): Promise<void> =>
  new Promise((resolve) => {
    let left = count;
    socket.onmessage = () => {
      left--;
      if (left === 0) resolve();
    };
  });

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

const kibibyte = new Uint8Array(1024).fill(7);
const bulk = new Uint8Array(bulkBytes);

const echoBare = async (socket: WebSocket, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) {
    const back = arrive(socket, 1);
    socket.send(kibibyte);
    await back;
  }
};

const echoOwn = async (connection: Connection, count: number): Promise<void> => {
  const limits = { maxBytes: bulkBytes, timeoutMs: 10_000 };
  for (let at = 0; at < count; at++) await connection.request([echoName], kibibyte, limits);
};

/** The server counts what follows `up N`, and then sends a message; after `down N`, it sends as many. */
const bulkBare = (socket: WebSocket, way: 'up' | 'down', count: number): Promise<void> => {
  const done = arrive(socket, way === 'up' ? 1 : count);
  socket.send(`${way} ${count}`);
  if (way === 'up') for (let at = 0; at < count; at++) socket.send(bulk);
  return done;
};

/** One after the other in each round, so that other load on the machine affects both. */
const measure = async ({ bare, own, requests, messages, rounds }: TransportTask): Promise<TransportTimes> => {
  const [socket, connection] = [await openBare(bare), await dialEndpoint(own, 1)];
  const times: TransportTimes = { echo: [], up: [], down: [] };
  for (let round = 0; round < rounds; round++) {
    times.echo.push({
      bare: (await timed(() => echoBare(socket, requests))) / requests,
      own: (await timed(() => echoOwn(connection, requests))) / requests,
    });
    times.up.push({
      bare: await timed(() => bulkBare(socket, 'up', messages)),
      own: await sendBulk(connection, messages),
    });
    times.down.push({
      bare: await timed(() => bulkBare(socket, 'down', messages)),
      own: await receiveBulk(connection, messages),
    });
  }
  socket.close();
  connection.close('The benchmark is over');
  return times;
};

addEventListener('message', ({ data }: MessageEvent<TransportTask>) => {
  measure(data).then(
    (times) => postMessage({ times }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
