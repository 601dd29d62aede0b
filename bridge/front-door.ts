import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeError } from '../src/protocol/errors.ts';
import type { Dialect } from '../src/protocol/node.ts';
import { createHttpCalls } from './http-calls.ts';
import { createHttpFront } from './http-front.ts';
import type { NodeThread } from './node-thread.ts';
import { createWsFront } from './ws-front.ts';

const host = '127.0.0.1';

/** The two addresses on which programs of this machine reach the node. */
export type FrontDoor = { readonly ws: string; readonly http: string; close(): Promise<void> };

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: Error & { code?: string }) => {
      const why = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${cause.message})`;
      reject(new NodeError('BadConfig', `Port ${port} of ${host} ${why}`, { cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

/** Lets clients say goodbye for a moment, then cuts what is left. */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.emit('shutdown');
    server.close(() => resolve());
    setTimeout(() => server.closeAllConnections(), 200).unref();
  });

export const openFrontDoor = async (
  node: NodeThread,
  options: { readonly dialect: Dialect; readonly wsPort: number; readonly rpcPort: number },
): Promise<FrontDoor> => {
  const calls = createHttpCalls(node);
  const http = createHttpFront(calls, options.dialect);
  const ws = createWsFront(node, options.dialect);
  const close = async (): Promise<void> => {
    await Promise.all([http, ws].filter((server) => server.listening).map(closeServer));
    calls.close();
  };
  try {
    const wsPort = await listen(ws, options.wsPort);
    const rpcPort = await listen(http, options.rpcPort);
    return { ws: `ws://${host}:${wsPort}`, http: `http://${host}:${rpcPort}`, close };
  } catch (error) {
    await close();
    throw error;
  }
};
