import { maxPageCallMs } from '../../src/protocol/limits.ts';
import type { RpcSettings } from '../cli/rpc-settings.ts';
import { hostRefusal, isAllowedHost, refuseUpgrade } from '../server/access.ts';
import type { OpenPort } from '../server/local-ports.ts';
import { type OpenServers, openServers } from '../server/open-servers.ts';
import type { RouterOptions } from '../server/request-router.ts';
import { type BridgedPage, createPages, offersNode, type PagesOptions } from './pages.ts';
import { createPairing, type Pairing } from './pairing.ts';

/** The addresses of a bridge, without the name of a page. */
type Addresses = { readonly ws: string; readonly http: string };

/** A page's node, with the addresses where clients reach it. */
export type BridgedNode = BridgedPage & Addresses;

export type BridgeEvents = {
  onArrival(node: BridgedNode): void;
  onLeave(node: BridgedNode): void;
  onRefused: PagesOptions['onRefused'];
};

type Relay = {
  readonly pairing: Pairing;
  readonly openPort: OpenPort;
  readonly pages: NonNullable<RouterOptions['pages']>;
  close(): void;
};

/**
 * Connects a front to the nodes of pages instead of one node. `addresses` are known once the front listens.
 */
export const createRelay = (
  { key, acceptFirst }: { readonly key: Uint8Array; readonly acceptFirst: boolean },
  addresses: () => Addresses,
  { onArrival, onLeave, onRefused }: BridgeEvents,
): Relay => {
  const addressesOf = (name: string): Addresses => {
    const { ws, http } = addresses();
    return { ws: `${ws}/${name}`, http: `${http}/${name}` };
  };
  const withAddresses = (page: BridgedPage): BridgedNode => ({ ...page, ...addressesOf(page.name) });
  const pairing = createPairing(key, () => addresses().ws);
  const pages = createPages({
    pairing,
    acceptFirst,
    addressesOf,
    onArrival: (page) => onArrival(withAddresses(page)),
    onLeave: (page) => onLeave(withAddresses(page)),
    onRefused,
  });
  return {
    pairing,
    openPort: async (options, { node, ...client }) => pages.openPort(options, client, node),
    pages: {
      isPage: offersNode,
      upgrade: pages.upgrade,
      find: pages.find,
      list: () => ({ chains: pages.list().map(withAddresses) }),
    },
    close: pages.close,
  };
};

export type BridgeSettings = {
  readonly dialect: RouterOptions['dialect'];
  readonly rpc: RpcSettings;
  readonly acceptFirst: boolean;
  /** How long a page's node may take for a call over HTTP. Default: `maxPageCallMs`. */
  readonly pageCallMs?: number;
  /** The key that tokens are derived from. */
  readonly key: Uint8Array;
};

export type Bridge = OpenServers & {
  /** The URL fragment that pairs the page opened with it. Invalidates the previous code. */
  newPairing(): string;
};

/**
 * Serves the nodes of pages at the configured addresses. Rejects with `BadConfig`, as `openServers` does.
 */
export const openBridge = async (settings: BridgeSettings, events: BridgeEvents): Promise<Bridge> => {
  const { dialect, rpc, pageCallMs = maxPageCallMs } = settings;
  let addresses: Addresses = { ws: '', http: '' };
  const { openPort, pages, pairing, close } = createRelay(settings, () => addresses, events);
  // A page connects to an address of this machine; a Host of another name comes from DNS rebinding.
  const upgrade: typeof pages.upgrade = (request, stream, head) => {
    if (isAllowedHost(request.headers.host, rpc.cors)) pages.upgrade(request, stream, head);
    else refuseUpgrade(stream, { status: 403, text: hostRefusal });
  };
  const routerOptions = { dialect, rpc, pages: { ...pages, upgrade }, pageCallMs };
  const servers = await openServers(openPort, routerOptions).catch((error: unknown) => {
    close();
    throw error;
  });
  addresses = servers;
  return {
    ...servers,
    newPairing: () => `bridge=${servers.ws.replace('0.0.0.0', '127.0.0.1')}&code=${pairing.newCode()}`,
    close: async () => {
      close();
      await servers.close();
    },
  };
};
