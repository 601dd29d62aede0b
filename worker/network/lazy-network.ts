import { NodeError } from '../../src/protocol/errors.ts';
import type { NetworkConfig } from '../../src/protocol/network.ts';
import type { Carrier as VoteCarrier } from '../consensus/grandpa/voter/polite.ts';
import type { NetworkDeps } from './deps.ts';
import type { VoteListeners } from './links/votes.ts';
import type { NetworkPeer, OpenNetwork } from './network.ts';

/** The network of a node, whose code is loaded with the first connection: most nodes never have one. */
export type Network = {
  /** How the voter reaches others. */
  readonly gossip: VoteCarrier;
  /** Connects with the node at the other end of a port. Returns the number of the link. */
  link(port: MessagePort): Promise<number>;
  unlink(link: number): Promise<void>;
  /** The peers on the same chain. */
  peers(): readonly NetworkPeer[];
  /** Whether the node takes part in a network. */
  isJoined(): boolean;
  /** Why an authority seals no blocks by slots for now; null if it may. */
  findWait(): Promise<string | null>;
  /**
   * Takes part in a network: dials its nodes, and serves those that dial. Throws `InNetwork` if it does already, and
   * `BadConfig` for a wrong address.
   */
  join(config: NetworkConfig): Promise<void>;
  /** Ends all connections but the links. */
  leave(): void;
  /** A node has dialled us, from this host; the port carries the bytes of its connection. */
  accept(port: MessagePort, host?: string): Promise<void>;
  /** Null before the first connection. */
  opened(): OpenNetwork | null;
  /** Loads it. */
  open(): Promise<OpenNetwork>;
  close(): Promise<void>;
};

const listenIn = <T>(listeners: Set<T>, listener: T): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

const createGossip = (listeners: VoteListeners, opened: () => OpenNetwork | null): VoteCarrier => ({
  peers: () => opened()?.votes.peers() ?? [],
  send: (peer, bytes) => opened()?.votes.sendTo(peer, bytes),
  rate: (peer, change) => opened()?.rate(peer, change),
  onMessage: (listener) => {
    const end = listenIn(listeners.message, listener);
    for (const received of listeners.early.splice(0)) listener(...received);
    return end;
  },
  onPeer: (listener) => listenIn(listeners.peer, listener),
  onLeave: (listener) => listenIn(listeners.leave, listener),
});

export const createNetwork = (deps: NetworkDeps): Network => {
  const listeners: VoteListeners = { message: new Set(), peer: new Set(), leave: new Set(), early: [] };
  let loading: Promise<OpenNetwork> | null = null;
  let opened: OpenNetwork | null = null;
  let isClosed = false;
  let isJoined = false;
  const load = async (): Promise<OpenNetwork> => {
    const { startNetwork } = await import('./network.ts');
    opened ??= startNetwork(deps, listeners);
    return opened;
  };
  /** Code that failed to load is requested again with the next connection. */
  const forget = (error: unknown): never => {
    loading = null;
    throw error;
  };
  const need = async (): Promise<OpenNetwork> => {
    loading ??= load().catch(forget);
    const network = await loading;
    if (isClosed) throw new NodeError('Disconnected', 'The node is not running');
    return network;
  };
  return {
    gossip: createGossip(listeners, () => opened),
    link: async (port) => (await need()).link(port),
    unlink: async (link) => opened?.unlink(link),
    peers: () => opened?.peers() ?? [],
    isJoined: () => isJoined,
    findWait: async () => (await opened?.findWait()) ?? null,
    join: async (config) => {
      if (isJoined) throw new NodeError('InNetwork', 'The node is in a network');
      const bootNodes = config.bootNodes ?? deps.chain.spec.bootNodes;
      (await need()).join(config, bootNodes);
      isJoined = true;
    },
    leave: () => {
      isJoined = false;
      opened?.leave();
    },
    accept: async (port, host) => (await need()).accept(port, host),
    opened: () => opened,
    open: need,
    close: async () => {
      isClosed = true;
      const network = await loading?.catch(() => null);
      await network?.close();
    },
  };
};
