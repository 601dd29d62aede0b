import { createServer } from 'node:http';
import type { DenyUnsafe, Dialect } from '../src/protocol/node.ts';
import { createAdmission } from './access.ts';
import { createDoor, type Door } from './door.ts';
import { createHttpCalls } from './http-calls.ts';
import { createHttpFront, type HttpHandler, type Listener } from './http-front.ts';
import { createIntake } from './intake.ts';
import type { OpenPort } from './local-ports.ts';
import { stricter } from './rights.ts';
import type { DoorAddress, RpcSettings } from './rpc-settings.ts';
import { asksForWebSocket, createWsFront, type WsFront } from './ws-front.ts';

/** The two addresses where clients reach the node. */
export type FrontDoor = { readonly ws: string; readonly http: string; close(): Promise<void> };

/** A socket that accepts both kinds of request. */
const createNodeDoor = (listener: Listener, http: HttpHandler, ws: WsFront): Door => {
  const server = createServer({ shouldUpgradeCallback: asksForWebSocket }, (request, response) =>
    http(listener, request, response),
  );
  server.on('upgrade', (request, stream, head) => ws.upgrade(listener, request, stream, head));
  return createDoor(server);
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
    const door = createNodeDoor(address, http, ws);
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
