import type { HostContext, HostFunction, HostHashes } from './context.ts';

const hashing = (name: string, hash: (hashes: HostHashes, data: Uint8Array) => Uint8Array): HostFunction => ({
  name,
  params: 'I',
  results: 'i',
  create: (host: HostContext) => (data: bigint) =>
    host.memory.givePointer(hash(host.hashes, host.memory.view(data))),
});

/** Hashing. */
export const hashingFunctions: readonly HostFunction[] = [
  hashing('ext_hashing_keccak_256_version_1', (hashes, data) => hashes.keccak256(data)),
  hashing('ext_hashing_keccak_512_version_1', (hashes, data) => hashes.keccak512(data)),
  hashing('ext_hashing_sha2_256_version_1', (hashes, data) => hashes.sha2256(data)),
  hashing('ext_hashing_blake2_128_version_1', (hashes, data) => hashes.blake2b128(data)),
  hashing('ext_hashing_blake2_256_version_1', (hashes, data) => hashes.blake2b256(data)),
  hashing('ext_hashing_twox_64_version_1', (hashes, data) => hashes.twox64(data)),
  hashing('ext_hashing_twox_128_version_1', (hashes, data) => hashes.twox128(data)),
  hashing('ext_hashing_twox_256_version_1', (hashes, data) => hashes.twox256(data)),
];
