import { NodeError } from '../../src/protocol/errors.ts';
import type { Carrier } from '../consensus/grandpa/voter/polite.ts';
import type { LinkedPeer, LinksDeps, OpenLinks } from './links.ts';
import type { Listeners } from './peers.ts';

/** `OpenLinks` whose code is loaded with the first link: most nodes never have one. */
export type Links = {
  readonly gossip: Carrier;
  /** Serves another node at the other end of a port. Returns the number of the link. */
  open(port: MessagePort): Promise<number>;
  /** The peers on the same chain. */
  peers(): readonly LinkedPeer[];
  cut(link: number): Promise<void>;
  close(): Promise<void>;
};

const listenIn = <T>(listeners: Set<T>, listener: T): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const createLinks = (deps: LinksDeps): Links => {
  const listeners: Listeners = { message: new Set(), peer: new Set(), leave: new Set(), early: [] };
  let loading: Promise<OpenLinks> | null = null;
  let links: OpenLinks | null = null;
  let isClosed = false;
  const load = async (): Promise<OpenLinks> => {
    const { startLinks } = await import('./links.ts');
    links ??= startLinks(deps, listeners);
    return links;
  };
  /** Code that failed to load is requested again with the next link. */
  const forget = (error: unknown): never => {
    loading = null;
    throw error;
  };
  return {
    gossip: {
      peers: () => links?.peers().map(({ name }) => name) ?? [],
      send: (peer, bytes) => links?.send(peer, bytes),
      rate: (peer, change) => links?.rate(peer, change),
      onMessage: (listener) => {
        const end = listenIn(listeners.message, listener);
        for (const received of listeners.early.splice(0)) listener(...received);
        return end;
      },
      onPeer: (listener) => listenIn(listeners.peer, listener),
      onLeave: (listener) => listenIn(listeners.leave, listener),
    },
    open: async (port) => {
      loading ??= load().catch(forget);
      const opened = await loading;
      if (isClosed) throw new NodeError('Disconnected', 'The node is not running');
      return opened.open(port);
    },
    peers: () => links?.peers() ?? [],
    cut: async (link) => links?.cut(link),
    close: async () => {
      isClosed = true;
      const opened = await loading?.catch(() => null);
      await opened?.close();
    },
  };
};
