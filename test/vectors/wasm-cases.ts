import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { encodeLeb } from '../../worker/executor/leb.ts';
import type { Case } from './zstd-cases.ts';

type Bytes = readonly number[];
type Section = readonly [id: number, content: Bytes];

const text = (value: string): number[] => [...encodeLeb(value.length), ...textToBytes(value)];
const vector = (...items: readonly Bytes[]): number[] => [...encodeLeb(items.length), ...items.flat()];
const body = (code: Bytes, locals: Bytes = [0]): number[] => [
  ...encodeLeb(code.length + locals.length + 1),
  ...locals,
  ...code,
  0x0b,
];
const custom = (name: string, content: Bytes): Section => [0, [...text(name), ...content]];
const i32 = 0x7f;
const i64 = 0x7e;
/** A version of RuntimeVersion V3 (Core 4) at address 1,000. */
const version = [...text('mini'), ...text('mini')].map((byte, at) => (at % 5 === 0 ? byte << 2 : byte));
const numbers = [1, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0];
const core = [0xdf, 0x6a, 0xcb, 0x68, 0x99, 0x07, 0x60, 0x9b, 5, 0, 0, 0];
const versionSection = custom('runtime_version', [...version, ...numbers, 0, 2, 0, 0, 0, 1]);
const apisSection = custom('runtime_apis', core);
const returned = [...version, ...numbers, 4, ...core, 2, 0, 0, 0, 1];

/** The sections of a runtime whose `Core_version` returns its version; `extra` replaces or adds some. */
const runtime = (extra: Readonly<Record<number, Bytes>> = {}): Section[] => {
  const span = [0x42, ...encodeSigned((BigInt(returned.length) << 32n) | 1000n)];
  const all: Record<number, Bytes> = {
    1: vector([0x60, 2, i32, i32, 1, i64], [0x60, 0, 0]),
    3: vector([0]),
    5: vector([0, 1]),
    6: vector([i32, 0, 0x41, 0x80, 0x10, 0x0b]),
    7: vector([...text('memory'), 2, 0], [...text('__heap_base'), 3, 0], [...text('Core_version'), 0, 0]),
    10: vector(body(span)),
    11: vector([0, 0x41, 0xe8, 0x07, 0x0b, ...encodeLeb(returned.length), ...returned]),
    ...extra,
  };
  const order = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11];
  return order.flatMap((id): Section[] => (all[id] === undefined ? [] : [[id, all[id]]]));
};
const encodeSigned = (value: bigint): number[] => {
  const out: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 127n);
    if (rest >> 6n === 0n || rest >> 6n === -1n) return [...out, low];
    out.push(low | 128);
  }
};
const assemble = (sections: readonly Section[]): Uint8Array =>
  concatBytes(
    Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
    ...sections.map(([id, content]) => Uint8Array.from([id, ...encodeLeb(content.length), ...content])),
  );

/** Another function of type () → (), with this code. */
const withCode = (code: Bytes, locals?: Bytes): Readonly<Record<number, Bytes>> => {
  const base = runtime();
  const own = base.find(([id]) => id === 10)?.[1].slice(1) ?? [];
  return { 3: vector([0], [1]), 10: [2, ...own, ...body(code, locals)] };
};
/** Another type, of the second function. */
const withType = (type: Bytes, code: Bytes): Readonly<Record<number, Bytes>> => ({
  ...withCode(code),
  1: vector([0x60, 2, i32, i32, 1, i64], type),
});
const withGlobal = (global: Bytes): Readonly<Record<number, Bytes>> => ({
  6: vector([i32, 0, 0x41, 0x80, 0x10, 0x0b], global),
});
const exportsOf = (...more: readonly Bytes[]): Readonly<Record<number, Bytes>> => ({
  7: vector(
    [...text('memory'), 2, 0],
    [...text('__heap_base'), 3, 0],
    [...text('Core_version'), 0, 0],
    ...more,
  ),
});
const ownExports = { 7: vector([...text('__heap_base'), 3, 0], [...text('Core_version'), 0, 0]) };
const imported = (module: string, name: string, type: Bytes): Bytes => [
  ...text(module),
  ...text(name),
  ...type,
];
const table = { 4: vector([0x70, 0, 1]) };
const dropped = [0x1a];

