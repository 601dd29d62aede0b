import type { Connection } from '../connection.ts';
import { NodeError } from '../protocol/errors.ts';
import type { DenyUnsafe } from '../protocol/node.ts';
import { papiProvider } from '../providers/papi.ts';
import type { TabNode } from '../tab-node.ts';
import { type GuestInfo, leadTabs } from '../tabs/lead.ts';
import {
  type OfferInfo,
  type OfferMessage,
  offerChain,
  offersChannel,
  parseOfferMessage,
} from './messages.ts';
import { type RequestProvider, toRequestProvider } from './request-provider.ts';

type JsonRpcRequest = {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method: string;
  readonly params?: unknown;
};

/** A chain as substrate-connect offers one: `connect` is a provider for polkadot-api's `createClient`. */
export type OfferedChain = {
  readonly genesisHash: string;
  readonly name: string;
  connect(onMessage: (message: never) => void): {
    send(message: JsonRpcRequest): void;
    disconnect(): void;
  };
};

/** The provider for scripts on the page. */
export type OfferedProvider = Pick<RequestProvider, 'request' | 'on' | 'removeListener'> & {
  /** By genesis hash. */
  getChains(): Readonly<Record<string, OfferedChain>>;
};

/** The detail of `substrateDiscovery:requestProvider` and `substrateDiscovery:announceProvider`. */
export type OfferDetail = {
  readonly kind: 'tabnode-v1';
  readonly info: {
    readonly uuid: string;
    readonly name: string;
    readonly icon: string;
    readonly rdns: string;
  };
  readonly provider: Promise<OfferedProvider>;
};

export type OfferOptions = {
  /** The name others show. Default: the chain's name. */
  readonly name?: string;
  /**
   * Whether scripts on this page, including extensions, find the node through substrate-connect's events.
   * Default: yes.
   */
  readonly scripts?: boolean;
  /** Whether other pages of this origin find it with `findNodes`. Default: yes. */
  readonly pages?: boolean;
  /** Whether they may make unsafe calls. Default: no. */
  readonly unsafe?: boolean;
  /** Receives everyone who uses the node through this offer, whenever that changes. */
  readonly onUsers?: (users: readonly OfferUser[]) => void;
};

/** A connection of scripts on the page, or another page of the origin. */
export type OfferUser = GuestInfo & { readonly kind: 'script' | 'page' };

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><circle cx='4' cy='4' r='3'/></svg>";

type Offerable = Pick<TabNode, 'info' | 'connect' | 'openPort' | 'status'>;

/** The node with the calls that others may make. */
const guarded = (node: Offerable, isUnsafe: boolean): Offerable => {
  const limit = <T extends { readonly denyUnsafe?: DenyUnsafe }>(choice?: T) =>
    isUnsafe ? { ...choice } : { ...choice, denyUnsafe: true as const };
  return {
    info: node.info,
    connect: (choice) => node.connect(limit(choice)),
    openPort: (choice) => node.openPort(limit(choice)),
    status: node.status,
  };
};

const createProvider = (node: Offerable, { name, genesisHash }: OfferInfo): OfferedProvider => {
  const chain = { genesisHash, name, connect: papiProvider(node) as unknown as OfferedChain['connect'] };
  return Object.freeze({ ...toRequestProvider(node), getChains: () => ({ [genesisHash]: chain }) });
};

/** Announces the node, and replies to scripts that request a provider later. */
const announceToScripts = (node: Offerable, offer: OfferInfo, signal: AbortSignal): void => {
  // Frozen, because all scripts get the same object.
  const info = Object.freeze({ uuid: offer.uuid, name: offer.name, icon, rdns: 'io.github.tabnode' });
  const provider = Promise.resolve(createProvider(node, offer));
  const detail: OfferDetail = Object.freeze({ kind: 'tabnode-v1', info, provider });
  const answer = (event: Event): void => {
    const onProvider = (event as CustomEvent<{ readonly onProvider?: unknown } | null>).detail?.onProvider;
    if (typeof onProvider === 'function') onProvider(detail);
  };
  addEventListener('substrateDiscovery:requestProvider', answer, { signal });
  dispatchEvent(new CustomEvent('substrateDiscovery:announceProvider', { detail }));
};

const announceToPages = (
  node: Offerable,
  offer: OfferInfo,
  signal: AbortSignal,
  onPages: (pages: readonly GuestInfo[]) => void,
): void => {
  leadTabs(offerChain(offer.uuid), node, signal, () => undefined, onPages);
  const channel = new BroadcastChannel(offersChannel);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseOfferMessage(data);
    if (message !== null && 'ask' in message) channel.postMessage({ offer } satisfies OfferMessage);
  };
  signal.addEventListener('abort', () => channel.close(), { once: true });
};

/**
 * Offers this page's node, as its user chooses: to scripts on the page through the discovery events of
 * substrate-connect, and to other pages of the origin through `findNodes`. Returns the function that ends the
 * offer and closes the connections made through it.
 */
export const offerNode = (
  node: Offerable,
  { name = node.info.chainName, scripts = true, pages = true, unsafe = false, onUsers }: OfferOptions = {},
): (() => void) => {
  const over = new AbortController();
  const offer = { uuid: crypto.randomUUID(), name, genesisHash: node.info.genesisHash };
  const users = createUsers(onUsers);
  const limited = endable(guarded(node, unsafe), over.signal, users.onScripts);
  if (scripts) announceToScripts(limited, offer, over.signal);
  if (pages) announceToPages(limited, offer, over.signal, users.onPages);
  return () => {
    over.abort(new NodeError('Disconnected', 'The page no longer offers its node'));
    users.end();
  };
};

const createUsers = (onUsers: OfferOptions['onUsers'] = () => undefined) => {
  let scripts: readonly GuestInfo[] = [];
  let pages: readonly GuestInfo[] = [];
  let isOver = false;
  const report = (): void => {
    if (isOver) return;
    const list = (kind: OfferUser['kind'], of: readonly GuestInfo[]): OfferUser[] =>
      of.map((user) => ({ kind, ...user }));
    onUsers([...list('page', pages), ...list('script', scripts)]);
  };
  return {
    onScripts: (now: readonly GuestInfo[]): void => {
      scripts = now;
      report();
    },
    onPages: (now: readonly GuestInfo[]): void => {
      pages = now;
      report();
    },
    end: (): void => {
      isOver = true;
      onUsers([]);
    },
  };
};

/** Its connections end with the offer; `leadTabs` ends the ports. `onOpen` receives the open connections. */
const endable = (
  node: Offerable,
  signal: AbortSignal,
  onOpen: (open: readonly GuestInfo[]) => void,
): Offerable => {
  const open = new Map<Connection, GuestInfo>();
  const report = (): void => onOpen([...open.values()]);
  return {
    ...node,
    connect: async (choice) => {
      signal.throwIfAborted();
      const connection = await node.connect(choice);
      const end = (): void => connection.close(signal.reason as NodeError);
      if (signal.aborted) {
        end();
        throw signal.reason;
      }
      const disconnect = (): void =>
        connection.close(new NodeError('Disconnected', 'The page has disconnected this user'));
      open.set(connection, { sinceMs: Date.now(), disconnect });
      report();
      signal.addEventListener('abort', end, { once: true });
      connection.onClose(() => {
        signal.removeEventListener('abort', end);
        open.delete(connection);
        report();
      });
      return connection;
    },
  };
};
