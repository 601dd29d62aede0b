import type { MissingNode } from '../../trie/missing-nodes.ts';
import type { NodeBatch } from '../../trie/node-source.ts';

/**
 * Where nodes are read that the database of a fork or a replay lacks: verified nodes of earlier reads, and the live chain,
 * which proves them by key.
 */
export type NodeOrigin = {
  /** Nodes that were read and verified before, by hash; null for each that is unknown. */
  stored(hashes: readonly Uint8Array[]): Promise<readonly (Uint8Array | null)[]>;
  /**
   * Proves the keys of all these nodes in as few requests as possible. Returns every node of the proofs under its computed
   * hash, the missing ones included. Throws `EndpointFailed`, `EndpointLied`, `EndpointUnfit`, `NotCached`.
   */
  prove(missing: readonly MissingNode[]): Promise<NodeBatch>;
};
