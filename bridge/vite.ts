import type { Buffer } from 'node:buffer';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { toRpcSettings } from './cli/rpc-settings.ts';
import { createFolder } from './files/new-file.ts';
import { createRelay } from './pages/open-bridge.ts';
import { loadBridgeKey } from './pages/pairing.ts';
import { isAllowedHost, isLoopback } from './server/access.ts';
import type { ListenerRights } from './server/http-handler.ts';
import { createRequestRouter } from './server/request-router.ts';

/**
 * The used part of Vite's dev server. Vite itself is not imported, so the plugin works with every version
 * that has it.
 */
type DevServer = {
  readonly httpServer: Pick<Server, 'on' | 'address' | 'once'> | null;
  readonly middlewares: {
    use(path: string, handle: (request: IncomingMessage, response: ServerResponse) => void): unknown;
  };
  readonly config: {
    readonly root: string;
    readonly logger: { info(text: string): void };
    readonly server: { readonly https?: unknown };
  };
};

const path = '/tabnode';

/** Programs on other computers that can reach the dev server get safe calls only. */
const listenerOf = ({ socket }: IncomingMessage): ListenerRights => ({
  denyUnsafe: !isLoopback(socket.remoteAddress),
});

/** The URL without the prefix; null if the request is not for the bridge. */
const withoutPrefix = (url = ''): string | null => {
  const [before = '', query] = url.split('?', 2);
  if (before !== path && !before.startsWith(`${path}/`)) return null;
  return `${before.slice(path.length) || '/'}${query === undefined ? '' : `?${query}`}`;
};

const answer = (response: ServerResponse, status: number, value: object): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
};

/** Attaches a bridge to a dev server; see `tabnode` in `src/vite.ts`. */
const attach = async (server: DevServer): Promise<void> => {
  const { httpServer, config, middlewares } = server;
  if (httpServer === null) return; // middleware mode: another server listens
  const scheme = config.server.https === undefined || config.server.https === false ? '' : 's';
  const addresses = () => {
    const address = httpServer.address();
    const host = `localhost:${typeof address === 'object' ? address?.port : ''}${path}`;
    return { ws: `ws${scheme}://${host}`, http: `http${scheme}://${host}` };
  };
  const { info } = config.logger;
  const rpc = toRpcSettings({}, 'psp-6');
  // Keeps the tokens of pages valid across server restarts.
  const folder = join(config.root, 'node_modules', '.tabnode');
  await createFolder(folder).catch(() => undefined);
  const { key } = await loadBridgeKey(join(folder, 'bridge-key'));
  const { openPort, pages, pairing, close } = createRelay({ key, acceptFirst: false }, addresses, {
    onArrival: ({ name, ws }) => info(`tabnode: ${name} is connected, ${ws}`),
    onLeave: ({ name }) => info(`tabnode: ${name} is disconnected`),
    onRefused: (origin, reason) => info(`tabnode: a page of ${origin} was not connected: ${reason}`),
  });
  const router = createRequestRouter(openPort, { dialect: 'psp-6', rpc, pages });

  /** Only pages of this server get the token, and it is bound to their origin. */
  const sendPass = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    const { host } = headers;
    if (headers['sec-fetch-site'] === 'same-origin' && isAllowedHost(host, rpc.cors))
      answer(response, 200, { token: pairing.tokenOf(`http${scheme}://${host}`) });
    else answer(response, 403, { error: 'This token is for pages of this server, on this computer' });
  };
  middlewares.use(path, (request, response) => {
    if (request.url === '/pass') sendPass(request, response);
    else router.request(listenerOf(request), request, response);
  });
  httpServer.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const rest = withoutPrefix(request.url);
    if (rest === null) return; // handled by Vite
    request.url = rest;
    stream.on('error', () => stream.destroy());
    router.upgrade(listenerOf(request), request, stream, head);
  });
  httpServer.once('close', () => {
    close();
    router.close();
    router.closeCalls();
  });
};

export const tabnode = () => ({ name: 'tabnode', apply: 'serve', configureServer: attach }) as const;
