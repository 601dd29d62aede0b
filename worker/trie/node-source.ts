import { bytesToKey } from '../bytes/bytes.ts';
import type { NodeCache } from './node-cache.ts';

/** A hash function with 32 bytes of output: blake2b-256 for state, keccak-256 for `trie_keccak_256_*`. */
export type Hash256 = (data: Uint8Array) => Uint8Array;

/**
 * Source of encoded nodes and hashed values, by hash. Null: not in memory. Returned bytes are retained and
 * must never change; each should have its own buffer.
 */
export type NodeSource = {
  getNode(hash: Uint8Array): Uint8Array | null;
  /** Shared by all tries over the source. Without it each trie keeps what it decodes for its lifetime. */
  readonly cache?: NodeCache;
  /** The hash of the block whose state is read through it, for a store that proves what it lacks in that state. */
  readonly at?: Uint8Array;
};

/** New nodes of a trie by hash: each of 32 bytes or more, the root, and hashed values. */
export type NodeBatch = readonly (readonly [hash: Uint8Array, bytes: Uint8Array])[];

export type NodeMap = NodeSource & {
  add(batch: NodeBatch): void;
  delete(hash: Uint8Array): void;
  size(): number;
};

/** A source without nodes, to build a trie from nothing. */
export const emptySource: NodeSource = { getNode: () => null };

/** Nodes in memory, unbounded. */
export const createNodeMap = (batch: NodeBatch = []): NodeMap => {
  const nodes = new Map<string, Uint8Array>();
  const add = (more: NodeBatch): void => {
    for (const [hash, bytes] of more) nodes.set(bytesToKey(hash), bytes);
  };
  add(batch);
  return {
    getNode: (hash) => nodes.get(bytesToKey(hash)) ?? null,
    add,
    delete: (hash) => void nodes.delete(bytesToKey(hash)),
    size: () => nodes.size,
  };
};

/**
 * The nodes of a proof (list-of-nodes form, `state_getReadProof`). Each is stored under its computed hash, so
 * that none can be forged.
 */
export const createProofSource = (hash: Hash256, proof: readonly Uint8Array[]): NodeSource =>
  createNodeMap(proof.map((node) => [hash(node), node] as const));