/** What is in the module besides `runtime()`; each is asked with and without its version sections. */
const modules: Readonly<Record<string, Readonly<Record<number, Bytes>>>> = {
  mvp: {},
  'mutable global': withGlobal([i32, 1, 0x41, 5, 0x0b]),
  'exported mutable global': { ...withGlobal([i32, 1, 0x41, 5, 0x0b]), ...exportsOf([...text('g'), 3, 1]) },
  'mutability 2': withGlobal([i32, 2, 0x41, 5, 0x0b]),
  'imported mutable global': { 2: vector(imported('env', 'g', [3, i32, 1])) },
  'imported table': { 2: vector(imported('env', 't', [1, 0x70, 0, 1])) },
  'import of kind 4': { 2: vector(imported('env', 't', [4, 0, 0])) },
  'imported memory': { 2: vector(imported('env', 'memory', [2, 0, 1])), 5: [], ...ownExports },
  'imported memory with a maximum': {
    2: vector(imported('env', 'memory', [2, 1, 1, 16])),
    5: [],
    ...ownExports,
  },
  'imported memory of another name': { 2: vector(imported('env', 'mem', [2, 0, 1])), 5: [] },
  'imported memory that is exported': { 2: vector(imported('env', 'memory', [2, 0, 1])), 5: [] },
  'imported memory and its own': { 2: vector(imported('env', 'memory', [2, 0, 1])) },
  'unknown function': {
    2: vector(imported('env', 'ext_unknown', [0, 1])),
    ...{
      7: vector([...text('memory'), 2, 0], [...text('__heap_base'), 3, 0], [...text('Core_version'), 0, 1]),
    },
  },
  'function of another module': {
    2: vector(imported('wasi', 'ext_unknown', [0, 1])),
    ...{
      7: vector([...text('memory'), 2, 0], [...text('__heap_base'), 3, 0], [...text('Core_version'), 0, 1]),
    },
  },
  'no memory': { 5: [], ...ownExports, 11: [] },
  'two memories': { 5: vector([0, 1], [0, 1]) },
  'shared memory': { 5: vector([3, 1, 2]) },
  '64-bit memory': { 5: vector([4, 1]) },
  'memory with a maximum': { 5: vector([1, 1, 16]) },
  table,
  'two tables': { 4: vector([0x70, 0, 1], [0x70, 0, 1]) },
  'table of externref': { 4: vector([0x6f, 0, 1]) },
  'table of 8,192 items': { 4: vector([0x70, 0, ...encodeLeb(8192)]) },
  'table of 8,193 items': { 4: vector([0x70, 0, ...encodeLeb(8193)]) },
  elements: { ...table, 9: vector([0, 0x41, 0, 0x0b, 1, 0]) },
  'elements, flags 2': { ...table, 9: vector([2, 0, 0x41, 0, 0x0b, 0, 1, 0]) },
  'passive elements': { ...table, 9: vector([1, 0, 1, 0]) },
  'declared elements': { ...table, 9: vector([3, 0, 1, 0]) },
  'elements as expressions': { ...table, 9: vector([4, 0x41, 0, 0x0b, 1, 0xd2, 0, 0x0b]) },
  'passive data': { 11: vector([1, 1, 65]) },
  'data of memory 0 by index': { 11: vector([2, 0, 0x41, 0, 0x0b, 1, 65]) },
  'data count': { 12: [1] },
  'data with a computed offset': { 11: vector([0, 0x41, 1, 0x41, 1, 0x6a, 0x0b, 1, 65]) },
  'global from another': withGlobal([i32, 0, 0x23, 0, 0x0b]),
  'global without a value': withGlobal([i32, 0, 0x0b]),
  'v128 global': withGlobal([0x7b, 0, 0x41, 0, 0x0b]),
  'start function': { ...withCode([]), 8: [1] },
  'start with a byte too many': { ...withCode([]), 8: [1, 0] },
  'sign extension': withCode([0x41, 1, 0xc0, ...dropped]),
  'i64.extend32_s': withCode([0x42, 1, 0xc4, ...dropped]),
  'saturating conversion': withCode([0x43, 0, 0, 0, 0, 0xfc, 0, ...dropped]),
  'memory.fill': withCode([0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 11, 0]),
  'memory.copy': withCode([0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 10, 0, 0]),
  'table.get': { ...withCode([0x41, 0, 0x25, 0, ...dropped]), ...table },
  'ref.null': withCode([0xd0, 0x70, ...dropped]),
  'select with a type': withCode([0x41, 1, 0x41, 1, 0x41, 1, 0x1c, 1, i32, ...dropped]),
  select: withCode([0x41, 1, 0x41, 1, 0x41, 1, 0x1b, ...dropped]),
  simd: withCode([0x41, 1, 0xfd, 17, ...dropped]),
  atomics: withCode([0xfe, 3, 0]),
  'tail call': withCode([0x12, 1]),
  try: withCode([0x06, 0x40, 0x0b]),
  'call_indirect of table 1': { ...withCode([0x41, 0, 0x11, 1, 1]), ...table },
  'call_indirect of a long 0': { ...withCode([0x41, 0, 0x11, 1, 0x80, 0]), ...table },
  call_indirect: { ...withCode([0x41, 0, 0x11, 1, 0]), ...table },
  'memory.grow of a long 0': withCode([0x41, 0, 0x40, 0x80, 0, ...dropped]),
  'memory.size': withCode([0x3f, 0, ...dropped]),
  'two results': withType([0x60, 0, 2, i32, i32], [0x41, 1, 0x41, 2]),
  'externref parameter': withType([0x60, 1, 0x6f, 0], []),
  'a structure type': withType([0x5f, 0], []),
  'block of a type index': withCode([0x02, 1, 0x0b]),
  'block of a long empty type': withCode([0x02, 0xc0, 0x7f, 0x0b]),
  'block with a value': withCode([0x02, i32, 0x41, 1, 0x0b, ...dropped]),
  'i32.const in five bytes': withCode([0x41, 0x80, 0x80, 0x80, 0x80, 0, ...dropped]),
  'i32.const with unused bits': withCode([0x41, 0x80, 0x80, 0x80, 0x80, 0x70, ...dropped]),
  'i32.const in six bytes': withCode([0x41, 0x80, 0x80, 0x80, 0x80, 0x80, 0, ...dropped]),
  'i64.const in ten bytes': withCode([0x42, ...Array(9).fill(0x80), 0x7f, ...dropped]),
  'i64.const with unused bits': withCode([0x42, ...Array(9).fill(0x80), 0x3f, ...dropped]),
  'local.get in five bytes': withCode([0x20, 0x80, 0x80, 0x80, 0x80, 0, ...dropped], [1, 1, i32]),
  'local.get with unused bits': withCode([0x20, 0x80, 0x80, 0x80, 0x80, 0x10, ...dropped], [1, 1, i32]),
  'v128 local': withCode([], [1, 1, 0x7b]),
  '2^32 locals': withCode([], [2, ...encodeLeb(0xffffffff), i32, 1, i32]),
  '60,000 locals': withCode([], [1, ...encodeLeb(60_000), i32]),
  'code after the end': withCode([0x0b, 0x01]),
  'a body that does not end': { 10: [1, 4, 0, 0x02, 0x40, 0x0b] },
  'a wrong type': withCode([0x42, 0, 0x45, ...dropped]),
  'an unknown local': withCode([0x20, 9, ...dropped]),
  'an unknown function': withCode([0x10, 9]),
  'else without if': withCode([0x02, 0x40, 0x05, 0x0b]),
  'a missing body': { 3: vector([0], [1]) },
  'a body too many': { 3: vector([0]), 10: withCode([])[10] as Bytes },
  'a function of an unknown type': { 3: vector([9]) },
  'duplicate export': exportsOf([...text('Core_version'), 0, 0]),
  'export of kind 4': exportsOf([...text('x'), 4, 0]),
  'export of an unknown function': exportsOf([...text('x'), 0, 9]),
  'export with a name that is not UTF-8': exportsOf([2, 0xc3, 0x28, 0, 0]),
  'export whose name begins with a BOM': exportsOf([3, 0xef, 0xbb, 0xbf, 0, 0]),
  'a byte too many in a section': { 3: [1, 0, 0] },
  'a count beyond the section': { 7: [9, ...text('memory'), 2, 0] },
};

