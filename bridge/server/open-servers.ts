import { createServer } from 'node:http';
import { stricter } from '../../src/protocol/deny-unsafe.ts';
import type { DenyUnsafe } from '../../src/protocol/node.ts';
import type { ListenAddress, RpcSettings } from '../cli/rpc-settings.ts';
import type { ListenerRights } from './http-handler.ts';
import { createListener, type Listener } from './listener.ts';
import type { OpenPort } from './local-ports.ts';
import { createRequestRouter, type RequestRouter, type RouterOptions } from './request-router.ts';
import { isWebSocketUpgrade } from './ws-handler.ts';

/** The two addresses where clients reach the node. */
export type OpenServers = { readonly ws: string; readonly http: string; close(): Promise<void> };

/** A listening socket that accepts both HTTP requests and WebSockets. */
const createNodeListener = (listener: ListenerRights, router: RequestRouter): Listener => {
  const server = createServer({ shouldUpgradeCallback: isWebSocketUpgrade }, (request, response) =>
    router.request(listener, request, response),
  );
  server.on('upgrade', (request, stream, head) => router.upgrade(listener, request, stream, head));
  return createListener(server);
};

/**
 * The address if both kinds of request share one port: listens on all interfaces if either does, and denies
 * what either denies.
 */
const sharedAddress = ({ ws, http }: RpcSettings): ListenAddress => {
  const denyUnsafe: DenyUnsafe = stricter(ws.denyUnsafe, http.denyUnsafe);
  return { host: ws.host === '0.0.0.0' ? ws.host : http.host, port: ws.port, denyUnsafe };
};

export const openServers = async (openPort: OpenPort, options: RouterOptions): Promise<OpenServers> => {
  const { rpc } = options;
  const router = createRequestRouter(openPort, options);
  const listeners: Listener[] = [];
  const open = (address: ListenAddress): Promise<string> => {
    const listener = createNodeListener(address, router);
    listeners.push(listener);
    return listener.listen(address);
  };
  const close = async (): Promise<void> => {
    router.close();
    await Promise.all(listeners.map((listener) => listener.close()));
    router.closeCalls();
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
