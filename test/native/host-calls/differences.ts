import { hostFunctions } from '../../../worker/executor/host/index.ts';
import { buildCallingRuntime } from './blobs.ts';
import type { Found } from './compare.ts';
import { type Argument, bytesArgument, type Call, callOf, fromLast } from './script.ts';

/**
 * A difference that is expected. The example shows it; a test fails when it no longer does, so that no entry
 * outlives its reason.
 */
export type Difference = {
  readonly name: string;
  readonly reason: string;
  readonly example: readonly Call[];
  readonly withKeystore?: true;
  readonly covers: (found: Found) => boolean;
};

const bytes = (length: number, fill = 0): Argument => bytesArgument(new Uint8Array(length).fill(fill));

/**
 * Functions that this native node does not offer. It refuses a runtime that imports one, so each is called in a
 * runtime whose version `ext_misc_runtime_version` asks for, where a missing import traps.
 */
export const notImportable: ReadonlySet<string> = new Set(
  [...hostFunctions.keys()].filter((name) =>
    /^ext_(sandbox|statement_store|storage_proof_size)_|bandersnatch|bls3/.test(name),
  ),
);
/** For each of them the call that calls it. */
export const callingCalls: ReadonlyMap<string, Call> = new Map(
  [...hostFunctions.values()]
    .filter(({ name }) => notImportable.has(name))
    .map((row) => [
      row.name,
      callOf('ext_misc_runtime_version_version_1', bytesArgument(buildCallingRuntime(row))),
    ]),
);

const bytesOf = ({ args }: Call, at: number): Uint8Array | null => {
  const argument = args[at];
  return argument?.kind === 'bytes' ? argument.bytes : null;
};
const bothReturn = ({ ours, native }: Found): boolean => 'result' in ours && 'result' in native;
const equalLengths = ({ ours, native }: Found): boolean =>
  'result' in ours && 'result' in native && ours.result.bytes.length === native.result.bytes.length;

const isStatementStore = /^ext_(statement_store|storage_proof_size)_/;
const offeredByUs = [...callingCalls].filter(([name]) => isStatementStore.test(name));
const codesOfferedByUs = new Set(offeredByUs.map(([, asked]) => bytesOf(asked, 0)));

const isRandom = ({ name, args }: Call): boolean => {
  const seed = args[1];
  if (/_generate_/.test(name)) return seed?.kind === 'bytes' && seed.bytes[0] === 0;
  return /^ext_crypto_sr25519_sign_|^ext_wasm_tracing_enter_span_/.test(name);
};

/** The keys in a list, in the order of their bytes. */
const sortedKeys = (name: string, list: string): string => {
  const digits = /_ecdsa_/.test(name) ? 66 : 64;
  return (list.slice(4).match(new RegExp(`.{${digits}}`, 'g')) ?? []).sort().join();
};

const changesState = /_(set|clear|clear_prefix|storage_kill|rollback_transaction)_version/;
/** Whether the SDK takes the root from its cache: another was computed, and at most appends came after it. */
const isCached = (calls: readonly Call[]): boolean => {
  const last = calls
    .slice(0, -1)
    .findLast(({ name }) => changesState.test(name) || /^ext_storage_root_/.test(name));
  return last !== undefined && /^ext_storage_root_/.test(last.name);
};