const swap = (sections: readonly Section[], one: number, two: number): Section[] => {
  const order = sections.map(([id]) => (id === one ? two : id === two ? one : id));
  return order.map((id, at) =>
    id === sections[at]?.[0] ? (sections[at] as Section) : (sections.find(([own]) => own === id) as Section),
  );
};
const drop = (bytes: Uint8Array, count: number): Uint8Array => bytes.subarray(0, bytes.length - count);

/** Whole modules: their framing, and the sections with the version. */
const framed = (): Case[] => {
  const base = runtime();
  const whole = assemble([...base, versionSection, apisSection]);
  const withHead = (at: number, byte: number): Uint8Array =>
    Uint8Array.from(whole, (own, index) => (index === at ? byte : own));
  const short = (name: string, content: Bytes): Uint8Array =>
    assemble([...base, custom(name, content), apisSection]);
  return [
    ['version 2', withHead(4, 2)],
    ['version with upper bytes', withHead(7, 1)],
    ['wrong magic', withHead(3, 0x6e)],
    ['only the magic', whole.subarray(0, 4)],
    ['only the header', whole.subarray(0, 8)],
    ['header and version sections', assemble([versionSection, apisSection])],
    ['version sections in front', assemble([versionSection, apisSection, ...base])],
    ['a section twice', assemble([...base.slice(0, 1), ...base, versionSection, apisSection])],
    ['sections out of order', assemble([...swap(base, 5, 6), versionSection, apisSection])],
    ['section 13', assemble([...base, [13, [0]], versionSection, apisSection])],
    ['section 0x80', assemble([...base, [0x80, [0]], versionSection, apisSection])],
    [
      'data count after the code',
      assemble([...base.slice(0, 6), [12, [1]], ...base.slice(6), versionSection, apisSection]),
    ],
    ['last byte missing', drop(whole, 1)],
    ['last section without a size', concatBytes(whole, Uint8Array.of(0))],
    ['last section that is cut', concatBytes(whole, Uint8Array.of(0, 5, 1, 0x70))],
    ['custom section without a name', concatBytes(whole, Uint8Array.of(0, 0))],
    ['custom section with an empty name', concatBytes(whole, Uint8Array.of(0, 1, 0))],
    ['custom section whose name is too long', concatBytes(whole, Uint8Array.of(0, 2, 2, 0x70))],
    ['custom section whose name is not UTF-8', concatBytes(whole, Uint8Array.of(0, 3, 2, 0xc3, 0x28))],
    ['custom section name, malformed', concatBytes(whole, Uint8Array.from([0, 6, ...text('name'), 9]))],
    [
      'size of a section in five bytes',
      concatBytes(whole, Uint8Array.of(0, 0x82, 0x80, 0x80, 0x80, 0, 1, 0x70)),
    ],
    [
      'size of a section with unused bits',
      concatBytes(whole, Uint8Array.of(0, 0x82, 0x80, 0x80, 0x80, 0x10, 1, 0x70)),
    ],
    ['no runtime_apis', assemble([...base, versionSection])],
    ['no runtime_version', assemble([...base, apisSection])],
    ['runtime_apis of 13 bytes', assemble([...base, versionSection, custom('runtime_apis', [...core, 0])])],
    [
      'runtime_apis without Core',
      assemble([...base, versionSection, custom('runtime_apis', [...core.slice(0, 7), 0, 5, 0, 0, 0])]),
    ],
    ['runtime_apis empty', assemble([...base, versionSection, custom('runtime_apis', [])])],
    ['runtime_version empty', short('runtime_version', [])],
    ['runtime_version that is cut', short('runtime_version', [...version, ...numbers, 0, 2, 0, 0])],
    [
      'runtime_version with a byte too many',
      short('runtime_version', [...version, ...numbers, 0, 2, 0, 0, 0, 1, 9]),
    ],
    [
      'runtime_version with its own list',
      short('runtime_version', [...version, ...numbers, 4, ...core, 2, 0, 0, 0, 1]),
    ],
    [
      'runtime_version with a name that is not UTF-8',
      short('runtime_version', [4, 0xff, ...version.slice(5), ...numbers, 0, 2, 0, 0, 0, 1]),
    ],
    [
      'runtime_version twice',
      assemble([...base, versionSection, custom('runtime_version', []), apisSection]),
    ],
    [
      'runtime_version twice, the first empty',
      assemble([...base, custom('runtime_version', []), versionSection, apisSection]),
    ],
  ];
};

/** A runtime with its version in custom sections. */
export const miniRuntime = (): Uint8Array => assemble([...runtime(), versionSection, apisSection]);

const isKept = (section: Section): boolean => section[1].length > 0;

/** Without the sections, the runtime has to be instantiated to be asked for its version. */
export const wasmCases = (): readonly Case[] => [
  ...Object.entries(modules).flatMap(([name, extra]): Case[] => {
    const sections = runtime(extra).filter(isKept);
    return [
      [name, assemble([...sections, versionSection, apisSection])],
      [`${name}, called`, assemble(sections)],
    ];
  }),
  ...framed(),
];
