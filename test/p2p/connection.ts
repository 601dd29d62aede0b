import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { peerIdEncode } from '../../worker/crypto/peer-id.ts';
import { connect } from '../../worker/network/transport/connect.ts';
import type {
  Connection,
  OpenOptions,
  Served,
  StreamEvents,
} from '../../worker/network/transport/connection.ts';
import { serveIdentify } from '../../worker/network/transport/identify.ts';
import { servePing, startPings } from '../../worker/network/transport/ping.ts';
import { dialWebSocket } from '../../worker/network/transport/web-socket.ts';

const schedule = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length));
const now = (): number => performance.now();

const requestMs = 20_000;

/** A connection that we dial, with protocols that are served from the beginning. */
export const createPeer = (secret: Uint8Array, onFault: (fault: unknown) => void) => {
  const publicKey = ed25519.getPublicKey(secret);
  const key = { publicKey, sign: (message: Uint8Array) => ed25519.sign(message, secret) };
  const served: Served[] = [servePing];
  const protocols = () => served.flatMap(({ names }) => names);
  served.push(
    serveIdentify(
      publicKey,
      () => ({ agent: 'tabnode', protocols: protocols(), addresses: [], observed: null }),
      schedule,
    ),
  );
  let connection: Connection | null = null;
  const connected = (): Connection => {
    if (connection === null) throw new Error('There is no connection');
    return connection;
  };
  return {
    peerId: peerIdEncode(publicKey),
    serve: (one: Served): void => void served.push(one),
    /** Resolves with the other side's peer id, which it has proven, and with the end of the connection. */
    dial: async (url: string): Promise<{ readonly remoteId: string; readonly ended: Promise<Error> }> => {
      connection = await connect(await dialWebSocket(url, { schedule }), {
        ...{ isDialer: true, key, schedule, random, now, onError: onFault },
        served: () => served,
        verify: (signature, message, signer) => ed25519.verify(signature, message, signer),
      });
      return { remoteId: connection.remoteId, ended: connection.closed.then((reason) => new Error(reason)) };
    },
    open: (name: string, options: OpenOptions, events: StreamEvents) =>
      connected().open([name], options, events),
    /** Sends one message and reads one. */
    request: (name: string, message: Uint8Array, maxBytes: number): Promise<Uint8Array> =>
      connected().request([name], message, { maxBytes, timeoutMs: requestMs }),
    /** Sends bytes that come back. Rejects unless they do. */
    ping: (): Promise<void> =>
      new Promise((resolve, reject) => {
        const stop = startPings(connected(), {
          ...{ schedule, now, random },
          onLatency: () => {
            stop();
            resolve();
          },
        });
        void connected().closed.then((reason) => reject(new Error(reason)));
      }),
    close: (): void => connection?.close('The test is over'),
  };
};

export type Peer = ReturnType<typeof createPeer>;
