import { createSubscriber } from 'svelte/reactivity';
import { coalesce } from '../../kit/page/coalesce.ts';
import type { Answer, UiNode } from '../client/ui-node.ts';

type Network = Answer<'dev_network'>;
/** What a node says of a peer; its reputation only to those who may call `dev_network`. */
export type Peer = Answer<'system_peers'>[number] & { readonly reputation?: number };

/** A node and its peers. */
export type NetworkNow = {
  /** Whether it takes part in a network; null if it does not say so. */
  readonly isJoined: boolean | null;
  readonly peerCount: number;
  /** Null if the node does not tell them to this page. */
  readonly peers: readonly Peer[] | null;
  /** Whether it is far behind its peers. */
  readonly isSyncing: boolean;
  readonly current: number;
  readonly highest: number;
  /** Why nodes could not be reached, by their ids. */
  readonly unreachable: Readonly<Record<string, string>>;
};

type Node = Pick<UiNode, 'request' | 'offers' | 'remote'>;

/** The node's own account of its network, if this page may ask for it. */
const readOwn = async (node: Node): Promise<Network | null> =>
  node.offers('dev_network') ? node.request('dev_network', []) : null;

const readPeers = async (node: Node): Promise<readonly Peer[] | null> =>
  node.offers('system_peers') ? node.request('system_peers', []).catch(() => null) : null;

const readNow = async (node: Node): Promise<NetworkNow> => {
  const [health, sync, own] = await Promise.all([
    node.request('system_health', []),
    node.request('system_syncState', []),
    readOwn(node),
  ]);
  const peers = own?.peers ?? (await readPeers(node));
  return {
    isJoined: own?.joined ?? (health.peers > 0 || health.shouldHavePeers ? true : null),
    peerCount: health.peers,
    peers,
    isSyncing: health.isSyncing,
    current: sync.currentBlock,
    highest: Math.max(sync.currentBlock, sync.highestBlock),
    unreachable: own?.unreachable ?? {},
  };
};

const everyMs = 2000;

/** The peers of a node, and how far it has synced: read while something shows it. */
export class NetworkView {
  #now = $state.raw<NetworkNow | null>(null);
  readonly #watch: () => void;
  /** Reads again. Rejects with the node's errors. */
  readonly read: () => Promise<void>;

  constructor(node: Node) {
    this.read = coalesce(async () => {
      this.#now = await readNow(node);
    });
    const refresh = (): void => void this.read().catch(() => undefined);
    this.#watch = createSubscriber(() => {
      const timer = setInterval(refresh, everyMs);
      refresh();
      return () => clearInterval(timer);
    });
  }

  /** Null until it is known. */
  get now(): NetworkNow | null {
    this.#watch();
    return this.#now;
  }
}

/** How far the sync is, in whole percent; below 100 until it is done. */
export const percentOf = ({ current, highest }: Pick<NetworkNow, 'current' | 'highest'>): number =>
  highest === 0 ? 100 : Math.floor((current * 100) / highest);
