import { concatBytes } from '../../../worker/bytes/bytes.ts';
import type { HostFunction } from '../../../worker/executor/host/context.ts';
import { encodeLeb } from '../../../worker/executor/leb.ts';
import {
  type DeclaredApi,
  wasmBody,
  wasmMagic,
  wasmSection,
  wasmText,
  wasmVector,
  wasmVersionSections,
} from '../../../worker/executor/tiny-module.fixture.ts';
import { createTypes, importFunction, importMemory } from './imports.ts';
import { interpreter, layout, mostArguments, thunk, toI32, toI64 } from './interpreter.ts';

/** Where the outputs of constant entry points are, and the code that returns them. */
const placeOutputs = (outputs: Readonly<Record<string, Uint8Array>>) => {
  let at: number = layout.constants;
  const entries: [string, number[]][] = [];
  const segments: number[][] = [];
  for (const [name, bytes] of Object.entries(outputs)) {
    entries.push([name, toI64(BigInt(at) | (BigInt(bytes.length) << 32n))]);
    segments.push([0, ...toI32(at), 0x0b, ...encodeLeb(bytes.length), ...bytes]);
    at += bytes.length;
  }
  return { entries, segments };
};

export type TestRuntime = {
  /** Version of the state trie: 0 or 1. */
  readonly stateVersion: 0 | 1;
  /** The host functions that it imports, in the order of their numbers in a script. */
  readonly rows: readonly HostFunction[];
  readonly apis: readonly DeclaredApi[];
  /** Results of further entry points, whatever their input. */
  readonly outputs: Readonly<Record<string, Uint8Array>>;
};

/**
 * A runtime that imports rows of the host function table, with the types declared there. Its export `run`
 * takes a script (see `encodeScript`), makes the calls in it, and returns their results.
 * `SessionKeys_generate_session_keys` does the same with a keystore. After the rows, a script may call two
 * functions of the runtime's own: `show`, which returns its argument, and `memory_pages`.
 */
export const buildTestRuntime = ({ stateVersion, rows, apis, outputs }: TestRuntime): Uint8Array => {
  const types = createTypes();
  const entry = types.index('ii', 'I');
  const thunkType = types.index('i', 'I');
  const wide = rows.find(({ params }) => params.length > mostArguments);
  if (wide !== undefined) throw new RangeError(`${wide.name} has more than ${mostArguments} parameters`);
  const imports = [...rows.map((row) => importFunction(row, types)), importMemory(layout.pages)];
  const thunks = [
    ...rows.map((row, index) => thunk(row.params, row.results, [0x10, ...encodeLeb(index)])),
    thunk('I', 'I', []),
    thunk('', 'i', [0x3f, 0]),
  ].map((code) => wasmBody(code));
  const runIndex = rows.length + thunks.length;
  const { entries, segments } = placeOutputs(outputs);
  const exported: readonly (readonly [string, number[]])[] = [
    ['run', wasmBody(...interpreter.run(thunkType))],
    ['SessionKeys_generate_session_keys', wasmBody(...interpreter.runOwned(runIndex))],
    ...entries.map(([name, code]) => [name, wasmBody(code)] as const),
  ];
  const sections = [
    wasmSection(2, wasmVector(imports)),
    wasmSection(3, wasmVector([...thunks.map(() => [thunkType]), ...exported.map(() => [entry])])),
    wasmSection(4, [1, 0x70, 0, ...encodeLeb(thunks.length)]),
    wasmSection(6, wasmVector([[0x7f, 0, ...toI32(layout.heapBase), 0x0b]])),
    wasmSection(
      7,
      wasmVector([
        ...exported.map(([name], at) => [...wasmText(name), 0, ...encodeLeb(runIndex + at)]),
        [...wasmText('__heap_base'), 3, 0],
      ]),
    ),
    wasmSection(9, [
      ...[1, 0, ...toI32(0), 0x0b],
      ...wasmVector(thunks.map((_, at) => encodeLeb(rows.length + at))),
    ]),
    wasmSection(10, wasmVector([...thunks, ...exported.map(([, body]) => body)])),
    wasmSection(11, wasmVector(segments)),
  ];
  const parts = [wasmMagic, types.section(), ...sections, ...wasmVersionSections(stateVersion, apis)];
  return concatBytes(...parts.map((part) => Uint8Array.from(part)));
};
