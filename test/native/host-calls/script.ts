import { concatBytes, textToBytes } from '../../../worker/bytes/bytes.ts';
import { bytesToHex } from '../../../worker/bytes/hex.ts';
import { Reader } from '../../../worker/bytes/reader.ts';
import { Writer } from '../../../worker/bytes/writer.ts';
import type { HostFunction } from '../../../worker/executor/host/context.ts';
import { callBytes, layout, mostArguments, recordBytes, wholeSpan } from './interpreter.ts';

/**
 * An argument: bytes that are placed behind the calls (a span, or a pointer where the function takes one), or a
 * number, which may count from the end of the memory or from the last result.
 */
export type Argument =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'number' | 'fromEnd' | 'fromLast'; readonly value: bigint };

/** One call of a host function by its whole name, or of the runtime's own `show` and `memory_pages`. */
export type Call = { readonly name: string; readonly args: readonly Argument[] };

export const bytesArgument = (bytes: Uint8Array): Argument => ({ kind: 'bytes', bytes });
export const numberArgument = (value: bigint | number): Argument => ({
  kind: 'number',
  value: BigInt(value),
});
/** A span that starts this many bytes after the end of the memory (before it if negative). */
export const fromEnd = (offset: number, length = 0): Argument => ({
  kind: 'fromEnd',
  value: BigInt(offset) + (BigInt(length) << 32n),
});
/** The last result, or the part of a span behind its first bytes. */
export const fromLast = (skipped = 0): Argument => ({
  kind: 'fromLast',
  value: BigInt(skipped) - (BigInt(skipped) << 32n),
});

/** A call with its arguments: texts are bytes. */
export const callOf = (name: string, ...args: readonly (Argument | string | number)[]): Call => ({
  name,
  args: args.map((arg) => {
    if (typeof arg === 'string') return bytesArgument(textToBytes(arg));
    return typeof arg === 'number' ? numberArgument(arg) : arg;
  }),
});

/** The result of a call: the number returned, and the bytes that it refers to. */
export type Result = { readonly value: bigint; readonly bytes: string };

/** Functions of the runtime's own, numbered after the rows. */
const ownNames = ['show', 'memory_pages'] as const;

/** Functions that return a number where others return a span. */
const numbers = new Set([
  'ext_storage_proof_size_storage_proof_size_version_1',
  'ext_offchain_timestamp_version_1',
  'ext_wasm_tracing_enter_span_version_1',
]);

/** The sizes of blobs that functions return a pointer to, by a part of the name. */
const blobs: readonly (readonly [RegExp, number])[] = [
  [/^ext_hashing_\w+_64_/, 8],
  [/^ext_hashing_\w+_128_/, 16],
  [/^ext_hashing_\w+_256_/, 32],
  [/^ext_hashing_\w+_512_/, 64],
  [/^ext_trie_\w+_root_/, 32],
  [/^ext_crypto_ecdsa_generate_/, 33],
  [/^ext_crypto_\w+_generate_/, 32],
  [/^ext_offchain_random_seed_/, 32],
];

/** How many bytes a result refers to. */
const countOf = (name: string, results: string): number => {
  if (results === 'I') return numbers.has(name) ? 0 : wholeSpan;
  return results === 'i' ? (blobs.find(([pattern]) => pattern.test(name))?.[1] ?? 0) : 0;
};

const bases = { number: 0, bytes: 1, fromEnd: 2, fromLast: 3 } as const;

/** The form of scripts for a runtime with these rows. */
export const createScripts = (rows: readonly HostFunction[]) => {
  const counts = new Map(rows.map(({ name, results }) => [name, countOf(name, results)]));
  counts.set('show', wholeSpan).set('memory_pages', 0);
  const indexes = new Map([...rows.map(({ name }) => name), ...ownNames].map((name, index) => [name, index]));

  /**
   * The calls, an end mark, then the bytes of arguments. Calls that share an array of bytes share its place in
   * the memory, so that one can show what another has written there.
   */
  const encodeScript = (calls: readonly Call[]): Uint8Array => {
    const out = new Writer(1024);
    const placed = new Map<Uint8Array, number>();
    let at = calls.length * callBytes + 4;
    const numberOf = (argument: Argument): bigint => {
      if (argument.kind !== 'bytes') return argument.value;
      const { bytes } = argument;
      const place = placed.get(bytes) ?? at;
      if (!placed.has(bytes)) at += bytes.length;
      placed.set(bytes, place);
      return BigInt(place) | (BigInt(bytes.length) << 32n);
    };
    for (const { name, args } of calls) {
      const index = indexes.get(name);
      if (index === undefined) throw new RangeError(`The test runtime does not import ${name}`);
      out.u32(index).u32((counts.get(name) ?? 0) >>> 0);
      for (let i = 0; i < mostArguments; i++) {
        const argument = args[i] ?? numberArgument(0);
        out.u32(bases[argument.kind]).u64(BigInt.asUintN(64, numberOf(argument)));
      }
    }
    return concatBytes(out.u32(wholeSpan >>> 0).finish(), ...placed.keys());
  };

  /** The results of the calls; the bytes of results that are too long are left out. */
  const decodeResults = (calls: readonly Call[], output: Uint8Array): Result[] => {
    const reader = new Reader(output);
    let at: number = layout.results;
    return calls.map(() => {
      const value = reader.u64();
      const count = reader.u32();
      at += recordBytes;
      const isCopied = at < layout.resultsEnd && count <= layout.resultsEnd - at;
      if (isCopied) at += count;
      return { value, bytes: isCopied ? bytesToHex(reader.take(count)) : `${count} bytes` };
    });
  };
  return { encodeScript, decodeResults };
};
