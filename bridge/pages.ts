import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type BridgeClient,
  bridgeCloseCodes,
  bridgeProtocol,
  readBundle,
  readNote,
} from '../src/protocol/bridge.ts';
import type { ConnectOptions } from '../src/protocol/node.ts';
import { isLoopback, type Refusal, tooMany } from './access.ts';
import { keepAlive } from './keep-alive.ts';
import { type Arrived, receivePage } from './page-arrival.ts';
import { createPageLink, type PageLink } from './page-link.ts';
import { createPageNames } from './page-names.ts';
import type { Pairing } from './pairing.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';

/** A page whose node this bridge serves. */
export type BridgedPage = { readonly name: string; readonly genesisHash: string };

/** The pages that have connected to a bridge, by name. */
export type Pages = {
  /** Handles the upgrade request of a page. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** The name that a path refers to, the first page's if it names none; a refusal if there is none. */
  find(path: string): string | Refusal;
  /** In the order of their arrival. */
  list(): readonly BridgedPage[];
  openPort(options: ConnectOptions, client: BridgeClient, name: string): MessagePort;
  close(): void;
};

type Served = BridgedPage & { readonly link: PageLink; readonly socket: WebSocket };

export type PagesOptions = {
  readonly pairing: Pairing;
  /** Whether the first page is accepted without asking its user. */
  readonly acceptFirst: boolean;
  /** The addresses under which a page's node is served. */
  addressesOf(name: string): { readonly ws: string; readonly http: string };
  onArrival(page: BridgedPage): void;
  onLeave(page: BridgedPage): void;
  /** A page that does not come to be served. */
  onRefused(origin: string, reason: string): void;
};

/** Pages that have not yet proven themselves, or whose user is being asked. */
const maxWaiting = 32;
const maxWaitingOfOrigin = 4;
/** All that a page may send before it serves. */
const maxArrivalBytes = 16 * 1024;
/** How long the address without a name waits for a first page that is reloaded, before it is another page's. */
const reloadMs = 10_000;
const maxPages = 64;
/** A page may send its node's longest response, and the texts of several clients, in one frame. */
const maxFrameBytes = 256 * 1024 * 1024;

/** Whether the request is that of a page that offers its node. */
export const offersNode = ({ headers }: IncomingMessage): boolean =>
  headers['sec-websocket-protocol'] === bridgeProtocol;

/** Which page an address without a name means: the one that came first, also after it was reloaded. */
const createTurn = (isThere: (key: string) => boolean) => {
  let order: string[] = [];
  let leftMs = Number.NEGATIVE_INFINITY;
  return {
    arrived: (key: string): void => {
      order = order.filter((one, place) => place === 0 || one === key || isThere(one));
      if (!order.includes(key)) order.push(key);
    },
    left: (key: string): void => {
      if (order[0] === key) leftMs = Date.now();
    },
    /** Null while the first one may be reloading. */
    first: (): string | null => {
      const [key] = order;
      if (key === undefined || isThere(key)) return key ?? null;
      if (Date.now() - leftMs < reloadMs) return null;
      order = order.filter(isThere);
      return order[0] ?? null;
    },
  };
};

