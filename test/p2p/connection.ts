import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { WebSocket } from 'ws';
import { equalBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { peerIdEncode } from '../../worker/crypto/peer-id.ts';
import { accept, propose } from './multistream.ts';
import { encodePublicKey, encrypt } from './noise.ts';
import { encodeFields } from './protobuf.ts';
import { type ByteStream, createInflow, readMessage, StreamEnd, withLength } from './streams.ts';
import { startYamux, type Yamux } from './yamux.ts';

/** Serves a stream that the other side has opened for a protocol. */
export type Handler = (stream: ByteStream) => Promise<void>;

const identifyProtocol = '/ipfs/id/1.0.0';
const pingProtocol = '/ipfs/ping/1.0.0';
const pingBytes = 32;

/** The bytes of a WebSocket. A native node accepts binary messages only, without compression. */
const openSocket = async (url: string): Promise<ByteStream> => {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const inflow = createInflow();
  socket.on('message', (data: Uint8Array) => inflow.push(new Uint8Array(data)));
  socket.on('close', () => inflow.end(new StreamEnd('The socket is closed')));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  return { send: (bytes) => socket.send(bytes), read: inflow.read, close: () => socket.close() };
};

const servePing: Handler = async (stream) => {
  for (;;) stream.send(await stream.read(pingBytes));
};

/**
 * A libp2p connection that we dial. Handlers serve the streams that the other side opens; what they throw is
 * a fault, unless the stream merely ended.
 */
export const createConnection = (secret: Uint8Array, onFault: (fault: unknown) => void) => {
  const publicKey = ed25519.getPublicKey(secret);
  const handlers = new Map<string, Handler>();
  let yamux: Yamux | null = null;
  let carrier: ByteStream | null = null;
  const note = (fault: unknown): void => {
    if (!(fault instanceof StreamEnd)) onFault(fault);
  };
  const serve = async (stream: ByteStream): Promise<void> => {
    const protocol = await accept(stream, (name) => handlers.has(name));
    await (protocol === null ? null : handlers.get(protocol)?.(stream));
  };
  const open = async (protocol: string): Promise<ByteStream> => {
    if (yamux === null) throw new Error('There is no connection');
    const stream = yamux.open();
    await propose(stream, protocol);
    return stream;
  };
  handlers.set(pingProtocol, servePing);
  handlers.set(identifyProtocol, async (stream) => {
    const names = [...handlers.keys()].map((name) => [3, textToBytes(name)] as const);
    const versions = [[5, textToBytes('/substrate/1.0')] as const, [6, textToBytes('tabnode')] as const];
    stream.send(withLength(encodeFields([1, encodePublicKey(publicKey)], ...names, ...versions)));
    stream.close();
  });
  return {
    peerId: peerIdEncode(publicKey),
    handle: (protocol: string, handler: Handler): void => void handlers.set(protocol, handler),
    /** Resolves with the other side's peer id, which it has proven, and with the end of the connection. */
    dial: async (url: string): Promise<{ readonly remoteId: string; readonly ended: Promise<Error> }> => {
      carrier = await openSocket(url);
      await propose(carrier, '/noise');
      const { stream, remoteKey } = await encrypt(carrier, secret);
      await propose(stream, '/yamux/1.0.0');
      yamux = startYamux(stream, true, (opened) => {
        serve(opened)
          .catch(note)
          .finally(() => opened.close());
      });
      return { remoteId: peerIdEncode(remoteKey), ended: yamux.ended };
    },
    open,
    /** Sends one message and reads one. */
    request: async (protocol: string, message: Uint8Array, maxBytes: number): Promise<Uint8Array> => {
      const stream = await open(protocol);
      stream.send(withLength(message));
      stream.close();
      return readMessage(stream, maxBytes);
    },
    /** Sends bytes that come back. Throws unless they do. */
    ping: async (): Promise<void> => {
      const stream = await open(pingProtocol);
      const bytes = new Uint8Array(randomBytes(pingBytes));
      stream.send(bytes);
      if (!equalBytes(bytes, await stream.read(pingBytes))) throw new Error('a ping came back altered');
      stream.close();
    },
    close: (): void => carrier?.close(),
  };
};

export type Connection = ReturnType<typeof createConnection>;
