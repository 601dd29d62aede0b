import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { hear } from '../src/protocol/hear.ts';
import type { ConnectOptions } from '../src/protocol/node.ts';
import type { PortNote } from '../src/protocol/port.ts';
import {
  hardLimitOf,
  hostRefusal,
  isAllowedHost,
  isAllowedOrigin,
  rateOf,
  requestDialect,
  tooBigText,
  tooManyText,
} from './access.ts';
import type { DoorOptions } from './http-front.ts';
import type { OpenPort } from './local-ports.ts';

/** A client that does not read its notifications is let go before they fill the memory. */
const maxBufferedBytes = 64 * 1024 * 1024;
const pingEveryMs = 30_000;

type Pinged = WebSocket & { missedPings?: number };

const refuse = (socket: import('node:stream').Duplex, status: string, text: string): void => {
  const length = new TextEncoder().encode(text).length;
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${text}`,
  );
};

/** Why a connection is refused, as an HTTP status and text; null when it is welcome. */
const refusalOf = (
  request: IncomingMessage,
  { dialect, rpc }: DoorOptions,
): readonly [status: string, text: string] | null => {
  if (!isAllowedHost(request.headers.host, rpc.cors)) return ['403 Forbidden', hostRefusal];
  if (!isAllowedOrigin(request.headers.origin, rpc.cors))
    return ['403 Forbidden', 'Origin of the request is not whitelisted.\n'];
  try {
    requestDialect(request, dialect);
    return null;
  } catch (error) {
    return ['400 Bad Request', `${error instanceof Error ? error.message : error}\n`];
  }
};

/**
 * Sends what the node has for a client. While `capacity` messages wait for the client to read, no further request of it
 * is read and the node is told, so that its subscriptions hold back (RPC.md §3.4).
 */
const createSender = (socket: WebSocket, capacity: number, tell: (isBlocked: boolean) => void) => {
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
    if (socket.bufferedAmount > maxBufferedBytes) socket.terminate();
  };
};

/** Joins one socket and one port of the node; whichever closes takes the other with it. */
const join = async (
  openPort: OpenPort,
  socket: WebSocket,
  options: ConnectOptions,
  { limits: { maxRequestBytes }, messageBuffer }: DoorOptions['rpc'],
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
  const send = createSender(socket, messageBuffer, (isBlocked) =>
    port.postMessage({ note: 'blocked', isBlocked } satisfies PortNote),
  );
  hear(port, (data) => send(data as string | readonly string[]));
  deliver = (text) => port.postMessage(text);
  for (const text of early) deliver(text);
  const leave = (): void => port.postMessage({ note: 'bye' } satisfies PortNote);
  if (socket.readyState >= socket.CLOSING) leave();
  else socket.once('close', leave);
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

/** A WebSocket server, not yet listening: each connection gets a port of its own to the node. */
export const createWsFront = (openPort: OpenPort, options: DoorOptions): Server => {
  const { rpc, admission } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: hardLimitOf(rpc.limits.maxRequestBytes),
    perMessageDeflate: false,
  });
  const stopPings = keepAlive(sockets);
  const server = createServer((_request, response) => {
    response.writeHead(426, { 'content-type': 'text/plain', upgrade: 'websocket' });
    response.end('This address speaks WebSocket.\n');
  });
  server.on('upgrade', (request, stream, head) => {
    const refusal = refusalOf(request, options);
    if (refusal !== null) {
      refuse(stream, ...refusal);
      return;
    }
    const leave = admission.enter();
    if (leave === null) {
      refuse(stream, '429 Too Many Requests', tooManyText);
      return;
    }
    stream.once('close', leave);
    const connect: ConnectOptions = {
      dialect: requestDialect(request, options.dialect),
      denyUnsafe: rpc.ws.denyUnsafe,
      transport: 'ws',
      limits: { ...rpc.limits, callsPerMinute: rateOf(request, rpc.rate) },
    };
    sockets.handleUpgrade(request, stream, head, (socket) => {
      sockets.emit('connection', socket, request);
      void join(openPort, socket, connect, rpc);
    });
  });
  server.on('close', stopPings);
  server.once('shutdown', () => {
    for (const socket of sockets.clients) socket.close(1001, 'The node stops');
  });
  return server;
};
