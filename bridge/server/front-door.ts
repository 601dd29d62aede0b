import { createServer } from 'node:http';
import { stricter } from '../../src/protocol/deny-unsafe.ts';
import type { DenyUnsafe } from '../../src/protocol/node.ts';
import type { DoorAddress, RpcSettings } from '../cli/rpc-settings.ts';
import { createDoor, type Door } from './door.ts';
import { createFront, type Front, type FrontOptions } from './front.ts';
import type { Listener } from './http-front.ts';
import type { OpenPort } from './local-ports.ts';
import { asksForWebSocket } from './ws-front.ts';

/** The two addresses where clients reach the node. */
export type FrontDoor = { readonly ws: string; readonly http: string; close(): Promise<void> };

/** A listening socket that accepts both HTTP requests and WebSockets. */
const createNodeDoor = (listener: Listener, front: Front): Door => {
  const server = createServer({ shouldUpgradeCallback: asksForWebSocket }, (request, response) =>
    front.request(listener, request, response),
  );
  server.on('upgrade', (request, stream, head) => front.upgrade(listener, request, stream, head));
  return createDoor(server);
};

/**
 * The address if both kinds of request share one port: listens on all interfaces if either does, and denies
 * what either denies.
 */
const sharedAddress = ({ ws, http }: RpcSettings): DoorAddress => {
  const denyUnsafe: DenyUnsafe = stricter(ws.denyUnsafe, http.denyUnsafe);
  return { host: ws.host === '0.0.0.0' ? ws.host : http.host, port: ws.port, denyUnsafe };
};

export const openFrontDoor = async (openPort: OpenPort, options: FrontOptions): Promise<FrontDoor> => {
  const { rpc } = options;
  const front = createFront(openPort, options);
  const doors: Door[] = [];
  const open = (address: DoorAddress): Promise<string> => {
    const door = createNodeDoor(address, front);
    doors.push(door);
    return door.listen(address);
  };
  const close = async (): Promise<void> => {
    front.close();
    await Promise.all(doors.map((door) => door.close()));
    front.closeCalls();
  };
  // Port 0 assigns each socket a free port of its own, so they do not share one.
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
