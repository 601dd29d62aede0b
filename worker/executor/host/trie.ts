import { Reader } from '../../bytes/reader.ts';
import { isRootOf, orderedRoot, trieRoot } from '../../trie/ordered-root.ts';
import type { HostContext, HostFunction } from './context.ts';
import { rootItemCost } from './costs.ts';
import { toStateVersion } from './storage.ts';

type Hash = (data: Uint8Array) => Uint8Array;
type HashOf = (host: HostContext) => Hash;
const blake2: HashOf = (host) => host.crypto.blake2b256;
const keccak: HashOf = (host) => host.crypto.keccak256;

const rootOfPairs = (host: HostContext, hash: Hash, data: bigint, version: number): number => {
  const reader = new Reader(host.memory.take(data));
  const pairs = reader.vec((item) => [item.vecBytes(), item.vecBytes()] as const);
  host.fuel.charge(pairs.length * rootItemCost);
  return host.memory.givePointer(trieRoot(hash, pairs, toStateVersion(version)));
};
/** A block's extrinsics come here a second time: their root was worked out when the block was verified or put together. */
const rootOfList = (host: HostContext, hash: Hash, data: bigint, given: number): number => {
  const version = toStateVersion(given);
  const known = hash === host.crypto.blake2b256 ? host.call.knownRoot : null;
  if (known !== null && isRootOf(known, host.memory.view(data), version))
    return host.memory.givePointer(known.root);
  const items = new Reader(host.memory.take(data)).vec((item) => item.vecBytes());
  host.fuel.charge(items.length * rootItemCost);
  return host.memory.givePointer(orderedRoot(hash, items, version));
};

type RootOf = typeof rootOfPairs;
const version1 = (name: string, hash: HashOf, root: RootOf): HostFunction => ({
  name,
  params: 'I',
  results: 'i',
  create: (host) => (data: bigint) => root(host, hash(host), data, 0),
});
const version2 = (name: string, hash: HashOf, root: RootOf): HostFunction => ({
  name,
  params: 'Ii',
  results: 'i',
  create: (host) => (data: bigint, version: number) => root(host, hash(host), data, version),
});
/** No runtime imports these; the proof form is trie-db's own, so the answer is "not proven". */
const unproven = (name: string, params: string): HostFunction => ({
  name,
  params,
  results: 'i',
  create: () => () => 0,
});

/** Tries (HOST.md §1.8). */
export const trieFunctions: readonly HostFunction[] = [
  version1('ext_trie_blake2_256_root_version_1', blake2, rootOfPairs),
  version2('ext_trie_blake2_256_root_version_2', blake2, rootOfPairs),
  version1('ext_trie_blake2_256_ordered_root_version_1', blake2, rootOfList),
  version2('ext_trie_blake2_256_ordered_root_version_2', blake2, rootOfList),
  version1('ext_trie_keccak_256_root_version_1', keccak, rootOfPairs),
  version2('ext_trie_keccak_256_root_version_2', keccak, rootOfPairs),
  version1('ext_trie_keccak_256_ordered_root_version_1', keccak, rootOfList),
  version2('ext_trie_keccak_256_ordered_root_version_2', keccak, rootOfList),
  unproven('ext_trie_blake2_256_verify_proof_version_1', 'iIII'),
  unproven('ext_trie_blake2_256_verify_proof_version_2', 'iIIIi'),
  unproven('ext_trie_keccak_256_verify_proof_version_1', 'iIII'),
  unproven('ext_trie_keccak_256_verify_proof_version_2', 'iIIIi'),
];
