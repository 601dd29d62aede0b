import { textToBytes } from '../../worker/bytes/bytes.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import { parseModule, readModule } from '../../worker/executor/module-parse.ts';
import {
  addFunctions,
  call,
  constant32 as constant,
  constant64,
  type Entry,
  functionsOf,
  get,
  i32,
  i64,
  set,
  vector,
} from './patch-runtime.ts';
import { loadDefaultRuntime } from './platform.ts';

/**
 * Exports whose calls fill their memory at the end, up to the number of pages (u32) under a key of the state. A
 * call without that key in its state is as before.
 */
export const fillKeys = {
  Core_execute_block: 'fill-imp',
  BlockBuilder_finalize_block: 'fill-aut',
  TaggedTransactionQueue_validate_transaction: 'fill-poo',
  BlockBuilder_check_inherents: 'fill-inh',
} as const;

const shift16 = [0x42, 16, 0x86];

type Imports = { readonly malloc: number; readonly read: number };

/**
 * Allocates until less than 16 bytes below the limit (pages, parameter 0) are left. The first block of 1 MiB shows
 * where the heap ends: the runtime itself never frees one of that size. Traps beyond the end of the memory.
 */
const fillBody = ({ malloc }: Imports): number[] => {
  const [end, order, size] = [1, 2, 3];
  const allocate = [...get(size), ...call(malloc), 0xad, ...get(size), 0xad, 0x7c, ...set(end)];
  const fits = [...get(end), 0x42, 8, 0x7c, ...get(size), 0xad, 0x7c, ...get(0), 0xad, ...shift16, 0x58];
  return [
    ...[2, 1, i64, 2, i32],
    ...[...constant(1), ...constant(20), 0x74, ...set(size)],
    ...allocate,
    ...[...constant(25), ...set(order)],
    ...[0x03, 0x40],
    ...[...constant(1), ...get(order), 0x74, ...set(size)],
    ...[...fits, 0x04, 0x40, ...allocate, 0x0c, 1, 0x0b],
    ...[...get(order), ...constant(1), 0x6b, 0x22, order],
    ...[...constant(3), 0x4f, 0x0d, 0, 0x0b, 0x0b],
  ];
};

const keyConstant = (key: string): number[] => {
  const bytes = textToBytes(key);
  return constant64(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true));
};

/** Calls the original, then fills the memory if the key is in the state. */
const wrapperBody = ({ malloc, read }: Imports, original: number, fill: number, key: string): number[] => {
  const [result, at] = [2, 3];
  const span = [...get(at), 0xad, 0x42, 8, 0x42, 32, 0x86, 0x84];
  return [
    ...[2, 1, i64, 1, i32],
    ...[...get(0), ...get(1), ...call(original), ...set(result)],
    ...[...constant(8), ...call(malloc), 0x22, at, ...keyConstant(key), 0x37, 0, 0],
    ...[...span, ...call(read), 0xa7, 0x22, at, 0x2d, 0, 0],
    // Option<Vec<u8>> of four bytes: 1, their compact number, the pages.
    ...[0x04, 0x40, ...get(at), 0x28, 0, 2, ...call(fill), 0x0b],
    ...[...get(result), 0x0b],
  ];
};

/** Stores the result at the input's address, and returns it as the output of four bytes. */
const answerBody = (code: readonly number[]): number[] => [
  ...[0, ...get(0), ...code, 0x36, 0, 0],
  ...[...get(0), 0xad, 0x42, 4, 0x42, 32, 0x86, 0x84, 0x0b],
];
const argument = [...get(0), 0x28, 0, 0];

const peekBody = answerBody([...argument, 0x2d, 0, 0]);
/** Only in a runtime of its own: code that can ask for the size always runs with a memory of its full size. */
const sizeBodies = { dbg_size: answerBody([0x3f, 0]), dbg_grow: answerBody([...argument, 0x40, 0]) };

/**
 * The default runtime, with `fillKeys` and the exports `dbg_fill` (input: pages, u32) and `dbg_peek` (an address;
 * the output is the byte there), on request also `dbg_size` and `dbg_grow`. Returns the raw module and the number of
 * pages that its memory has at first.
 */
export const buildFillRuntime = async (
  crypto: Crypto,
  { usesMemorySize = false }: { readonly usesMemorySize?: boolean } = {},
): Promise<{ readonly code: Uint8Array; readonly min: number }> => {
  const info = parseModule(readModule(unpackCode(await loadDefaultRuntime(), crypto.unzstd), crypto));
  const names = functionsOf(info).map(({ name }) => name);
  const imports = {
    malloc: names.indexOf('ext_allocator_malloc_version_1'),
    read: names.indexOf('ext_storage_get_version_1'),
  };
  const section = (id: number) =>
    vector(
      info.bytes,
      info.sections.find((found) => found.id === id),
      [],
    );
  const entry = section(1).count;
  const fill = names.length + section(3).count;
  const added = new Map<string, Entry>([['dbg:fill', { body: fillBody(imports), type: entry + 1 }]]);
  for (const [name, key] of Object.entries(fillKeys)) {
    const { index } = info.exports.get(name) as { index: number };
    added.set(name, { body: wrapperBody(imports, index, fill, key), type: entry });
  }
  const fillCall = [0, ...argument, ...call(fill), 0x42, 0, 0x0b];
  const bodies = { dbg_fill: fillCall, dbg_peek: peekBody, ...(usesMemorySize ? sizeBodies : {}) };
  for (const [name, body] of Object.entries(bodies)) added.set(name, { body, type: entry });
  return { code: addFunctions(info, added), min: info.memory.limits.min };
};
