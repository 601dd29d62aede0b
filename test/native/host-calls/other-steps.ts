import fc from 'fast-check';
import { concatBytes, textToBytes } from '../../../worker/bytes/bytes.ts';
import { hexToBytes } from '../../../worker/bytes/hex.ts';
import { Writer } from '../../../worker/bytes/writer.ts';
import proofs from '../../vectors/trie-value-proofs.json' with { type: 'json' };
import {
  keys,
  type Menu,
  messages,
  number,
  type Step,
  span,
  stateVersions,
  step,
  values,
} from './arbitraries.ts';
import { runtimeBlobs } from './blobs.ts';
import { type Argument, bytesArgument, fromLast, numberArgument } from './script.ts';

const message = span(messages);

const hashing: Menu = [
  'ext_hashing_keccak_256_version_1',
  'ext_hashing_keccak_512_version_1',
  'ext_hashing_sha2_256_version_1',
  'ext_hashing_blake2_128_version_1',
  'ext_hashing_blake2_256_version_1',
  'ext_hashing_twox_64_version_1',
  'ext_hashing_twox_128_version_1',
  'ext_hashing_twox_256_version_1',
].map((name) => [1, step(name, message)]);

const itemKey = fc.oneof(keys, fc.uint8Array({ maxLength: 40 }));
const list = (items: fc.Arbitrary<readonly Uint8Array[]>): fc.Arbitrary<Argument> =>
  span(items.map((drawn) => new Writer().vec(drawn, (writer, item) => writer.vecBytes(item)).finish()));
/** More than 64 items have keys of two lengths. */
const items = list(
  fc.oneof(fc.array(values, { maxLength: 12 }), fc.array(values, { minLength: 60, maxLength: 70 })),
);
const pairs = span(
  fc
    .array(fc.tuple(itemKey, values), { maxLength: 12 })
    .map((drawn) =>
      new Writer().vec(drawn, (writer, [key, value]) => writer.vecBytes(key).vecBytes(value)).finish(),
    ),
);

/** A proof of a value; half of them are tried with another value, version or hash. */
const proof = fc
  .tuple(
    fc.constantFrom(...proofs),
    fc.nat({ max: 7 }),
    fc.constantFrom('blake2_256', 'keccak_256'),
    fc.nat({ max: 1 }),
  )
  .map(([vector, change, hash, version]): Step => {
    const args = [
      bytesArgument(hexToBytes(vector.root)),
      bytesArgument(
        new Writer().vec(vector.proof, (writer, node) => writer.vecBytes(hexToBytes(node))).finish(),
      ),
      bytesArgument(hexToBytes(vector.key)),
      bytesArgument(
        change === 0 ? concatBytes(hexToBytes(vector.value), Uint8Array.of(0)) : hexToBytes(vector.value),
      ),
    ];
    const used = change === 1 ? hash : vector.hash;
    const names = proofNames[used === 'keccak_256' ? 'keccak_256' : 'blake2_256'];
    const usedVersion = change === 2 ? version : vector.version;
    return usedVersion === 0 && change > 3
      ? [{ name: names[0], args }]
      : [{ name: names[1], args: [...args, numberArgument(usedVersion)] }];
  });
const proofNames = {
  blake2_256: ['ext_trie_blake2_256_verify_proof_version_1', 'ext_trie_blake2_256_verify_proof_version_2'],
  keccak_256: ['ext_trie_keccak_256_verify_proof_version_1', 'ext_trie_keccak_256_verify_proof_version_2'],
} as const;

const tries: Menu = [
  [1, step('ext_trie_blake2_256_root_version_1', pairs)],
  [1, step('ext_trie_blake2_256_root_version_2', pairs, stateVersions)],
  [1, step('ext_trie_blake2_256_ordered_root_version_1', items)],
  [1, step('ext_trie_blake2_256_ordered_root_version_2', items, stateVersions)],
  [1, step('ext_trie_keccak_256_root_version_1', pairs)],
  [1, step('ext_trie_keccak_256_root_version_2', pairs, stateVersions)],
  [1, step('ext_trie_keccak_256_ordered_root_version_1', items)],
  [1, step('ext_trie_keccak_256_ordered_root_version_2', items, stateVersions)],
  [4, proof],
];

const size = number(
  fc.oneof(
    { weight: 6, arbitrary: fc.nat({ max: 300 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, 7, 8, 9, 4096, 65_536, 1_000_000) },
  ),
);
const malloc = 'ext_allocator_malloc_version_1';
const memory: Menu = [
  [3, step(malloc, size)],
  [
    3,
    size.map(
      (bytes): Step => [
        { name: malloc, args: [bytes] },
        { name: 'ext_allocator_free_version_1', args: [fromLast()] },
      ],
    ),
  ],
  [1, step('memory_pages')],
];

const texts = span(fc.constantFrom('', 'runtime', 'a text', 'ünïcode ✓').map(textToBytes));
const hash = span(fc.nat({ max: 255 }).map((byte) => new Uint8Array(32).fill(byte)));
const u32 = number(fc.nat({ max: 2 ** 31 - 1 }));
const u64 = number(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
const misc: Menu = [
  [1, step('ext_misc_print_num_version_1', u64)],
  [1, step('ext_misc_print_utf8_version_1', fc.oneof(texts, message))],
  [1, step('ext_misc_print_hex_version_1', message)],
  [2, step('ext_misc_runtime_version_version_1', span(fc.constantFrom(...runtimeBlobs)))],
  [1, step('ext_logging_log_version_1', number(fc.nat({ max: 4 })), texts, fc.oneof(texts, message))],
  [1, step('ext_logging_max_level_version_1')],
  [1, step('ext_transaction_index_index_version_1', u32, u32, hash)],
  [1, step('ext_transaction_index_renew_version_1', u32, hash)],
  [1, step('ext_offchain_index_set_version_1', span(keys), span(values))],
  [1, step('ext_offchain_index_clear_version_1', span(keys))],
];

/** sp-tracing's WasmMetadata: name, target, level, file, line, module path, whether it is a span, fields. */
const metadata = fc
  .tuple(fc.constantFrom('pallet', 'apply', ''), fc.nat({ max: 4 }), fc.boolean())
  .map(([name, level, isSpan]) => {
    const text = textToBytes(name);
    const head = new Writer()
      .vecBytes(text)
      .vecBytes(textToBytes('traced'))
      .u8(level)
      .vecBytes(text)
      .u32(7)
      .vecBytes(text);
    return head.bool(isSpan).compact(0).finish();
  });
/** Values of a field: none, a number, a bool, a text, and what does not decode. */
const fields = [
  [0],
  [4, 0, 0],
  [4, 4, 0x61, 1, 2, 7, 0, 0, 0],
  [4, 0, 1, 6, 1],
  [4, 0, 1, 7, 4, 0x61],
  [4, 0, 1, 6, 2],
  [4, 0, 1, 10],
];
/** No parent, since its id would be of the node's own tracing, then metadata and values. */
const attributes = fc
  .tuple(metadata, fc.constantFrom(...fields.slice(0, 5)))
  .map(([described, values]) => concatBytes(Uint8Array.of(0), described, Uint8Array.from(values)));
const tracing: Menu = [
  [1, step('ext_wasm_tracing_enabled_version_1', span(metadata))],
  [1, step('ext_wasm_tracing_enter_span_version_1', span(attributes))],
  [1, step('ext_wasm_tracing_event_version_1', span(attributes))],
  [1, step('ext_wasm_tracing_exit_version_1', u64)],
];

/** Steps that do not depend on the state. */
export const otherSteps: Menu = [...hashing, ...tries, ...memory, ...misc, ...tracing];
