import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { createListener, type Listener } from '../server/listener.ts';
import { tcpPort, webSocketPort } from './sockets.ts';

/** More than native nodes and smoldot put into one message. */
const maxPayload = 2 * 1024 * 1024;
/** Who says nothing for so long is cut off, so that silent ones do not keep others out. */
const standardSilenceMs = 10_000;

export type PeerServerOptions = {
  /** More sockets than this at a time are closed at once. */
  readonly maxSockets: number;
  readonly silenceMs?: number;
  /** Receives the port of each socket, and where it comes from. */
  readonly onPeer: (port: MessagePort, from: { readonly host: string; readonly port: number }) => void;
};

const fromOf = ({ remoteAddress = '', remotePort = 0 }: Socket) => ({
  host: remoteAddress,
  port: remotePort,
});

const limit = <T extends Server>(server: T, { maxSockets }: PeerServerOptions): T => {
  server.maxConnections = maxSockets;
  return server;
};

/** Accepts other nodes by TCP, `/ip4/…/tcp/…`. */
export const createTcpPeers = (options: PeerServerOptions): Listener =>
  createListener(
    limit(
      createTcpServer((socket) => options.onPeer(tcpPort(socket), fromOf(socket))),
      options,
    ),
  );

/**
 * Accepts other nodes by WebSocket, `/ip4/…/tcp/…/ws`, on any path. Native nodes know neither compression nor pings of
 * WebSockets.
 */
export const createWebSocketPeers = (options: PeerServerOptions): Listener => {
  const { silenceMs = standardSilenceMs } = options;
  // Node.js looks every 30 s otherwise.
  const timing = { headersTimeout: silenceMs, connectionsCheckingInterval: silenceMs / 5 };
  const server = limit(
    createHttpServer(timing, (_request, response) => {
      response.writeHead(426, { 'content-type': 'text/plain', connection: 'close' });
      response.end('This port is for other nodes, by WebSocket.\n');
    }),
    options,
  );
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload });
  sockets.on('connection', (socket, request) =>
    options.onPeer(webSocketPort(socket), fromOf(request.socket)),
  );
  // The listener below reports it.
  sockets.on('error', () => undefined);
  return createListener(server);
};
