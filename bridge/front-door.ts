import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeError } from '../src/protocol/errors.ts';
import type { Dialect } from '../src/protocol/node.ts';
import { createAdmission } from './access.ts';
import { createHttpCalls } from './http-calls.ts';
import { createHttpFront } from './http-front.ts';
import type { OpenPort } from './local-ports.ts';
import type { DoorAddress, RpcSettings } from './rpc-settings.ts';
import { createWsFront } from './ws-front.ts';

/** The two addresses on which programs reach the node. */
export type FrontDoor = { readonly ws: string; readonly http: string; close(): Promise<void> };

const listen = (server: Server, { host, port }: DoorAddress): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: Error & { code?: string }) => {
      const why = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${cause.message})`;
      reject(new NodeError('BadConfig', `Port ${port} of ${host} ${why}`, { cause }));
    });
    server.listen(port, host, () => resolve(`${host}:${(server.address() as AddressInfo).port}`));
  });

/** Lets clients say goodbye for a moment, then cuts what is left. */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.emit('shutdown');
    server.close(() => resolve());
    setTimeout(() => server.closeAllConnections(), 200).unref();
  });

export const openFrontDoor = async (
  openPort: OpenPort,
  { dialect, rpc }: { readonly dialect: Dialect; readonly rpc: RpcSettings },
): Promise<FrontDoor> => {
  const calls = createHttpCalls(openPort, { denyUnsafe: rpc.http.denyUnsafe, limits: rpc.limits });
  const admission = createAdmission(rpc.maxConnections);
  const http = createHttpFront(calls, { dialect, rpc, admission });
  const ws = createWsFront(openPort, { dialect, rpc, admission });
  const close = async (): Promise<void> => {
    await Promise.all([http, ws].filter((server) => server.listening).map(closeServer));
    calls.close();
  };
  try {
    const wsAddress = await listen(ws, rpc.ws);
    const httpAddress = await listen(http, rpc.http);
    return { ws: `ws://${wsAddress}`, http: `http://${httpAddress}`, close };
  } catch (error) {
    await close();
    throw error;
  }
};
