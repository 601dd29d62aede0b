import type { WebSocket, WebSocketServer } from 'ws';

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
