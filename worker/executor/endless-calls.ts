import { buildTinyModule, type TinyModule, tinyTypes } from './tiny-module.ts';

/** Runtimes for tests: each function calls the host for ever. */

// Wasm in bytes.
const drop = 0x1a;
const i32 = (...leb: number[]): number[] => [0x41, ...leb];
/** The span of `length` (a LEB) bytes at an address below 64. */
const span = (address: number, ...length: number[]): number[] => [
  ...[0x42, ...length, 0x42, 32, 0x86],
  ...[0x42, address, 0x84],
];
const call = (index: number): number[] => [0x10, index];
const forever = (...body: readonly (readonly number[])[]): number[] => [
  ...[0x03, 0x40, ...body.flat()],
  ...[0x0c, 0, 0x0b, 0x00],
];

const fourBytes = span(16, 4);
const kilobyte = span(0, 0x80, 0x08);
const sixtyKilobytes = span(0, 0xe0, 0xd4, 0x03);
const megabyte = span(0, 0x80, 0x80, 0xc0, 0x00);
/** Adds one to the word at 16, so that the four bytes there are another key. */
const nextKey = [...i32(16), ...i32(16), 0x28, 2, 0, ...i32(1), 0x6a, 0x36, 2, 0];
const grow = [...i32(16), 0x40, 0, drop];

const imports = [
  ['ext_logging_max_level_version_1', tinyTypes.unitToFlag],
  ['ext_storage_set_version_1', tinyTypes.spansToUnit],
  ['ext_hashing_blake2_256_version_1', tinyTypes.spanToFlag],
  ['ext_hashing_keccak_256_version_1', tinyTypes.spanToFlag],
  ['ext_storage_next_key_version_1', tinyTypes.spanToSpan],
  ['ext_storage_root_version_2', tinyTypes.numberToSpan],
  ['ext_allocator_malloc_version_1', tinyTypes.malloc],
  ['ext_allocator_free_version_1', tinyTypes.free],
  ['ext_logging_log_version_1', tinyTypes.levelAndSpans],
  ['ext_storage_start_transaction_version_1', tinyTypes.unit],
  ['ext_storage_append_version_1', tinyTypes.spansToUnit],
  ['ext_storage_get_version_1', tinyTypes.spanToSpan],
  ['ext_storage_exists_version_1', tinyTypes.spanToFlag],
  ['ext_storage_clear_prefix_version_1', tinyTypes.spanToUnit],
  ['ext_hashing_twox_128_version_1', tinyTypes.spanToFlag],
  ['ext_crypto_sr25519_verify_version_2', tinyTypes.verify],
  ['ext_storage_rollback_transaction_version_1', tinyTypes.unit],
] as const;
const at = (name: string): number[] => call(imports.findIndex(([known]) => known.includes(name)));
const free = at('allocator_free');

export const endlessCalls = {
  cheapest: forever(at('max_level'), [drop]),
  sameValue: forever(fourBytes, sixtyKilobytes, at('storage_set')),
  newKeys: forever(nextKey, fourBytes, fourBytes, at('storage_set')),
  newValues: forever(nextKey, fourBytes, sixtyKilobytes, at('storage_set')),
  missingKeys: forever(nextKey, fourBytes, at('storage_exists'), [drop]),
  hashes: [...grow, ...forever(megabyte, at('blake2_256'), free)],
  slowHashes: [...grow, ...forever(megabyte, at('keccak_256'), free)],
  shortHashes: forever(nextKey, fourBytes, at('twox_128'), free),
  keysAndRoots: forever(
    ...[nextKey, fourBytes, fourBytes, at('storage_set')],
    ...[fourBytes, at('next_key'), [0xa7], free],
    ...[i32(1), at('storage_root'), [0xa7], free],
  ),
  allocations: forever(i32(0xc0, 0x00), at('allocator_malloc'), free),
  logs: forever(i32(2), fourBytes, kilobyte, at('logging_log')),
  transactions: forever(at('start_transaction')),
  appends: forever(fourBytes, kilobyte, at('storage_append')),
  undoneAppends: forever(at('start_transaction'), fourBytes, fourBytes, at('storage_append'), at('rollback')),
  prefixes: forever(nextKey, span(15, 5), fourBytes, at('storage_set'), span(15, 1), at('clear_prefix')),
  signatures: forever(i32(0), kilobyte, i32(0x80, 0x01), at('sr25519_verify'), [drop]),
} satisfies TinyModule['functions'];

export type EndlessCall = keyof typeof endlessCalls;

/** A runtime of all of them, and of what else is given. */
export const buildEndlessCalls = (functions: TinyModule['functions'] = {}): Uint8Array =>
  buildTinyModule({ imports, functions: { ...functions, ...endlessCalls } });
