import type { EndpointStatus } from '../../src/protocol/fork-status.ts';
import type { Block } from '../codec/block.ts';

/** What the chain says it is. Only the genesis hash is checked, against that of a known name. */
export type OriginFacts = {
  readonly genesisHash: Uint8Array;
  readonly name: string;
  /** Null: JSON-RPC has no method for it, so it is only known from a specification. */
  readonly id: string | null;
  /** `Live`, `Development`, … */
  readonly chainType: string | null;
  /** Token symbol and decimals, address format. */
  readonly properties: Readonly<Record<string, unknown>>;
};

/** Keys of one trie. `child`: the name of a child trie, without `:child_storage:default:`; null: the main trie. */
export type ProofRequest = { readonly child: Uint8Array | null; readonly keys: readonly Uint8Array[] };

export type EndpointStats = EndpointStatus;
export type EndpointState = EndpointStatus['state'];

export type OriginStats = {
  readonly requests: number;
  readonly bytes: number;
  readonly lies: number;
  readonly endpoints: readonly EndpointStats[];
};

/** Whose latest block: the best one, or the last finalized one. */
export type Head = 'best' | 'finalized';

/**
 * A live chain that is read over the network. Blocks and nodes are verified by their hashes; the rest is what its
 * endpoints claim.
 *
 * Each call asks another endpoint if one fails, is slow or lies. It rejects with `EndpointFailed`, `EndpointLied`,
 * `EndpointUnfit` or `NotCached` when none is left, naming endpoint, block and key; with `Aborted` after `close()`;
 * with `QueueFull` if too much is requested at once.
 */
export type Origin = {
  /** `known`: what was learned before of the chain with a genesis hash, which is not asked for again. */
  facts(known?: (genesisHash: Uint8Array) => Promise<OriginFacts | null>): Promise<OriginFacts>;
  /**
   * The hash of the block at a height of the best chain. Null: there is none. A claim: all that is verified is that
   * a header with this hash has that number, and that the endpoint named the right genesis block a minute ago.
   */
  hashAt(number: number): Promise<Uint8Array | null>;
  /** A claim, verified as little. */
  latest(which: Head): Promise<Uint8Array>;
  /**
   * A whole block by its hash or height, or the latest one, in one request after the one for its hash. Which block it is is a
   * claim, verified as little. `known`: a verified block that was read before. Null: there is none.
   */
  block(
    which: Head | number | Uint8Array,
    known: (hash: Uint8Array) => Promise<Block | null>,
  ): Promise<{ readonly hash: Uint8Array; readonly block: Block } | null>;
  /** The encoded header, verified by its hash. Null: no endpoint knows the block. */
  header(hash: Uint8Array): Promise<Uint8Array | null>;
  /** The extrinsics, with their length prefixes, verified by the header's extrinsics root. Null: unknown block. */
  body(hash: Uint8Array): Promise<readonly Uint8Array[] | null>;
  /**
   * The trie nodes and hashed values that prove the keys in the state of a block, each once. They are complete: no
   * node on the way to a key is missing.
   *
   * `wanted` are hashes (32 bytes) of nodes that must be among them. If no endpoint has the block's state any more,
   * newer blocks are asked, and the proof is complete in their state: a node is right if its hash is.
   */
  nodes(
    at: Uint8Array,
    requests: readonly ProofRequest[],
    wanted: readonly Uint8Array[],
  ): Promise<Uint8Array[]>;
  /**
   * Up to `count` keys under a prefix, after `startKey`, in order (`state_getKeysPaged`). An unproven hint; if the
   * state of the block was discarded, it is of a newer block.
   */
  keysPaged(
    at: Uint8Array,
    prefix: Uint8Array,
    count: number,
    startKey: Uint8Array | null,
  ): Promise<Uint8Array[]>;
  /** The keys that a block changed (`archive_v1_storageDiff`). An unproven hint. Null: no endpoint offers it. */
  diff(at: Uint8Array): Promise<Uint8Array[] | null>;
  /**
   * Calls back with each new best or finalized block, starting with the current one. Returns how to stop. `onFault`: called
   * with the error when no endpoint can be asked for heads, and not again until one could be.
   */
  follow(which: Head, listener: (hash: Uint8Array) => void, onFault?: (error: unknown) => void): () => void;
  stats(): OriginStats;
  /** Calls back after changes of the statistics, at most once per turn of the event loop. */
  onProgress(listener: () => void): () => void;
  /** Ends all connections; pending calls reject with `Aborted`. */
  close(): void;
};
