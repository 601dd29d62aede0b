import { Writer } from '../bytes/writer.ts';
import { encodeLeb } from './leb.ts';
import { buildTinyModule, type TinyModule, tinyTypes } from './tiny-module.fixture.ts';

/** Runtimes for tests. Each function calls the host forever, some with long work in between. */

// Wasm instructions as bytes.
const drop = 0x1a;
const i32 = (...leb: number[]): number[] => [0x41, ...leb];
/** A span of `length` (LEB-encoded) bytes at an address below 64. */
const span = (address: number, ...length: number[]): number[] => [
  ...[0x42, ...length, 0x42, 32, 0x86],
  ...[0x42, address, 0x84],
];
const call = (index: number): number[] => [0x10, index];
const forever = (...body: readonly (readonly number[])[]): number[] => [
  ...[0x03, 0x40, ...body.flat()],
  ...[0x0c, 0, 0x0b, 0x00],
];

const times = (rounds: number, ...body: readonly (readonly number[])[]): number[] => [
  ...[...i32(rounds), 0x21, 1, 0x03, 0x40, ...body.flat()],
  ...[0x20, 1, ...i32(1), 0x6b, 0x22, 1, 0x0d, 0, 0x0b],
];
const repeated = (count: number, ...code: readonly number[]): number[] =>
  Array.from({ length: count }, () => code).flat();

const fourBytes = span(16, 4);
const kilobyte = span(0, 0x80, 0x08);
const sixtyKilobytes = span(0, 0xe0, 0xd4, 0x03);
const megabyte = span(0, 0x80, 0x80, 0xc0, 0x00);
/** Increments the word at 16, so that the four bytes there form another key. */
const nextKey = [...i32(16), ...i32(16), 0x28, 2, 0, ...i32(1), 0x6a, 0x36, 2, 0];
const grow = [...i32(16), 0x40, 0, drop];

/** Pairs for a trie root. Each key except the last is a prefix of the next. */
const nested = (() => {
  const writer = new Writer().compact(300);
  for (let length = 1; length <= 300; length++)
    writer.vecBytes(new Uint8Array(length)).vecBytes(Uint8Array.of(1));
  return { at: 0x4000, bytes: writer.finish() };
})();

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
  ['ext_storage_read_version_1', tinyTypes.read],
  ['ext_hashing_keccak_512_version_1', tinyTypes.spanToFlag],
  ['ext_default_child_storage_set_version_1', tinyTypes.threeSpans],
  ['ext_default_child_storage_exists_version_1', tinyTypes.spansToFlag],
  ['ext_trie_blake2_256_root_version_2', tinyTypes.spanAndNumber],
] as const;
const at = (name: string): number[] => call(imports.findIndex(([known]) => known.includes(name)));
const free = at('allocator_free');
/** A call for the test to count. */
const mark = [...fourBytes, ...at('ext_storage_exists'), drop];
const readIt = [...fourBytes, ...span(40, 4), ...i32(0), ...at('storage_read'), 0xa7, ...free];
const nestedSpan = [
  0x42,
  ...encodeLeb(nested.bytes.length),
  0x42,
  32,
  0x86,
  0x42,
  ...encodeLeb(nested.at),
  0x84,
];
const append = [...fourBytes, ...sixtyKilobytes, ...at('storage_append')];

export const endlessCalls = {
  cheapest: forever(at('max_level'), [drop]),
  sameValue: forever(fourBytes, sixtyKilobytes, at('ext_storage_set')),
  newKeys: forever(nextKey, fourBytes, fourBytes, at('ext_storage_set')),
  newValues: forever(nextKey, fourBytes, sixtyKilobytes, at('ext_storage_set')),
  missingKeys: forever(nextKey, fourBytes, at('ext_storage_exists'), [drop]),
  hashes: [...grow, ...forever(megabyte, at('blake2_256'), free)],
  slowHashes: [...grow, ...forever(megabyte, at('keccak_256'), free)],
  shortHashes: forever(nextKey, fourBytes, at('twox_128'), free),
  keysAndRoots: forever(
    ...[nextKey, fourBytes, fourBytes, at('ext_storage_set')],
    ...[fourBytes, at('next_key'), [0xa7], free],
    ...[i32(1), at('storage_root'), [0xa7], free],
  ),
  allocations: forever(i32(0xc0, 0x00), at('allocator_malloc'), free),
  logs: forever(i32(2), fourBytes, kilobyte, at('logging_log')),
  transactions: forever(at('start_transaction')),
  appends: forever(fourBytes, kilobyte, at('storage_append')),
  undoneAppends: forever(at('start_transaction'), fourBytes, fourBytes, at('storage_append'), at('rollback')),
  prefixes: forever(nextKey, span(15, 5), fourBytes, at('ext_storage_set'), span(15, 1), at('clear_prefix')),
  signatures: forever(i32(0), kilobyte, i32(0x80, 0x01), at('sr25519_verify'), [drop]),
  plainCode: forever(repeated(50_000, ...i32(1), drop), mark),
  divisions: forever(repeated(500, ...i32(9), ...i32(3), 0x6d, drop), mark),
  nestedRoots: forever(nestedSpan, i32(1), at('trie_blake2'), free),
  undoneReads: [
    ...[...grow, ...times(30, append)],
    ...forever(at('start_transaction'), fourBytes, fourBytes, at('storage_append'), readIt, at('rollback')),
  ],
  newChildren: forever(nextKey, fourBytes, fourBytes, fourBytes, at('child_storage_set')),
  longNames: [...grow, ...forever(megabyte, fourBytes, at('child_storage_exists'), [drop])],
  longKeys: [...grow, ...forever(megabyte, at('ext_storage_exists'), [drop])],
  slowestHashes: [...grow, ...forever(megabyte, at('keccak_512'), free)],
} satisfies TinyModule['functions'];

export type EndlessCall = keyof typeof endlessCalls;

/** A runtime with all these functions, and with any additional ones. */
export const buildEndlessCalls = (functions: TinyModule['functions'] = {}): Uint8Array =>
  buildTinyModule({ imports, functions: { ...functions, ...endlessCalls }, data: nested });
