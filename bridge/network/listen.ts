import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { createListener, type Listener } from '../server/listener.ts';
import { tcpPort, webSocketPort } from './sockets.ts';

/** More than native nodes and smoldot put into one message. */
const maxPayload = 2 * 1024 * 1024;
const headersTimeoutMs = 10_000;

export type PeerServerOptions = {
  /** More sockets than this at a time are closed at once. */
  readonly maxSockets: number;
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
  const server = limit(
    createHttpServer({ headersTimeout: headersTimeoutMs }, (_request, response) => {
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
