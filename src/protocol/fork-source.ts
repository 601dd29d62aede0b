/**
 * A node that the program which starts this one connects to. Each port that is posted to `port` becomes a connection, which
 * carries JSON-RPC texts and ends with a note `bye` (port.ts).
 */
export type ProviderSource = { readonly name: string; readonly port: MessagePort };

/** How much of a live chain a fork has read since it was started. */
export type ForkProgress = {
  readonly requests: number;
  /** Characters of JSON in both directions, which are bytes for what nodes send. */
  readonly bytes: number;
  /** Keys of the state whose proofs were requested. */
  readonly items: number;
  /**
   * What most keys of the last request are of, by the names of the runtime's metadata. `item` is null if they are of several
   * items of the pallet. Null while the names are not known.
   */
  readonly reading: { readonly pallet: string; readonly item: string | null; readonly keys: number } | null;
};

/** A chain that is known beforehand. */
export type ExpectedChain = {
  /** As errors show it. */
  readonly title: string;
  /** In hex with 0x, lowercase. */
  readonly genesisHash: string;
};

/** A live chain, continued here from one of its blocks on. */
export type ForkSource = {
  /** URLs (ws, wss, http, https) and providers of 1 to 16 nodes of the chain, the preferred one first. */
  readonly endpoints: readonly (string | ProviderSource)[];
  /**
   * The block to continue from, the base: a hash, a number, `best` or `finalized`. Default: `finalized`, or the base of
   * the fork that the storage holds.
   */
  readonly block?: string | undefined;
  /** A pack of a fork (`dev_exportFork`), which opens without an endpoint. */
  readonly pack?: Uint8Array | undefined;
  /**
   * Forbids the network: only what was read before is there. Endpoints only say which chain is meant. Default: no.
   */
  readonly offline?: boolean | undefined;
  /**
   * Limit in bytes of what all forks of this browser or base path have read and share; 0 does without. Default: 256 MiB. A
   * fork in memory has no such store.
   */
  readonly sharedBytes?: number | undefined;
  /** The chain that the endpoints, a pack and the storage must be of. Default: any. */
  readonly expected?: ExpectedChain | undefined;
  /**
   * Whether the runtime may import host functions that this node does not have. It traps, with the name, if it calls one.
   * Default: such a fork is refused.
   */
  readonly allowUnresolvedImports?: boolean | undefined;
  /** Receives a `ForkProgress` from time to time. */
  readonly progress?: MessagePort | undefined;
};
