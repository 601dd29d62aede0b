import type { Core } from './core.ts';

export type Hash = (data: Uint8Array) => Uint8Array;

/** The hash functions of the host interface. */
export type Hashes = {
  /** Blake2b with a digest of `bits` bits. */
  blake2b(bits: 64 | 128 | 256 | 512, data: Uint8Array): Uint8Array;
  blake2b128: Hash;
  blake2b256: Hash;
  /** XXH64 digests with the seeds 0, 1, …, each little-endian. */
  twox64: Hash;
  twox128: Hash;
  twox256: Hash;
  keccak256: Hash;
  keccak512: Hash;
  sha2256: Hash;
};

export const createHashes = (core: Core): Hashes => {
  const { calls, putOne, read } = core;
  const blake2b = (size: number, data: Uint8Array): Uint8Array => {
    putOne(data);
    calls.blake2b(data.length, size);
    return read(size);
  };
  const twox = (lanes: number, data: Uint8Array): Uint8Array => {
    putOne(data);
    calls.twox(data.length, lanes);
    return read(lanes * 8);
  };
  const plain =
    (call: (length: number) => void, size: number): Hash =>
    (data) => {
      putOne(data);
      call(data.length);
      return read(size);
    };
  return {
    blake2b: (bits, data) => blake2b(bits >>> 3, data),
    blake2b128: (data) => blake2b(16, data),
    blake2b256: (data) => blake2b(32, data),
    twox64: (data) => twox(1, data),
    twox128: (data) => twox(2, data),
    twox256: (data) => twox(4, data),
    keccak256: plain(calls.keccak256, 32),
    keccak512: plain(calls.keccak512, 64),
    sha2256: plain(calls.sha2_256, 32),
  };
};
