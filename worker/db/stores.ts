/**
 * The purpose of a store. Names are never reused. A change of key or value needs a migration
 * (migrate.ts).
 */
export type StoreDefinition = {
  /** The schema version that introduced the store. */
  readonly since: number;
  readonly key: string;
  readonly value: string;
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
  readonly doc: string;
};

/** The only list of the node's stores. */
export const stores = {
  meta: {
    since: 1,
    key: 'UTF-8 name',
    value: 'by name',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'Single facts: schema version, genesis, best, finalized, clock offset.',
  },
  headers: {
    since: 1,
    key: 'block hash',
    value: 'block metadata (u32: weight of its branch, top bit: sealed by this node), SCALE header',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'Headers of all known blocks, forks too.',
  },
  bodies: {
    since: 1,
    key: 'block hash',
    value: 'SCALE extrinsics',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'Extrinsics of all known blocks.',
  },
  justifications: {
    since: 1,
    key: 'block hash',
    value: 'SCALE (engine id, bytes) pairs',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'Finality proofs.',
  },
  numbers: {
    since: 1,
    key: 'u32 BE block number',
    value: 'block hash, block metadata (as in headers)',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'The canonical chain.',
  },
  journals: {
    since: 1,
    key: 'u64 BE sequence',
    value: 'packed nodes',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'New trie nodes of one import each, until they are moved into nodes, in slices beside the imports.',
  },
  nodes: {
    since: 1,
    key: 'blake2-256',
    value: 'trie node or long value',
    durability: 'relaxed',
    proof: 'hash',
    doc: 'Trie nodes, content-addressed.',
  },
  nodeCounts: {
    since: 4,
    key: 'blake2-256',
    value: 'u32: how many places of the kept states have the node',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'Nodes with more than one place, where states are pruned; a node without a record has one.',
  },
  nodeChanges: {
    since: 4,
    key: 'block hash',
    value: 'u64 sequence of its journal, hashes of the nodes its state added and of those it removed',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'Where states are pruned: of each block until the state of its parent is discarded, or its own is.',
  },
  lostNodes: {
    since: 4,
    key: 'u64 BE running number',
    value: 'u64 sequence of a journal, hashes of its nodes',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'What deleted blocks of lost branches added, until it is taken back.',
  },
  offchain: {
    since: 1,
    key: 'prefix and key',
    value: 'bytes',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'Offchain local storage and indexed data.',
  },
  keystore: {
    since: 1,
    key: 'key type (4 bytes), public key',
    value: 'SCALE scheme, secret URI',
    durability: 'strict',
    proof: 'checksum',
    doc: 'Session keys. Nothing can compute these again, so they are the strict store.',
  },
  auxiliary: {
    since: 1,
    key: 'engine and name',
    value: 'by engine',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'What a consensus engine remembers.',
  },
  pool: {
    since: 5,
    key: 'extrinsic hash',
    value: 'u32 order of arrival, u8 source, the extrinsic',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'The transactions of the pool, for the next start.',
  },
  snapshots: {
    since: 1,
    key: 'UTF-8 name',
    value: 'packed snapshot',
    durability: 'relaxed',
    proof: 'checksum',
    doc: 'Named snapshots of a chain.',
  },
} as const satisfies Record<string, StoreDefinition>;

/** The name of a store in `stores`. */
export type StoreName = keyof typeof stores;

/**
 * Incremented with every change of `stores` or of a record's format, together with an entry in `migrations`
 * (migrate.ts).
 */
export const schemaVersion = 5;

export const storeNames: readonly StoreName[] = /* @__PURE__ */ Object.keys(stores) as StoreName[];
