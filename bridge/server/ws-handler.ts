import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ConnectOptions } from '../../src/protocol/node.ts';
import { isPortNote, onPortMessage, type PortNote } from '../../src/protocol/port.ts';
import { idAtEnds } from '../../src/protocol/request-ids.ts';
import {
  admitPage,
  deniedTo,
  hardLimitOf,
  type Refusal,
  rateOf,
  refuseUpgrade,
  requestDialect,
  targetOf,
  tooBigText,
  tooMany,
} from './access.ts';
import type { HandlerOptions, ListenerRights } from './http-handler.ts';
import type { InputBudget } from './input-budget.ts';
import type { OpenPort, PortClient } from './local-ports.ts';
import { createPause, createSender, openOutgoing } from './ws-sender.ts';

type Pinged = WebSocket & { missedPings?: number };

const pingEveryMs = 30_000;

/**
 * Closes connections whose other side is silent after three unanswered pings, as the SDK does. Returns the
 * function that stops it.
 */
export const keepAlive = (server: WebSocketServer, everyMs = pingEveryMs): (() => void) => {
  const timer = setInterval(() => {
    for (const socket of server.clients as Set<Pinged>) {
      socket.missedPings = (socket.missedPings ?? 0) + 1;
      if (socket.missedPings > 3) socket.terminate();
      else socket.ping();
    }
  }, everyMs);
  server.on('connection', (socket: Pinged) => {
    socket.on('pong', () => {
      socket.missedPings = 0;
    });
  });
  return () => clearInterval(timer);
};

/** What fits into one line of the page's list of clients. */
const maxAgentLength = 60;

type Admitted = { readonly options: ConnectOptions; readonly client: PortClient };

/** The options for a connection, or why it is refused. */
const admit = (
  request: IncomingMessage,
  listener: ListenerRights,
  { dialect: fallback, rpc, directory }: HandlerOptions,
): Admitted | Refusal => {
  const page = admitPage(request, rpc.cors);
  if (typeof page !== 'string') return page;
  const dialect = requestDialect(request, fallback);
  if (typeof dialect !== 'string') return dialect;
  const node = directory?.find(targetOf(request).path) ?? '';
  if (typeof node !== 'string') return node;
  const { origin = null, 'user-agent': agent } = request.headers;
  return {
    options: {
      dialect,
      denyUnsafe: deniedTo(page, listener, rpc.ws),
      transport: 'ws',
      limits: { ...rpc.limits, callsPerMinute: rateOf(request, rpc.rate) },
    },
    client: { transport: 'ws', origin, agent: agent?.slice(0, maxAgentLength) ?? null, node },
  };
};

/** Keeps a byte order mark, so that the text is refused: it is not valid JSON. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const decode = (data: Uint8Array): string => decoder.decode(data);

/** More bytes than the beginning or the end of a call has that contains its id. */
const endBytes = 200;
/** The id of a call that is too large to be read, as JSON. */
const idInBytes = (data: Uint8Array): string =>
  idAtEnds(decode(data.subarray(0, endBytes)) + decode(data.subarray(-endBytes))) ?? 'null';

/** Connects a socket with a port of the node. Closing either closes the other. */
const join = async (
  openPort: OpenPort,
  { socket, stream }: { readonly socket: WebSocket; readonly stream: Duplex },
  { options, client }: Admitted,
  { rpc: { limits, messageBuffer }, outputBudget }: HandlerOptions,
): Promise<void> => {
  const { maxRequestBytes } = limits;
  const early: string[] = [];
  let deliver = (text: string): void => void early.push(text);
  socket.on('message', (data: Uint8Array) => {
    if (data.length > maxRequestBytes) socket.send(tooBigText(maxRequestBytes, idInBytes(data)));
    else deliver(decode(data));
  });
  socket.on('error', () => socket.terminate());
  let port: MessagePort;
  try {
    port = await openPort(options, client);
  } catch {
    socket.close(1011, 'The node is gone');
    return;
  }
  const pause = createPause(socket);
  const notifyNode = (note: PortNote): void => port.postMessage(note);
  const outgoing = openOutgoing(outputBudget, socket);
  const send = createSender({
    socket,
    stream,
    capacity: messageBuffer,
    outputBudget,
    outgoing,
    notifyNode,
    pause,
  });
  let reason = 'The node stops';
  onPortMessage(port, (data) => {
    if (typeof data === 'string' || Array.isArray(data)) send(data as string | readonly string[]);
    // Behind a bridge, the page may be receiving more requests than it can read.
    else if (isPortNote(data) && data.note === 'blocked') pause('requests', data.isBlocked);
    else if (isPortNote(data) && data.note === 'bye') reason = data.reason ?? reason;
  });
  deliver = (text) => port.postMessage(text);
  for (const text of early) deliver(text);
  port.addEventListener('close', () => socket.close(1001, reason));
  const leave = (): void => port.postMessage({ note: 'bye' } satisfies PortNote);
  if (socket.readyState >= socket.CLOSING) leave();
  else socket.once('close', leave);
};

/**
 * Counts the received bytes until the message is complete. Use only on a stream that is already being read,
 * because a `data` listener also starts reading.
 */
const countParts = (inputBudget: InputBudget, socket: WebSocket, stream: Duplex): void => {
  const incoming = inputBudget.open(() => socket.terminate());
  stream.on('data', (part: Uint8Array) => incoming.add(part.length));
  socket.on('message', incoming.clear);
  socket.once('close', incoming.clear);
};

/**
 * Whether a request asks for a WebSocket. Java HTTP clients offer `h2c` with each call, but accept a plain
 * response.
 */
export const isWebSocketUpgrade = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /^websocket$/i.test(headers.upgrade ?? '');

export type WsHandler = {
  /** Handles an upgrade request that arrived at a listener. Each connection gets its own port to the node. */
  upgrade(listener: ListenerRights, request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** Closes the connections of all clients. */
  close(): void;
};

export const createWsHandler = (openPort: OpenPort, options: HandlerOptions): WsHandler => {
  const { rpc, admission, inputBudget } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: hardLimitOf(rpc.limits.maxRequestBytes),
    perMessageDeflate: false,
  });
  const stopPings = keepAlive(sockets);
  return {
    upgrade: (listener, request, stream, head) => {
      const admitted = admit(request, listener, options);
      if ('status' in admitted) return refuseUpgrade(stream, admitted);
      const leave = admission.enter();
      if (leave === null) return refuseUpgrade(stream, tooMany);
      stream.once('close', leave);
      if (stream.destroyed) leave();
      sockets.handleUpgrade(request, stream, head, (socket) => {
        sockets.emit('connection', socket, request);
        countParts(inputBudget, socket, stream);
        void join(openPort, { socket, stream }, admitted, options);
      });
    },
    close: () => {
      stopPings();
      for (const socket of sockets.clients) socket.close(1001, 'The node stops');
    },
  };
};