/** The differences that a comparison passes over: random results, and faults of the SDK that no chain depends on. */
export const knownDifferences: readonly Difference[] = [
  {
    name: 'functions of other nodes',
    reason:
      'Nodes with a statement store, and those of parachains, offer them. Ours answers like one without statements or a proof.',
    example: offeredByUs.map(([, asked]) => asked).slice(0, 1),
    covers: (found) => codesOfferedByUs.has(bytesOf(found.call, 0)),
  },
  {
    name: 'random results',
    reason:
      'Keys without a secret URI, sr25519 signatures and ids of tracing spans; only lengths are compared.',
    example: [callOf('ext_crypto_ed25519_generate_version_1', 'rand', bytes(1))],
    withKeystore: true,
    covers: (found) => isRandom(found.call) && equalLengths(found),
  },
  {
    name: 'order of keys',
    reason: 'The SDK lists keys in the order of a folder and of a hash map; they are compared as sets.',
    example: ['//1', '//2', '//3', '//4', '//5', '//6', '//7', '//8'].flatMap((uri) => [
      callOf(
        'ext_crypto_ed25519_generate_version_1',
        'many',
        `\x01${String.fromCharCode(uri.length * 4)}${uri}`,
      ),
      callOf('ext_crypto_ed25519_public_keys_version_1', 'many'),
    ]),
    withKeystore: true,
    covers: ({ call: { name }, ours, native }) =>
      /_public_keys_/.test(name) &&
      'result' in ours &&
      'result' in native &&
      sortedKeys(name, ours.result.bytes) === sortedKeys(name, native.result.bytes),
  },
  {
    name: 'ed25519_batch_verify panics',
    reason:
      'In sp-io it enters the externalities a second time, which panics ("RefCell already borrowed") whatever the signature is.',
    example: [callOf('ext_crypto_ed25519_batch_verify_version_1', bytes(64), '', bytes(32))],
    covers: ({ native }) => 'trap' in native && native.trap.includes('RefCell already'),
  },
  {
    name: 'signatures of digests above the order of the curve',
    reason:
      'RFC 6979 reduces the digest before it derives the nonce, and libsecp256k1 does not: both signatures are valid. No hash has such a value in practice.',
    example: [
      callOf('ext_crypto_ecdsa_generate_version_1', 'beef', '\x01\x0c//1'),
      callOf('ext_crypto_ecdsa_sign_prehashed_version_1', 'beef', fromLast(), bytes(32, 255)),
    ],
    withKeystore: true,
    covers: (found) =>
      /_sign_prehashed_/.test(found.call.name) &&
      equalLengths(found) &&
      bytesOf(found.call, 2)
        ?.slice(0, 15)
        .every((byte) => byte === 255) === true,
  },
  {
    name: 'a cached root after an append',
    reason:
      'sp-state-machine does not count an append as a change, so the next root of that version is the last one.',
    example: [
      callOf('ext_storage_root_version_2', 1),
      callOf('ext_storage_append_version_1', 'list', bytes(1)),
      callOf('ext_storage_root_version_2', 1),
    ],
    covers: (found) =>
      /^ext_storage_root_/.test(found.call.name) && bothReturn(found) && isCached(found.calls),
  },
  {
    name: 'a cached root of a child',
    reason:
      'After a root, sp-state-machine reads the root of a child from the main trie, where that did not store it.',
    example: [
      callOf('ext_default_child_storage_set_version_1', 'c1', 'key', bytes(1)),
      callOf('ext_storage_root_version_2', 1),
      callOf('ext_default_child_storage_root_version_2', 'c1', 1),
    ],
    covers: (found) =>
      /^ext_default_child_storage_root_/.test(found.call.name) && bothReturn(found) && isCached(found.calls),
  },
  {
    name: 'an append to the root of a child',
    reason:
      'The SDK refuses to set and to clear these keys, but not to append to them; which roots then replace the value depends on the children touched before.',
    example: [
      callOf('ext_default_child_storage_storage_kill_version_3', 'new', bytes(1)),
      callOf('ext_storage_append_version_1', ':child_storage:default:new', bytes(40)),
      callOf('ext_storage_root_version_2', 1),
    ],
    covers: ({ calls }) =>
      calls.some(
        ({ name, args: [key] }) => /_append_/.test(name) && key?.kind === 'bytes' && key.bytes[0] === 0x3a,
      ),
  },
  {
    name: 'an append to a list of 2^32 - 1 items',
    reason: "The native node's count wraps to 0; no list of that length fits into a block.",
    example: [
      callOf('ext_storage_set_version_1', 'listMax', bytesArgument(Uint8Array.of(3, 255, 255, 255, 255))),
      callOf('ext_storage_append_version_1', 'listMax', bytes(1)),
      callOf('ext_storage_get_version_1', 'listMax'),
    ],
    covers: ({ call: { name, args } }) =>
      name === 'ext_storage_get_version_1' && args[0]?.kind === 'bytes' && args[0].bytes.length === 7,
  },
];
