import type { HostFunction, HostHashes } from './context.ts';
import { costOf } from './costs.ts';

/** These charge their own fuel, because half of the calls outside the allocator are hashes. */
const hashing = (name: string, hash: (hashes: HostHashes, data: Uint8Array) => Uint8Array): HostFunction => {
  const { call, byte } = costOf(name);
  return {
    name,
    params: 'I',
    results: 'i',
    isMetered: true,
    create:
      ({ memory, fuel, hashes }) =>
      (span: bigint) => {
        const data = memory.view(span);
        fuel.charge(call + data.length * byte);
        return memory.allocWritePointer(hash(hashes, data));
      },
  };
};

/** Host functions for hashing. */
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
