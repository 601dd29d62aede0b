/**
 * The purpose of a store. Names are never reused. A change of key or value needs a migration
 * (migrate.ts).
 */
export type StoreDefinition = {
  /** The schema version that introduced the store. */
  readonly since: number;
  /**
   * `strict`: a write is on disk when it resolves. `relaxed`: the operating system has it; a power cut may
   * lose the newest writes, but never tears one.
   */
  readonly durability: 'strict' | 'relaxed';
  /**
   * How a record is verified. `checksum`: the database appends one to the value and compares it on each read
   * (checked.ts). `hash`: the key is the hash of the value, and its only reader compares it
   * (chain/states/node-store.ts).
   */
  readonly proof: 'checksum' | 'hash';
};

/** The only list of the node's stores. */
export const stores = {
  /**
   * Single facts: schema version, genesis, best, finalized, clock offset.
   *
   * Key: UTF-8 name. Value: by name.
   */
  meta: { since: 1, durability: 'relaxed', proof: 'checksum' },
  /**
   * Headers of all known blocks, forks too.
   *
   * Key: block hash. Value: block metadata (u32: weight of its branch, top bit: sealed by this node), SCALE header.
   */
  headers: { since: 1, durability: 'relaxed', proof: 'checksum' },
  /**
   * Extrinsics of all known blocks.
   *
   * Key: block hash. Value: SCALE extrinsics.
   */
  bodies: { since: 1, durability: 'relaxed', proof: 'checksum' },
  /**
   * Finality proofs.
   *
   * Key: block hash. Value: SCALE (engine id, bytes) pairs.
   */
  justifications: { since: 1, durability: 'relaxed', proof: 'checksum' },
  /**
   * The canonical chain.
   *
   * Key: u32 BE block number. Value: block hash, block metadata (as in headers).
   */
  numbers: { since: 1, durability: 'relaxed', proof: 'checksum' },
  /**
   * New trie nodes of one import each, until they are moved into nodes, in slices beside the imports.
   *
   * Key: u64 BE sequence. Value: packed nodes.
   */
  journals: { since: 1, durability: 'relaxed', proof: 'checksum' },
  /**
   * Trie nodes, content-addressed.
   *
   * Key: blake2-256. Value: trie node or long value.
   */
  nodes: { since: 1, durability: 'relaxed', proof: 'hash' },
  /**
   * Nodes with more than one place, where states are pruned; a node without a record has one.
   *
   * Key: blake2-256. Value: u32: how many places of the kept states have the node.
   */
  nodeCounts: { since: 4, durability: 'relaxed', proof: 'checksum' },
  /**
   * Where states are pruned: of each block until the state of its parent is discarded, or its own is.
   *
   * Key: block hash. Value: u64 sequence of its journal, hashes of the nodes its state added and of those it removed.
   */
  nodeChanges: { since: 4, durability: 'relaxed', proof: 'checksum' },
  /**
   * What deleted blocks of lost branches added, until it is taken back.
   *
   * Key: u64 BE running number. Value: u64 sequence of a journal, hashes of its nodes.
   */
  lostNodes: { since: 4, durability: 'relaxed', proof: 'checksum' },
  /**
   * Offchain local storage and indexed data.
   *
   * Key: prefix and key. Value: bytes.
   */
  offchain: { since: 1, durability: 'relaxed', proof: 'checksum' },
  /**
   * Session keys. Nothing can compute these again, so they are the strict store.
   *
   * Key: key type (4 bytes), public key. Value: SCALE scheme, secret URI.
   */
  keystore: { since: 1, durability: 'strict', proof: 'checksum' },
  /**
   * What a consensus engine remembers.
   *
   * Key: engine and name. Value: by engine.
   */
  auxiliary: { since: 1, durability: 'relaxed', proof: 'checksum' },
  /**
   * The transactions of the pool, for the next start.
   *
   * Key: extrinsic hash. Value: u32 order of arrival, u8 source, the extrinsic.
   */
  pool: { since: 5, durability: 'relaxed', proof: 'checksum' },
  /**
   * Named snapshots of a chain.
   *
   * Key: UTF-8 name. Value: packed snapshot.
   */
  snapshots: { since: 1, durability: 'relaxed', proof: 'checksum' },
} as const satisfies Record<string, StoreDefinition>;

/** The name of a store in `stores`. */
export type StoreName = keyof typeof stores;

/**
 * Incremented with every change of `stores` or of a record's format, together with an entry in `migrations`
 * (migrate.ts).
 */
export const schemaVersion = 5;

export const storeNames: readonly StoreName[] = /* @__PURE__ */ Object.keys(stores) as StoreName[];
