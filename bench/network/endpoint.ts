import { ed25519 } from '@noble/curves/ed25519.js';
import { connect } from '../../worker/network/transport/connect.ts';
import type {
  Connection,
  ConnectOptions,
  NodeKey,
  Served,
} from '../../worker/network/transport/connection.ts';
import { dialWebSocket } from '../../worker/network/transport/web-socket.ts';

export const keyOf = (seed: number): NodeKey => {
  const secret = new Uint8Array(32);
  new DataView(secret.buffer).setUint32(0, seed + 1);
  return { publicKey: ed25519.getPublicKey(secret), sign: (message) => ed25519.sign(message, secret) };
};

export const schedule = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** What an end of a connection needs besides its key. A connection without streams stays open. */
export const endpointOptions = (served: readonly Served[]): Omit<ConnectOptions, 'isDialer' | 'key'> => ({
  verify: (signature, message, publicKey) => ed25519.verify(signature, message, publicKey),
  served: () => served,
  schedule,
  now: () => performance.now(),
  random: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
  idleMs: null,
});

/** Connects with a node by WebSocket, without being a peer of its chain. */
export const dialEndpoint = async (
  url: string,
  seed: number,
  served: readonly Served[] = [],
): Promise<Connection> =>
  connect(await dialWebSocket(url, { schedule }), {
    ...endpointOptions(served),
    isDialer: true,
    key: keyOf(seed),
  });

export const echoName = '/bench/echo/1';
export const sinkName = '/bench/sink/1';
export const sourceName = '/bench/source/1';
/** As large as a response of 64 blocks of 100 transfers. */
export const bulkBytes = 1024 * 1024;

/** Sends back messages; takes in as many bulk messages as the first one says, and sends out as many. */
export const benchProtocols: readonly Served[] = [
  {
    ...{ names: [echoName], maxMessageBytes: bulkBytes, priority: 'answer' },
    accept: (stream) => ({
      message: (message) => {
        stream.send(message);
        stream.close();
      },
      end: () => undefined,
    }),
  },
  {
    ...{ names: [sinkName], maxMessageBytes: bulkBytes, priority: 'answer' },
    accept: (stream) => {
      let left = -1;
      return {
        message: (message) => {
          left = left < 0 ? new DataView(message.buffer, message.byteOffset).getUint32(0) : left - 1;
          if (left === 0) stream.send(Uint8Array.of(1));
        },
        end: () => undefined,
      };
    },
  },
  {
    ...{ names: [sourceName], maxMessageBytes: 4, priority: 'answer' },
    accept: (stream) => ({
      message: (message) => {
        let left = new DataView(message.buffer, message.byteOffset).getUint32(0);
        const bytes = new Uint8Array(bulkBytes);
        const send = (): void => {
          while (left > 0 && stream.send(bytes)) left--;
          if (left > 0) setTimeout(send, 1);
        };
        send();
      },
      end: () => undefined,
    }),
  },
];

const countOf = (count: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, count);
  return bytes;
};

/** Milliseconds until the other end has taken so many bulk messages. */
export const sendBulk = (connection: Connection, count: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    const stream = connection.open(
      [sinkName],
      { maxMessageBytes: 1, priority: 'answer', first: countOf(count) },
      {
        message: () => {
          resolve(performance.now() - from);
          stream.reset();
        },
        end: (reason) => reject(new Error(`The stream has ended: ${reason}`)),
      },
    );
    const bytes = new Uint8Array(bulkBytes);
    let left = count;
    const send = (): void => {
      while (left > 0 && stream.send(bytes)) left--;
      if (left > 0) setTimeout(send, 1);
    };
    send();
  });

/** Milliseconds until so many bulk messages have arrived. */
export const receiveBulk = (connection: Connection, count: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    let left = count;
    const stream = connection.open(
      [sourceName],
      { maxMessageBytes: bulkBytes, priority: 'answer', first: countOf(count) },
      {
        message: () => {
          left--;
          if (left > 0) return;
          resolve(performance.now() - from);
          stream.reset();
        },
        end: (reason) => reject(new Error(`The stream has ended: ${reason}`)),
      },
    );
  });
