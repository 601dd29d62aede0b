/**
 * The fuel cost of a host function: per call, and per byte that it reads from or writes to the runtime's
 * memory. A unit is about ten nanoseconds of work or two bytes of retained memory (decision 16). Functions
 * that work on the state also pay for its steps (`Overlay.steps`).
 */
export type HostCost = { readonly call: number; readonly byte: number; readonly state: boolean };

/**
 * Copies retain nothing. Keys are hashed, and names of child tries are converted to text. Stored data stays
 * in memory until the end of the call or block.
 */
const copied = 1 / 32;
const hashed = 1 / 8;
const kept = 1 / 2;

/** Costs by prefix of the name without `ext_`. The longest match applies. */
const costs: Readonly<Record<string, readonly [call: number, byte: number]>> = {
  '': [200, kept],
  // Allocation and free.
  allocator: [8, 0],
  logging_max_level: [2, 0],
  // A compressed blob of a few bytes may decompress to 50 MiB.
  misc_runtime_version: [10_000_000, 4],
  storage: [50, hashed],
  storage_set: [80, kept],
  storage_append: [80, kept],
  storage_start_transaction: [100, copied],
  storage_rollback_transaction: [20, copied],
  storage_commit_transaction: [20, copied],
  storage_next_key: [300, hashed],
  storage_clear_prefix: [300, hashed],
  storage_root: [500, copied],
  default_child_storage: [80, kept],
  default_child_storage_set: [120, kept],
  default_child_storage_next_key: [350, kept],
  default_child_storage_clear_prefix: [350, kept],
  default_child_storage_storage_kill: [350, kept],
  default_child_storage_root: [500, kept],
  hashing_blake2: [30, 1 / 6],
  hashing_twox: [15, 1 / 16],
  hashing: [60, 2 / 3],
  hashing_keccak_512: [60, 4 / 3],
  crypto: [12_000, 1 / 6],
  crypto_ecdsa: [60_000, 1 / 6],
  crypto_secp256k1: [60_000, 1 / 6],
  // The words of a secret URI go through key stretching.
  crypto_sr25519_generate: [300_000, 1 / 6],
  crypto_ed25519_generate: [300_000, 1 / 6],
  crypto_ecdsa_generate: [300_000, 1 / 6],
  crypto_start_batch_verify: [10, 0],
  crypto_finish_batch_verify: [10, 0],
  // The cost of each item and of its key's bytes is added.
  trie: [500, 1 / 4],
  trie_keccak: [500, 1],
};

const prefixes = /* @__PURE__ */ Object.keys(costs).sort((a, b) => b.length - a.length);

/** The cost that each item of a list adds to computing the list's root: one or two trie nodes. */
export const rootItemCost = 350;

/**
 * The cost of each byte of an item's key. A node's depth is the number of keys that are prefixes of its own,
 * and the path is walked.
 */
export const rootKeyByteCost = 10;

export const costOf = (name: string): HostCost => {
  const bare = name.replace(/^ext_/, '');
  const prefix = prefixes.find((candidate) => bare.startsWith(candidate)) as string;
  const [call, byte] = costs[prefix] as readonly [number, number];
  return { call, byte, state: /^(storage|default_child_storage|offchain_index)_/.test(bare) };
};
