import { entryPrefix } from '../../src/scale/storage.ts';
import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import { customSection, parseModule, readModule } from '../../worker/executor/module-parse.ts';
import {
  addFunctions,
  call,
  constant32,
  constant64,
  type Entry,
  functionsOf,
  get,
  i32,
  i64,
  set,
  vector,
} from './patch-runtime.ts';
import { loadNextRuntime } from './platform.ts';

/** What of a migration is added to the runtime: code, whose locals 3 to 5 (i32) are free. */
export type Migration = {
  /** When the upgrade begins, before the runtime's own initialization of the block. */
  readonly before?: readonly number[];
  /** When the upgrade has been done, after it. */
  readonly after?: readonly number[];
  /** In each block. */
  readonly step?: readonly number[];
  /** `TryRuntime_on_runtime_upgrade`; it leaves the span of its result (i64) on the stack. */
  readonly checks?: readonly number[];
};

/** Instructions of the hand-written migrations. */
export type Assembler = ReturnType<typeof createAssembler>;

const [at, other, flag] = [3, 4, 6];
const hostNames = {
  malloc: 'ext_allocator_malloc_version_1',
  read: 'ext_storage_get_version_1',
  write: 'ext_storage_set_version_1',
  clear: 'ext_storage_clear_version_1',
  nextKey: 'ext_storage_next_key_version_1',
  exists: 'ext_storage_exists_version_1',
} as const;

const createAssembler = (imports: Readonly<Record<keyof typeof hostNames, number>>) => {
  /** Puts bytes into memory of their own, and their address into a local. */
  const bytesIn = (local: number, bytes: Uint8Array): number[] => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const code = [...constant32(bytes.length), ...call(imports.malloc), ...set(local)];
    let from = 0;
    for (; from + 8 <= bytes.length; from += 8)
      code.push(...get(local), ...constant64(view.getBigInt64(from, true)), 0x37, 0, from);
    for (; from < bytes.length; from++)
      code.push(...get(local), ...constant32(bytes[from] as number), 0x3a, 0, from);
    return code;
  };
  const span = (local: number, length: number): number[] => [
    ...[...get(local), 0xad, ...constant64(BigInt(length)), ...constant64(32n), 0x86, 0x84],
  ];
  /** The address of `Option<Vec<u8>>`. */
  const read = (key: Uint8Array): number[] => [
    ...bytesIn(at, key),
    ...span(at, key.length),
    ...call(imports.read),
    0xa7,
  ];
  const write = (key: Uint8Array, value: Uint8Array): number[] => [
    ...[...bytesIn(at, key), ...bytesIn(other, value)],
    ...[...span(at, key.length), ...span(other, value.length), ...call(imports.write)],
  ];
  return {
    read,
    write,
    trap: [0x00],
    /** Never ends. */
    loop: [0x03, 0x40, 0x0c, 0, 0x0b],
    /** Asks for the same value without end. */
    askOn: (key: Uint8Array): number[] => [
      ...[...bytesIn(at, key), 0x03, 0x40],
      ...[...span(at, key.length), ...call(imports.exists), 0x1a, 0x0c, 0, 0x0b],
    ],
    result: (bytes: Uint8Array): number[] => [...bytesIn(at, bytes), ...span(at, bytes.length)],
    /** Counts the second byte of a value down, and removes the value with the last step. */
    countDown: (key: Uint8Array, length: number): number[] => [
      ...[...read(key), ...set(other)],
      ...[...get(other), 0x2d, 0, 0, 0x04, 0x40],
      ...[...get(other), 0x2d, 0, 3, 0x45, 0x04, 0x40],
      ...[...span(at, key.length), ...call(imports.clear), 0x05],
      ...[...get(other), ...get(other), 0x2d, 0, 3, ...constant32(1), 0x6b, 0x3a, 0, 3],
      ...[...get(other), ...constant32(2), 0x6a, ...set(5)],
      ...[...span(at, key.length), ...span(5, length), ...call(imports.write), 0x0b, 0x0b],
    ],
    /** Reads every value of a map with keys of `length` bytes, 64 or more, in the order of the keys. */
    walk: (prefix: Uint8Array, length: number): number[] => {
      const word = new DataView(prefix.buffer, prefix.byteOffset, 32).getBigInt64(16, true);
      return [
        ...[...bytesIn(at, prefix), ...span(at, 32), ...call(imports.nextKey), 0xa7, ...set(other)],
        ...[0x02, 0x40, 0x03, 0x40],
        // None, or a key of another item.
        ...[...get(other), 0x2d, 0, 0, 0x45, 0x0d, 1],
        ...[...get(other), 0x29, 0, 3 + 16, ...constant64(word), 0x52, 0x0d, 1],
        ...[...get(other), ...constant32(3), 0x6a, ...set(5)],
        ...[...span(5, length), ...call(imports.read), 0x1a],
        ...[...span(5, length), ...call(imports.nextKey), 0xa7, ...set(other)],
        ...[0x0c, 0, 0x0b, 0x0b],
      ];
    },
  };
};

const lastUpgrade = hexToBytes(entryPrefix('System', 'LastRuntimeUpgrade'));

/**
 * The successor of the default runtime with a migration that is written by hand. The upgrade begins while the state names
 * another specification version, as frame-executive decides it.
 */
export const buildMigratingRuntime = async (
  crypto: Crypto,
  write: (assembler: Assembler) => Migration,
): Promise<Uint8Array> => {
  const info = parseModule(readModule(unpackCode(await loadNextRuntime(), crypto.unzstd), crypto));
  const names = functionsOf(info).map(({ name }) => name);
  const imports = Object.fromEntries(
    Object.entries(hostNames).map(([key, name]) => [key, names.indexOf(name)]),
  ) as Record<keyof typeof hostNames, number>;
  const assembler = createAssembler(imports);
  const { before = [], after = [], step = [], checks } = write(assembler);
  const types = info.sections.find(({ id }) => id === 1);
  const type = vector(info.bytes, types, []).count;
  const { index: original } = info.exports.get('Core_initialize_block') as { index: number };
  // The version of the runtime is 102: two bytes of a compact number.
  const isOld = [
    ...assembler.read(lastUpgrade),
    0x2f,
    0,
    2,
    ...constant32((102 << 2) | 1),
    0x47,
    ...set(flag),
  ];
  const locals = [2, 1, i64, 4, i32];
  const initialize = [
    ...[...locals, ...isOld],
    ...[...get(flag), 0x04, 0x40, ...before, 0x0b, ...step],
    ...[...get(0), ...get(1), ...call(original), ...set(2)],
    ...[...get(flag), 0x04, 0x40, ...after, 0x0b, ...get(2), 0x0b],
  ];
  const added = new Map<string, Entry>([['Core_initialize_block', { body: initialize, type }]]);
  if (checks === undefined) return addFunctions(info, added);
  added.set('TryRuntime_on_runtime_upgrade', { body: [...locals, ...checks, 0x0b], type });
  const api = concatBytes(crypto.blake2b(64, textToBytes('TryRuntime')), new Writer(4).u32(1).finish());
  return addFunctions(info, added, { runtime_apis: api });
};

/** The module of a runtime with a custom section changed in place. */
export const editSection = (
  crypto: Crypto,
  code: Uint8Array,
  name: string,
  edit: (section: Uint8Array) => void,
): Uint8Array => {
  const module = unpackCode(code, crypto.unzstd).slice();
  const section = customSection(readModule(module, crypto), name);
  if (section === null) throw new Error(`the module has no section ${name}`);
  edit(section);
  return module;
};
