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

const text = (value: string): number[] => [...encodeLeb(value.length), ...textToBytes(value)];
const vector = (items: readonly (readonly number[])[]): number[] => [
  ...encodeLeb(items.length),
  ...items.flat(),
];
const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...encodeLeb(content.length),
  ...content,
];
const custom = (name: string, content: Uint8Array): number[] => section(0, [...text(name), ...content]);

const versionSections = (more: readonly Uint8Array[]): number[][] => {
  const version = new Writer()
    .vecBytes(textToBytes('tiny'))
    .vecBytes(textToBytes('tiny'))
    .u32(1)
    .u32(7)
    .u32(0);
  const apis = Uint8Array.of(0xdf, 0x6a, 0xcb, 0x68, 0x99, 0x07, 0x60, 0x9b, 4, 0, 0, 0);
  const all = concatBytes(apis, ...more.flatMap((id) => [id, Uint8Array.of(1, 0, 0, 0)]));
  return [custom('runtime_version', version.compact(0).u32(1).u8(1).finish()), custom('runtime_apis', all)];
};

export const buildTinyModule = (tiny: TinyModule): Uint8Array => {
  const imports = tiny.imports ?? [];
  const names = Object.keys(tiny.functions);
  const imported = imports.map(([name, type]) => [...text('env'), ...text(name), 0, type]);
  const limits = tiny.maxPages === undefined ? [0, 1] : [1, 1, tiny.maxPages];
  if (!tiny.ownMemory) imported.push([...text('env'), ...text('memory'), 2, ...limits]);
  const exported = names.map((name, at) => [...text(name), 0, imports.length + at]);
  exported.push([...text('__heap_base'), 3, 0]);
  if (tiny.ownMemory) exported.push([...text('memory'), 2, 0]);
  const bodies = Object.values(tiny.functions).map((code) => {
    const body = [...(tiny.locals ?? [0]), ...code, 0x0b];
    return [...encodeLeb(body.length), ...body];
  });
  const segments = [{ at: 16, bytes: [1, 2, 3, 4] }, ...(tiny.data === undefined ? [] : [tiny.data])].map(
    ({ at, bytes }) => [0, 0x41, ...encodeLeb(at), 0x0b, ...encodeLeb(bytes.length), ...bytes],
  );
  // Global 0 is the heap base (1024), global 1 a mutable i32 that starts at 5.
  const globals = [
    [i32, 0, 0x41, 0x80, 0x08, 0x0b],
    [i32, 1, 0x41, 5, 0x0b],
  ];
  return concatBytes(
    Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
    ...[
      section(1, vector(types)),
      section(2, vector(imported)),
      section(3, vector(names.map(() => [0]))),
      ...(tiny.ownMemory ? [section(5, [1, ...limits])] : []),
      section(6, vector(globals)),
      section(7, vector(exported)),
      section(10, vector(bodies)),
      section(11, vector(segments)),
      ...(tiny.version === false ? [] : versionSections(tiny.apis ?? [])),
    ].map((bytes) => Uint8Array.from(bytes)),
  );
};