/** The nodes that are served. */
const createServed = ({ addressesOf, onArrival, onLeave }: PagesOptions) => {
  const names = createPageNames();
  const pages = new Map<string, Served>();
  const turn = createTurn((key) => pages.has(key));

  const add = (socket: WebSocket, origin: string, { name: wanted, genesisHash, tab }: Arrived): void => {
    const name = names.claim(wanted, { origin, tab });
    const key = name.toLowerCase();
    // The same tab again: its former connection has not ended yet, or it was duplicated.
    const former = pages.get(key);
    former?.link.end();
    former?.socket.close(bridgeCloseCodes.nameTaken, 'Another tab took its place');
    const link = createPageLink(socket);
    const page: Served = { name, genesisHash, link, socket };
    pages.set(key, page);
    turn.arrived(key);
    socket.on('message', (data: Uint8Array, isBinary: boolean) => {
      const frames = isBinary ? null : readBundle(new TextDecoder().decode(data));
      if (frames === null) socket.close(bridgeCloseCodes.badFrame, 'Not a frame');
      for (const frame of frames ?? []) {
        const note = readNote(frame);
        if (note === null) link.hear(frame);
        else if (note['note'] === 'closed') link.drop(Number(note['channel']));
      }
    });
    socket.once('close', () => {
      link.end();
      if (pages.get(key) !== page) return;
      pages.delete(key);
      turn.left(key);
      names.release(name);
      onLeave({ name, genesisHash });
    });
    socket.send(JSON.stringify({ note: 'serving', name, ...addressesOf(name) }));
    onArrival({ name, genesisHash });
  };

  const find: Pages['find'] = (path) => {
    if (pages.size === 0)
      return { status: 503, text: 'No page is connected to this bridge. Open its pairing address.\n' };
    // What cannot be a name is no name: a native node serves every path.
    const wanted = /^\/+([\w.-]+)\/*$/.exec(path)?.[1]?.toLowerCase() ?? null;
    const found = pages.get(wanted ?? turn.first() ?? '');
    if (found !== undefined) return found.name;
    if (wanted === null) return { status: 503, text: 'The first page is being reloaded.\n' };
    const known = [...pages.values()].map(({ name }) => `/${name}`).join(', ');
    return { status: 404, text: `There is no page of that name; there are ${known}.\n` };
  };

  return {
    add,
    find,
    isFull: () => pages.size >= maxPages,
    list: () => [...pages.values()].map(({ name, genesisHash }) => ({ name, genesisHash })),
    openPort: (given: ConnectOptions, client: BridgeClient, name: string): MessagePort => {
      const page = pages.get(name.toLowerCase());
      if (page === undefined) throw new Error('The page is gone');
      return page.link.openPort(given, client);
    },
  };
};

/** Calls back once more bytes have come. Returns the function that stops counting. */
const limitBytes = (stream: Duplex, limit: number, exceeded: () => void): (() => void) => {
  let bytes = 0;
  const count = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes > limit) exceeded();
  };
  stream.on('data', count);
  return () => stream.off('data', count);
};

export const createPages = (options: PagesOptions): Pages => {
  const server = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const stopPings = keepAlive(server);
  const { add, isFull, ...served } = createServed(options);
  /** Origins of the pages that have not been added yet. */
  const waiting: string[] = [];
  let isFirstOpen = options.acceptFirst;
  const ofOrigin = (origin: string): number => waiting.filter((one) => one === origin).length;
  const takeFirst = (): boolean => {
    const isOpen = isFirstOpen;
    isFirstOpen = false;
    return isOpen;
  };

  const meet = async (socket: WebSocket, stream: Duplex, origin: string): Promise<void> => {
    socket.on('error', () => socket.terminate());
    waiting.push(origin);
    const stopCounting = limitBytes(stream, maxArrivalBytes, () => socket.terminate());
    const arrived = await receivePage(socket, origin, options.pairing, takeFirst);
    waiting.splice(waiting.indexOf(origin), 1);
    stopCounting();
    if (typeof arrived === 'string') options.onRefused(origin, arrived);
    else if (isFull()) {
      socket.close(bridgeCloseCodes.declined, 'Too many pages');
      options.onRefused(origin, 'Too many pages');
    } else if (socket.readyState === socket.OPEN) add(socket, origin, arrived);
  };

  return {
    ...served,
    upgrade: (request, stream, head) => {
      const { origin } = request.headers;
      if (origin === undefined || !isLoopback(request.socket.remoteAddress))
        refuseUpgrade(stream, { status: 403, text: 'Pages of this machine only.' });
      else if (waiting.length >= maxWaiting || ofOrigin(origin) >= maxWaitingOfOrigin)
        refuseUpgrade(stream, tooMany);
      else
        server.handleUpgrade(request, stream, head, (socket) => {
          server.emit('connection', socket, request);
          void meet(socket, stream, origin);
        });
    },
    close: () => {
      stopPings();
      for (const socket of server.clients) socket.close(1001, 'The bridge stops');
    },
  };
};
