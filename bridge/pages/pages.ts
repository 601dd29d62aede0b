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
} from '../../src/protocol/bridge.ts';
import type { ConnectOptions } from '../../src/protocol/node.ts';
import { elapsedMs } from '../cli/terminal.ts';
import { isLoopback, type Refusal, refuseUpgrade, tooMany } from '../server/access.ts';
import { closedText, goneText } from '../server/pending-calls.ts';
import { keepAlive } from '../server/ws-handler.ts';
import { createFailedAttempts } from './failed-attempts.ts';
import { type Arrived, receivePage } from './page-arrival.ts';
import { createPageLink, type PageLink } from './page-link.ts';
import { createPageNames } from './page-names.ts';
import type { Pairing } from './pairing.ts';

/** A page whose node this bridge serves. */
export type BridgedPage = { readonly name: string; readonly genesisHash: string };

/** The pages connected to a bridge, by name. */
export type Pages = {
  /** Handles the upgrade request of a page. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void;
  /** The name of the page that a path refers to, the first page's if the path has none; or a refusal. */
  find(path: string): string | Refusal;
  /** In order of arrival. */
  list(): readonly BridgedPage[];
  openPort(options: ConnectOptions, client: BridgeClient, name: string): MessagePort;
  close(): void;
};

type Served = BridgedPage & { readonly link: PageLink; readonly socket: WebSocket };

export type PagesOptions = {
  readonly pairing: Pairing;
  /** Whether the first page is accepted without asking its user. */
  readonly acceptFirst: boolean;
  /** The addresses at which a page's node is served. */
  addressesOf(name: string): { readonly ws: string; readonly http: string };
  onArrival(page: BridgedPage): void;
  onLeave(page: BridgedPage): void;
  /** Called for a page that is refused or leaves before it is served. Both texts are safe to print in a terminal. */
  onRefused(origin: string, reason: string): void;
};

/** Maximum number of pages that have not proven themselves yet or are waiting for their user's consent. */
const maxWaiting = 32;
const maxWaitingOfOrigin = 4;
/** Maximum number of bytes that a page may send before it is served. */
const maxArrivalBytes = 16 * 1024;
/** How long the address without a name stays reserved for the first page while it reloads. */
const reloadMs = 10_000;
const maxPages = 64;
/** One frame may contain the node's longest response, or responses for several clients. */
const maxFrameBytes = 256 * 1024 * 1024;

/** Whether the request comes from a page that offers its node. */
export const offersNode = ({ headers }: IncomingMessage): boolean =>
  headers['sec-websocket-protocol'] === bridgeProtocol;

/** Decides which page the address without a name refers to: the first one, also after it has reloaded. */
const createTurn = (isThere: (key: string) => boolean) => {
  let order: string[] = [];
  let leftMs = Number.NEGATIVE_INFINITY;
  return {
    arrived: (key: string): void => {
      order = order.filter((one, place) => place === 0 || one === key || isThere(one));
      if (!order.includes(key)) order.push(key);
    },
    left: (key: string): void => {
      if (order[0] === key) leftMs = elapsedMs();
    },
    /** Null while the first page may be reloading. */
    first: (): string | null => {
      const [key] = order;
      if (key === undefined || isThere(key)) return key ?? null;
      if (elapsedMs() - leftMs < reloadMs) return null;
      order = order.filter(isThere);
      return order[0] ?? null;
    },
  };
};

/** The pages that are served. */
const createServed = ({ addressesOf, onArrival, onLeave }: PagesOptions) => {
  const names = createPageNames();
  const pages = new Map<string, Served>();
  const turn = createTurn((key) => pages.has(key));

  const add = (socket: WebSocket, origin: string, { name: wanted, genesisHash, tab }: Arrived): void => {
    const name = names.claim(wanted, { origin, tab });
    const key = name.toLowerCase();
    // The same tab again: either its former connection has not closed yet, or the tab was duplicated.
    const former = pages.get(key);
    former?.link.end(goneText);
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
        if (note === null) link.receive(frame);
        else if (note['note'] === 'closed') link.drop(Number(note['channel']));
      }
    });
    socket.once('close', (code) => {
      // Declined: the user disconnected the bridge, and the page is still open.
      link.end(code === bridgeCloseCodes.declined ? closedText : goneText);
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
    // A path that cannot be a name refers to the first page, because a native node serves every path.
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

/** An Origin that is safe to print in a terminal: programs can send any. */
const toPrintable = (origin: string): string => origin.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');

/** Calls back when the stream exceeds the limit. Returns a function that stops counting. */
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
  /** Origins of the pages that are not served yet. */
  const waiting: string[] = [];
  const failedAttempts = createFailedAttempts(elapsedMs);
  let isFirstOpen = options.acceptFirst;
  const ofOrigin = (origin: string): number => waiting.filter((one) => one === origin).length;
  const takeFirst = (): boolean => {
    const isOpen = isFirstOpen;
    isFirstOpen = false;
    return isOpen;
  };

  const accept = async (socket: WebSocket, stream: Duplex, origin: string): Promise<void> => {
    socket.on('error', () => socket.terminate());
    waiting.push(origin);
    const stopCounting = limitBytes(stream, maxArrivalBytes, () => socket.terminate());
    const arrived = await receivePage(socket, origin, options.pairing, takeFirst);
    waiting.splice(waiting.indexOf(origin), 1);
    stopCounting();
    if ('reason' in arrived) {
      if (arrived.code === bridgeCloseCodes.unknownSecret) failedAttempts.failed(origin);
      options.onRefused(toPrintable(origin), arrived.reason);
    } else if (isFull()) {
      socket.close(bridgeCloseCodes.declined, 'Too many pages');
      options.onRefused(toPrintable(origin), 'Too many pages');
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
      else if (failedAttempts.isBlocked(origin))
        refuseUpgrade(stream, { status: 429, text: 'Too many wrong secrets. Try again in a minute.' });
      else
        server.handleUpgrade(request, stream, head, (socket) => {
          server.emit('connection', socket, request);
          void accept(socket, stream, origin);
        });
    },
    close: () => {
      stopPings();
      for (const socket of server.clients) socket.close(1001, 'The bridge stops');
    },
  };
};
