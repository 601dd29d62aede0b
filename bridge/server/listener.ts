import type { AddressInfo, Server, Socket } from 'node:net';
import { NodeError } from '../../src/protocol/errors.ts';

/** A listening server socket. */
export type Listener = {
  /** Resolves to `HOST:PORT`; rejects with `BadConfig` if the port cannot be opened. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  close(): Promise<void>;
};

/** How long clients have to close their connections before they are terminated. */
const graceMs = 200;

/** Opens and closes a server of HTTP or TCP. Errors of client sockets never end the process. */
export const createListener = (server: Server): Listener => {
  const sockets = new Set<Socket>();
  // Node.js removes its own error listener from an upgraded socket, and an unhandled error would end the
  // process, so this listener stays.
  server.on('connection', (socket) => {
    socket.on('error', () => socket.destroy());
    // One listener per pipelined request.
    socket.setMaxListeners(0);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        // After listening, an error means that one connection could not be accepted. Others can still
        // connect.
        server.on('error', (cause: Error & { code?: string }) => {
          const why =
            cause.code === 'EADDRINUSE'
              ? 'is in use: end what uses it, or choose another port'
              : `cannot be opened (${cause.message})`;
          reject(new NodeError('BadConfig', `Port ${port} of ${host} ${why}`, { cause }));
        });
        server.listen(port, host, () => resolve(`${host}:${(server.address() as AddressInfo).port}`));
      }),
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, graceMs).unref();
      }),
  };
};
