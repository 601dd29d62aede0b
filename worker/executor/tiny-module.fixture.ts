import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import { encodeLeb } from './leb.ts';

/**
 * A handwritten module for tests: functions in raw Wasm, one imported memory, `__heap_base` and a mutable
 * global.
 */
export type TinyModule = {
  /** [name in env, type index]; imported functions come first in the index space. */
  readonly imports?: readonly (readonly [name: string, type: number])[];
  /** Exported functions of type (i32, i32) → i64. */
  readonly functions: Readonly<Record<string, readonly number[]>>;
  /** Initial memory contents, in addition to four bytes at 16. */
  readonly data?: { readonly at: number; readonly bytes: Uint8Array };
  /** Declarations of locals, encoded as in the binary; none by default. */
  readonly locals?: readonly number[];
  readonly ownMemory?: boolean;
  /** The maximum that its memory declares; none by default. */
  readonly maxPages?: number;
  readonly version?: boolean;
  /** Ids (8 bytes) of runtime APIs that it declares in addition to Core, each in version 1. */
  readonly apis?: readonly Uint8Array[];
};

/** Type indices of a tiny module. */
export const tinyTypes = {
  entry: 0,
  unit: 1,
  malloc: 2,
  free: 3,
  spanToSpan: 4,
  spansToUnit: 5,
  spanToFlag: 6,
  pointerAndSpan: 7,
  levelAndSpans: 8,
  numberToSpan: 9,
  unitToFlag: 10,
  spanToUnit: 11,
  verify: 12,
  proof: 13,
  proofOfVersion: 14,
  spansToFlag: 15,
  threeSpans: 16,
  read: 17,
  spanAndNumber: 18,
} as const;
const i32 = 0x7f;
const i64 = 0x7e;
const types = [
  [0x60, 2, i32, i32, 1, i64],
  [0x60, 0, 0],
  [0x60, 1, i32, 1, i32],
  [0x60, 1, i32, 0],
  [0x60, 1, i64, 1, i64],
  [0x60, 2, i64, i64, 0],
  [0x60, 1, i64, 1, i32],
  [0x60, 2, i32, i64, 1, i32],
  [0x60, 3, i32, i64, i64, 0],
  [0x60, 1, i32, 1, i64],
  [0x60, 0, 1, i32],
  [0x60, 1, i64, 0],
  [0x60, 3, i32, i64, i32, 1, i32],
  [0x60, 4, i32, i64, i64, i64, 1, i32],
  [0x60, 5, i32, i64, i64, i64, i32, 1, i32],
  [0x60, 2, i64, i64, 1, i32],
  [0x60, 3, i64, i64, i64, 0],
  [0x60, 3, i64, i64, i32, 1, i64],
  [0x60, 2, i64, i32, 1, i32],
];

/** Parts of a Wasm binary. */
export const wasmText = (value: string): number[] => [...encodeLeb(value.length), ...textToBytes(value)];
export const wasmVector = (items: readonly (readonly number[])[]): number[] => [
  ...encodeLeb(items.length),
  ...items.flat(),
];
export const wasmSection = (id: number, content: readonly number[]): number[] => [
  id,
  ...encodeLeb(content.length),
  ...content,
];
const custom = (name: string, content: Uint8Array): number[] =>
  wasmSection(0, [...wasmText(name), ...content]);
/** A function's body; `locals` are its declarations, encoded as in the binary. */
export const wasmBody = (code: readonly number[], locals: readonly number[] = [0]): number[] => {
  const body = [...locals, ...code, 0x0b];
  return [...encodeLeb(body.length), ...body];
};
export const wasmMagic = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0] as const;

/** A runtime API that a module declares: the first 8 bytes of its name's hash, and a version. */
export type DeclaredApi = readonly [id: Uint8Array, version: number];

/** The custom sections with the runtime's version. Core is always declared. */
export const wasmVersionSections = (systemVersion: number, more: readonly DeclaredApi[]): number[][] => {
  const version = new Writer()
    .vecBytes(textToBytes('tiny'))
    .vecBytes(textToBytes('tiny'))
    .u32(1)
    .u32(7)
    .u32(0);
  const core = Uint8Array.of(0xdf, 0x6a, 0xcb, 0x68, 0x99, 0x07, 0x60, 0x9b);
  const apis = new Writer();
  for (const [id, number] of [[core, 4] as const, ...more]) apis.raw(id).u32(number);
  return [
    custom('runtime_version', version.compact(0).u32(1).u8(systemVersion).finish()),
    custom('runtime_apis', apis.finish()),
  ];
};

export const buildTinyModule = (tiny: TinyModule): Uint8Array => {
  const imports = tiny.imports ?? [];
  const names = Object.keys(tiny.functions);
  const imported = imports.map(([name, type]) => [...wasmText('env'), ...wasmText(name), 0, type]);
  const limits = tiny.maxPages === undefined ? [0, 1] : [1, 1, tiny.maxPages];
  if (!tiny.ownMemory) imported.push([...wasmText('env'), ...wasmText('memory'), 2, ...limits]);
  const exported = names.map((name, at) => [...wasmText(name), 0, imports.length + at]);
  exported.push([...wasmText('__heap_base'), 3, 0]);
  if (tiny.ownMemory) exported.push([...wasmText('memory'), 2, 0]);
  const bodies = Object.values(tiny.functions).map((code) => wasmBody(code, tiny.locals));
  const segments = [{ at: 16, bytes: [1, 2, 3, 4] }, ...(tiny.data === undefined ? [] : [tiny.data])].map(
    ({ at, bytes }) => [0, 0x41, ...encodeLeb(at), 0x0b, ...encodeLeb(bytes.length), ...bytes],
  );
  // Global 0 is the heap base (1024), global 1 a mutable i32 that starts at 5.
  const globals = [
    [i32, 0, 0x41, 0x80, 0x08, 0x0b],
    [i32, 1, 0x41, 5, 0x0b],
  ];
  return concatBytes(
    ...[
      wasmMagic,
      wasmSection(1, wasmVector(types)),
      wasmSection(2, wasmVector(imported)),
      wasmSection(3, wasmVector(names.map(() => [0]))),
      ...(tiny.ownMemory ? [wasmSection(5, [1, ...limits])] : []),
      wasmSection(6, wasmVector(globals)),
      wasmSection(7, wasmVector(exported)),
      wasmSection(10, wasmVector(bodies)),
      wasmSection(11, wasmVector(segments)),
      ...(tiny.version === false
        ? []
        : wasmVersionSections(
            1,
            (tiny.apis ?? []).map((id) => [id, 1] as const),
          )),
    ].map((bytes) => Uint8Array.from(bytes)),
  );
};
