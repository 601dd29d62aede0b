import { Reader } from '../../bytes/reader.ts';
import { isRootOf, orderedRoot, trieRoot } from '../../trie/ordered-root.ts';
import type { HostContext, HostFunction } from './context.ts';
import { rootItemCost, rootKeyByteCost } from './costs.ts';
import { toStateVersion } from './storage.ts';
import { verifyProof } from './verify-proof.ts';

type Hash = (data: Uint8Array) => Uint8Array;
type HashOf = (host: HostContext) => Hash;
const blake2: HashOf = (host) => host.crypto.blake2b256;
const keccak: HashOf = (host) => host.crypto.keccak256;

const rootOfPairs = (host: HostContext, hash: Hash, data: bigint, version: number): number => {
  const reader = new Reader(host.memory.copy(data));
  const pairs = reader.vec((item) => [item.vecBytes(), item.vecBytes()] as const);
  for (const [key] of pairs) host.fuel.charge(rootItemCost + key.length * rootKeyByteCost);
  return host.memory.allocWritePointer(trieRoot(hash, pairs, toStateVersion(version)));
};
/**
 * A block's extrinsics are passed here although their root was already computed when the block was verified
 * or built.
 */
const rootOfList = (host: HostContext, hash: Hash, data: bigint, given: number): number => {
  const version = toStateVersion(given);
  const known = hash === host.crypto.blake2b256 ? host.call.knownRoot : null;
  if (known !== null && isRootOf(known, host.memory.view(data), version))
    return host.memory.allocWritePointer(known.root);
  const items = new Reader(host.memory.copy(data)).vec((item) => item.vecBytes());
  host.fuel.charge(items.length * rootItemCost);
  return host.memory.allocWritePointer(orderedRoot(hash, items, version));
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
const proves = (
  host: HostContext,
  hash: Hash,
  spans: readonly [root: number, proof: bigint, key: bigint, value: bigint],
  version: number,
): number => {
  const { memory } = host;
  const proof = new Reader(memory.copy(spans[1])).vec((item) => item.vecBytes());
  host.fuel.charge(proof.length * rootItemCost);
  const [key, value] = [memory.copy(spans[2]), memory.copy(spans[3])];
  const claim = { root: memory.fixed(spans[0], 32), key, value, version: toStateVersion(version) };
  return verifyProof(hash, proof, claim) ? 1 : 0;
};
const proof1 = (name: string, hash: HashOf): HostFunction => ({
  name,
  params: 'iIII',
  results: 'i',
  create: (host) => (root: number, proof: bigint, key: bigint, value: bigint) =>
    proves(host, hash(host), [root, proof, key, value], 0),
});
const proof2 = (name: string, hash: HashOf): HostFunction => ({
  name,
  params: 'iIIIi',
  results: 'i',
  create: (host) => (root: number, proof: bigint, key: bigint, value: bigint, version: number) =>
    proves(host, hash(host), [root, proof, key, value], version),
});

/** Host functions for trie roots and proofs. */
export const trieFunctions: readonly HostFunction[] = [
  version1('ext_trie_blake2_256_root_version_1', blake2, rootOfPairs),
  version2('ext_trie_blake2_256_root_version_2', blake2, rootOfPairs),
  version1('ext_trie_blake2_256_ordered_root_version_1', blake2, rootOfList),
  version2('ext_trie_blake2_256_ordered_root_version_2', blake2, rootOfList),
  version1('ext_trie_keccak_256_root_version_1', keccak, rootOfPairs),
  version2('ext_trie_keccak_256_root_version_2', keccak, rootOfPairs),
  version1('ext_trie_keccak_256_ordered_root_version_1', keccak, rootOfList),
  version2('ext_trie_keccak_256_ordered_root_version_2', keccak, rootOfList),
  proof1('ext_trie_blake2_256_verify_proof_version_1', blake2),
  proof2('ext_trie_blake2_256_verify_proof_version_2', blake2),
  proof1('ext_trie_keccak_256_verify_proof_version_1', keccak),
  proof2('ext_trie_keccak_256_verify_proof_version_2', keccak),
];
