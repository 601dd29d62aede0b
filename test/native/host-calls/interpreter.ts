import { encodeLeb } from '../../../worker/executor/leb.ts';

/**
 * The interpreter of a script, in the instructions of Wasm 1.0. It does no work of its own: everything it
 * finds out is returned, and the comparison happens outside.
 */
type Entry = readonly [body: readonly number[], locals: readonly number[]];

/** No host function that a native node offers takes more. */
export const mostArguments = 5;

/** Size of one call in a script: its row, the size of its result's bytes, then for each argument a base and a number. */
export const callBytes = 8 + 12 * mostArguments;
export const recordBytes = 12;

/** Addresses. The script is the first allocation on the heap; results are written below the heap. */
export const layout = {
  constants: 0x100,
  /** The addends of arguments by their base: zero, the script, the end of the memory, the last result. */
  bases: 0x8000,
  arguments: 0x8100,
  results: 0x2_0000,
  /** No bytes of results are copied beyond this point; records may follow. */
  resultsEnd: 0x12_0000,
  heapBase: 0x14_0000,
  pages: 21,
} as const;

export const wholeSpan = -1;

/** A constant; Wasm's LEB128 is signed here, so seven bits at a time until sign and rest agree. */
const signedLeb = (value: bigint): number[] => {
  const out: number[] = [];
  let rest = value;
  for (;;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    if ((rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)) return [...out, low];
    out.push(low | 0x80);
  }
};
export const toI32 = (value: number): number[] => [0x41, ...signedLeb(BigInt(value | 0))];
export const toI64 = (value: bigint): number[] => [0x42, ...signedLeb(BigInt.asIntN(64, value))];

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
/** Unaligned access: a script starts at an odd address if its length was in front of it. */
const access = (code: number, offset = 0): number[] => [code, 0, ...encodeLeb(offset)];
const load32 = (offset = 0): number[] => access(0x28, offset);
const load64 = (offset = 0): number[] => access(0x29, offset);
const load8 = (offset = 0): number[] => access(0x2d, offset);
const store32 = (offset = 0): number[] => access(0x36, offset);
const store64 = (offset = 0): number[] => access(0x37, offset);
const store8 = access(0x3a);
const add = 0x6a;
const wrap = 0xa7;
const extend = 0xad;
const branch = (depth: number): number[] => [0x0c, depth];
const leaveIf = (depth: number): number[] => [0x0d, depth];
const block = (...body: readonly (readonly number[])[]): number[] => [0x02, 0x40, ...body.flat(), 0x0b];
const loop = (...body: readonly (readonly number[])[]): number[] => [0x03, 0x40, ...body.flat(), 0x0b];
const when = (...body: readonly (readonly number[])[]): number[] => [0x04, 0x40, ...body.flat(), 0x0b];
const increase = (local: number, by: readonly number[]): number[] => [
  ...get(local),
  ...by,
  add,
  ...set(local),
];

/** A function of type i32 → i64 around any other: reads its arguments from an address, eight bytes for each. */
export const thunk = (params: string, results: string, call: readonly number[]): number[] => {
  const pushed = [...params].flatMap((type, at) => [
    ...get(0),
    ...load64(8 * at),
    ...(type === 'i' ? [wrap] : []),
  ]);
  const answer = { '': toI64(0n), i: [extend], I: [] }[results];
  if (answer === undefined) throw new RangeError(`No function has the results ${results}`);
  return [...pushed, ...call, ...answer];
};

// Locals of `run`; the first two are its parameters.
const [script, length, at, out, copied, from, count, result] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const setBase = (base: number, ...value: readonly (readonly number[])[]): number[] => [
  ...toI32(layout.bases + 8 * base),
  ...value.flat(),
  ...store64(),
];

/** Argument = number + addend of its base. */
const readArguments = Array.from({ length: mostArguments }, (_, index) => [
  ...toI32(layout.arguments + 8 * index),
  ...[...get(at), ...load64(12 + 12 * index)],
  ...[...get(at), ...load32(8 + 12 * index), ...toI32(3), 0x74, ...load64(layout.bases)],
  ...[0x7c, ...store64()],
]).flat();

/** The number of bytes behind the result: given by the script, or the upper half of a span. */
const readCount = [
  ...[...get(at), ...load32(4), ...set(count)],
  ...[...get(count), ...toI32(wholeSpan), 0x46],
  ...when([...get(result), ...toI64(32n), 0x88, wrap, ...set(count)]),
];

const copyBytes = loop(
  [...get(copied), ...get(count), 0x49],
  when(
    [...get(out), ...get(copied), add],
    [...get(from), ...get(copied), add, ...load8()],
    [...store8, ...increase(copied, toI32(1)), ...branch(1)],
  ),
);

/** A record: result (8 bytes), number of bytes (4), and these, unless they are more than the area has left. */
const writeRecord = [
  ...[...get(out), ...get(result), ...store64()],
  ...[...get(out), ...get(count), ...store32(8)],
  ...increase(out, toI32(recordBytes)),
  ...[...get(out), ...toI32(layout.resultsEnd), 0x49],
  ...when(
    [...get(count), ...toI32(layout.resultsEnd), ...get(out), 0x6b, 0x4d],
    when(
      [...get(result), wrap, ...set(from), ...toI32(0), ...set(copied)],
      copyBytes,
      increase(out, get(count)),
    ),
  ),
];

const run = (type: number): Entry => [
  [
    ...[...get(script), ...set(at), ...toI32(layout.results), ...set(out)],
    ...setBase(1, [...get(script), extend]),
    ...block(
      loop(
        [...get(at), ...get(script), ...get(length), add, 0x4f, ...leaveIf(1)],
        [...get(at), ...load32(), ...toI32(wholeSpan), 0x46, ...leaveIf(1)],
        setBase(2, [0x3f, 0, extend, ...toI64(16n), 0x86]),
        readArguments,
        [...toI32(layout.arguments), ...get(at), ...load32(), 0x11, type, 0, ...set(result)],
        setBase(3, get(result)),
        [...readCount, ...writeRecord, ...increase(at, toI32(callBytes)), ...branch(0)],
      ),
    ),
    ...[...get(out), ...toI32(layout.results), 0x6b, extend, ...toI64(32n), 0x86],
    ...[...toI64(BigInt(layout.results)), 0x84],
  ],
  // Five i32 and one i64.
  [2, 5, 0x7f, 1, 0x7e],
];

/** The bytes of keys that `runOwned` returns at least, so that their compact length takes four bytes. */
export const leastOwned = 1 << 14;

/**
 * The same for the parameters and the result of `SessionKeys_generate_session_keys`: the script is the owner, a
 * vector of bytes, and the results are the keys, another, with an empty proof behind them.
 */
const runOwned = (runIndex: number): Entry => [
  [
    // The length takes one, two or four bytes by its mode, the lowest two bits.
    ...[...get(0), ...toI32(1), ...get(0), ...load8(), ...toI32(3), 0x71, 0x74, add],
    ...[...get(1), 0x10, ...encodeLeb(runIndex), ...toI64(32n), 0x88, wrap, ...set(2)],
    ...[...get(2), ...toI32(leastOwned), 0x49, ...when([...toI32(leastOwned), ...set(2)])],
    ...[...toI32(layout.results - 4), ...get(2), ...toI32(2), 0x74, ...toI32(2), 0x72, ...store32()],
    ...[...get(2), ...toI32(5), add, extend, ...toI64(32n), 0x86],
    ...[...toI64(BigInt(layout.results - 4)), 0x84],
  ],
  [1, 1, 0x7f],
];

export const interpreter = { run, runOwned };
