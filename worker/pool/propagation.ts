import { type BoundedMap, createBoundedMap } from '../bytes/bounded-map.ts';
import type { ExtrinsicHash } from '../codec/identity.ts';
import type { Pool, PoolTransaction } from './pool.ts';

/** Someone who takes transactions. Declared here, provided by whatever holds connections to peers. */
export type Peer = {
  /** Base58, as it is told to watchers. */
  readonly id: string;
  /** Takes one whole extrinsic; false when the peer cannot take it now. */
  readonly send: (extrinsic: Uint8Array) => boolean;
};

/** Hands ready transactions on to peers, each at most once to each (RPC.md §6.6). */
export type Propagation = {
  /** The peer gets what is ready now and what becomes ready later, until the answer is called. */
  addPeer(peer: Peer): () => void;
  /** A peer sent us this one: it need not get it back. */
  known(peerId: string, hash: ExtrinsicHash): void;
  /** Offers again what some peer could not take. */
  sweep(): void;
  close(): void;
};

/** How many transactions are remembered per peer. */
const maxKnown = 10_240;

type Known = { readonly peer: Peer; readonly hashes: BoundedMap<ExtrinsicHash, true> };

/** Creates the way out of the pool; without peers it costs a look at an empty map. */
export const createPropagation = (deps: {
  readonly pool: Pick<Pool, 'ready' | 'onReady' | 'broadcast'>;
}): Propagation => {
  const { pool } = deps;
  const peers = new Map<string, Known>();
  const offer = ({ hash, extrinsic, propagate }: PoolTransaction, to: Iterable<Known>): void => {
    if (!propagate) return;
    const reached: string[] = [];
    for (const known of to) {
      if (known.hashes.has(hash) || !known.peer.send(extrinsic)) continue;
      known.hashes.keep(hash, true);
      reached.push(known.peer.id);
    }
    if (reached.length > 0) pool.broadcast(hash, reached);
  };
  const offerAll = (to: Iterable<Known>): void => {
    for (const transaction of pool.ready()) offer(transaction, to);
  };
  const stop = pool.onReady((transaction) => offer(transaction, peers.values()));
  return {
    addPeer: (peer) => {
      const known: Known = { peer, hashes: createBoundedMap(maxKnown) };
      peers.set(peer.id, known);
      offerAll([known]);
      return () => {
        if (peers.get(peer.id) === known) peers.delete(peer.id);
      };
    },
    known: (peerId, hash) => {
      peers.get(peerId)?.hashes.keep(hash, true);
    },
    sweep: () => {
      if (peers.size > 0) offerAll([...peers.values()]);
    },
    close: () => {
      stop();
      peers.clear();
    },
  };
};
