import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { hear } from '../src/protocol/hear.ts';
import type { ConnectOptions } from '../src/protocol/node.ts';
import type { PortNote } from '../src/protocol/port.ts';
import {
  admitPage,
  hardLimitOf,
  type Refusal,
  rateOf,
  requestDialect,
  tooBigText,
  tooMany,
} from './access.ts';
import type { DoorOptions, Listener } from './http-front.ts';
import type { Intake } from './intake.ts';
import type { OpenPort } from './local-ports.ts';
import { deniedTo } from './rights.ts';

/**
 * How much may wait for one client that does not read, and for all of them together, before one is let go.
 */
type BufferBounds = { readonly oneBytes: number; readonly allBytes: number };
const mebibyte = 1024 * 1024;
const defaultBounds: BufferBounds = { oneBytes: 64 * mebibyte, allBytes: 256 * mebibyte };
const pingEveryMs = 30_000;

type Pinged = WebSocket & { missedPings?: number };

const statusLines = { 400: '400 Bad Request', 403: '403 Forbidden', 429: '429 Too Many Requests' } as const;

const refuse = (stream: Duplex, { status, text }: Refusal): void => {
  const length = new TextEncoder().encode(text).length;
  // Whoever is refused is not waited for.
  stream.once('finish', () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${statusLines[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${text}`,
  );
};

/** How a connection is made for a request, or why it is refused. */
const admit = (
  request: IncomingMessage,
  listener: Listener,
  { dialect: fallback, rpc }: DoorOptions,
): ConnectOptions | Refusal => {
  const page = admitPage(request, rpc.cors);
  if (typeof page !== 'string') return page;
  const dialect = requestDialect(request, fallback);
  if (typeof dialect !== 'string') return dialect;
  return {
    dialect,
    denyUnsafe: deniedTo(page, listener, rpc.ws),
    transport: 'ws',
    limits: { ...rpc.limits, callsPerMinute: rateOf(request, rpc.rate) },
  };
};

/** Lets go of a client for which too much waits, or of the slowest when too much waits for all. */
type Relieve = (socket: WebSocket) => void;

const createRelief = (clients: ReadonlySet<WebSocket>, { oneBytes, allBytes }: BufferBounds): Relieve => {
  return (socket) => {
    if (socket.bufferedAmount > oneBytes) return socket.terminate();
    // The others are not counted with every message: what waits for this one hardly adds to it.
    if (socket.bufferedAmount < mebibyte) return;
    const open = [...clients].filter(({ readyState }) => readyState === socket.OPEN);
    const waiting = open.reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0);
    if (waiting <= allBytes) return;
    open.reduce((slowest, one) => (one.bufferedAmount > slowest.bufferedAmount ? one : slowest)).terminate();
  };
};

/**
 * Sends what the node has for a client. While `capacity` messages wait for the client to read, no further
 * request of it is read and the node is told, so that its subscriptions hold back (RPC.md §3.4).
 */
const createSender = (
  socket: WebSocket,
  capacity: number,
  relieve: Relieve,
  tell: (isBlocked: boolean) => void,
) => {
  let waiting = 0;
  let isBlocked = false;
  const update = (): void => {
    // What the system took at once is not waiting, though its callbacks are still to come.
    const isFull = waiting >= capacity && socket.bufferedAmount > 0;
    if (isFull === isBlocked) return;
    isBlocked = isFull;
    if (isBlocked) socket.pause();
    else socket.resume();
    tell(isBlocked);
  };
  const sent = (): void => {
    waiting -= 1;
    update();
  };
  return (data: string | readonly string[]): void => {
    for (const text of typeof data === 'string' ? [data] : data) {
      waiting += 1;
      socket.send(text, sent);
    }
    update();
    relieve(socket);
  };
};

/** Joins one socket and one port of the node; whichever closes takes the other with it. */
const join = async (
  openPort: OpenPort,
  socket: WebSocket,
  options: ConnectOptions,
  { limits: { maxRequestBytes }, messageBuffer }: DoorOptions['rpc'],
  relieve: Relieve,
): Promise<void> => {
  const early: string[] = [];
  let deliver = (text: string): void => void early.push(text);
  socket.on('message', (data: Uint8Array) => {
    if (data.length > maxRequestBytes) socket.send(tooBigText(maxRequestBytes));
    // A byte order mark is no JSON: it stays, to be refused.
    else deliver(new TextDecoder('utf-8', { ignoreBOM: true }).decode(data));
  });
  socket.on('error', () => socket.terminate());
  let port: MessagePort;
  try {
    port = await openPort(options);
  } catch {
    socket.close(1011, 'The node is gone');
    return;
  }
  const send = createSender(socket, messageBuffer, relieve, (isBlocked) =>
    port.postMessage({ note: 'blocked', isBlocked } satisfies PortNote),
  );
  hear(port, (data) => send(data as string | readonly string[]));
  deliver = (text) => port.postMessage(text);
  for (const text of early) deliver(text);
  const leave = (): void => port.postMessage({ note: 'bye' } satisfies PortNote);
  if (socket.readyState >= socket.CLOSING) leave();
  else socket.once('close', leave);
};

/**
 * Counts what comes in until it is a whole message. Only for a stream that is read already: this reads it
 * too.
 */
const countParts = (intake: Intake, socket: WebSocket, stream: Duplex): void => {
  const incoming = intake.open(() => socket.terminate());
  stream.on('data', (part: Uint8Array) => incoming.add(part.length));
  socket.on('message', incoming.clear);
  socket.once('close', incoming.clear);
};

/** Ends connections whose other side fell silent: after three unanswered pings, as the SDK does. */
const keepAlive = (server: WebSocketServer): (() => void) => {
  const timer = setInterval(() => {
    for (const socket of server.clients as Set<Pinged>) {
      socket.missedPings = (socket.missedPings ?? 0) + 1;
      if (socket.missedPings > 3) socket.terminate();
      else socket.ping();
    }
  }, pingEveryMs);
  server.on('connection', (socket: Pinged) => {
    socket.on('pong', () => {
      socket.missedPings = 0;
    });
  });
  return () => clearInterval(timer);
};

/**
 * Whether a request asks for a WebSocket; HTTP clients of Java offer `h2c` with each call and take an answer
 * as well.
 */
export const asksForWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '');

export type WsFront = {
  /**
   * Takes an upgrade request that came in by a listener; the connection gets a port of its own to the node.
   */
  upgrade(listener: Listener, request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** Says goodbye to every client. */
  close(): void;
};

export const createWsFront = (
  openPort: OpenPort,
  options: DoorOptions,
  bounds: BufferBounds = defaultBounds,
): WsFront => {
  const { rpc, admission, intake } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: hardLimitOf(rpc.limits.maxRequestBytes),
    perMessageDeflate: false,
  });
  const stopPings = keepAlive(sockets);
  const relieve = createRelief(sockets.clients, bounds);
  return {
    upgrade: (listener, request, stream, head) => {
      const admitted = admit(request, listener, options);
      if ('status' in admitted) return refuse(stream, admitted);
      const leave = admission.enter();
      if (leave === null) return refuse(stream, tooMany);
      stream.once('close', leave);
      if (stream.destroyed) leave();
      sockets.handleUpgrade(request, stream, head, (socket) => {
        sockets.emit('connection', socket, request);
        countParts(intake, socket, stream);
        void join(openPort, socket, admitted, rpc, relieve);
      });
    },
    close: () => {
      stopPings();
      for (const socket of sockets.clients) socket.close(1001, 'The node stops');
    },
  };
};
