import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { NodeError } from '../src/protocol/errors.ts';
import type { DenyUnsafe, Dialect } from '../src/protocol/node.ts';
import { createAdmission } from './access.ts';
import { createHttpCalls } from './http-calls.ts';
import { createHttpFront, type HttpHandler, type Listener } from './http-front.ts';
import { createIntake } from './intake.ts';
import type { OpenPort } from './local-ports.ts';
import { stricter } from './rights.ts';
import type { DoorAddress, RpcSettings } from './rpc-settings.ts';
import { asksForWebSocket, createWsFront, type WsFront } from './ws-front.ts';

/** The two addresses where clients reach the node. */
export type FrontDoor = { readonly ws: string; readonly http: string; close(): Promise<void> };

/** How long clients have to close their connections. */
const graceMs = 200;

/** A listening socket of the process. It accepts both kinds of request. */
type Door = {
  listen(address: DoorAddress): Promise<string>;
  close(): Promise<void>;
};

const createDoor = (listener: Listener, http: HttpHandler, ws: WsFront): Door => {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ shouldUpgradeCallback: asksForWebSocket }, (request, response) =>
    http(listener, request, response),
  );
  server.on('upgrade', (request, stream, head) => ws.upgrade(listener, request, stream, head));
  // Node.js removes its own listener from an upgraded socket, and an unhandled error ends the process. This
  // listener stays.
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
        // Once it is listening, an error is a connection that could not be accepted. Others can still
        // connect.
        server.on('error', (cause: Error & { code?: string }) => {
          const why = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${cause.message})`;
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

/**
 * The address when both kinds of request share one port: exposed to the world if either is, and with the
 * stricter of both settings.
 */
const sharedAddress = ({ ws, http }: RpcSettings): DoorAddress => {
  const denyUnsafe: DenyUnsafe = stricter(ws.denyUnsafe, http.denyUnsafe);
  return { host: ws.host === '0.0.0.0' ? ws.host : http.host, port: ws.port, denyUnsafe };
};

export const openFrontDoor = async (
  openPort: OpenPort,
  { dialect, rpc }: { readonly dialect: Dialect; readonly rpc: RpcSettings },
): Promise<FrontDoor> => {
  const calls = createHttpCalls(openPort, { limits: rpc.limits });
  const options = { dialect, rpc, admission: createAdmission(rpc.maxConnections), intake: createIntake() };
  const http = createHttpFront(calls, options);
  const ws = createWsFront(openPort, options);
  const doors: Door[] = [];
  const open = (address: DoorAddress): Promise<string> => {
    const door = createDoor(address, http, ws);
    doors.push(door);
    return door.listen(address);
  };
  const close = async (): Promise<void> => {
    ws.close();
    await Promise.all(doors.map((door) => door.close()));
    calls.close();
  };
  // Port 0 picks a free port for each, so the two are never shared.
  const isShared = rpc.ws.port === rpc.http.port && rpc.ws.port !== 0;
  try {
    const wsAddress = await open(isShared ? sharedAddress(rpc) : rpc.ws);
    const httpAddress = isShared ? wsAddress : await open(rpc.http);
    return { ws: `ws://${wsAddress}`, http: `http://${httpAddress}`, close };
  } catch (error) {
    await close();
    throw error;
  }
};
