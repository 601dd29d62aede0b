import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { createLeb, encodeLeb } from '../../worker/executor/leb.ts';
import type { ModuleInfo, WasmSection } from '../../worker/executor/module-parse.ts';

export const i32 = 0x7f;
export const i64 = 0x7e;
export const get = (local: number): number[] => [0x20, local];
export const set = (local: number): number[] => [0x21, local];
export const call = (index: number): number[] => [0x10, ...encodeLeb(index)];

/** A signed LEB128 number. */
const encodeSigned = (number: bigint): number[] => {
  const out: number[] = [];
  for (let value = number; ; out.push(Number(value & 127n) | 128), value >>= 7n)
    if (value >= -64n && value < 64n) return [...out, Number(value & 127n)];
};
export const constant32 = (value: number): number[] => [0x41, ...encodeSigned(BigInt(value))];
export const constant64 = (value: bigint): number[] => [0x42, ...encodeSigned(BigInt.asIntN(64, value))];

/** A function: its locals and code with the closing `end`. */
export type Entry = { readonly body: readonly number[]; readonly type: number };

const sectionBytes = (id: number, content: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.from([id, ...encodeLeb(content.length)]), content);
/** A section's items, and more of them. */
export const vector = (
  bytes: Uint8Array,
  section: WasmSection | undefined,
  more: readonly (readonly number[])[],
) => {
  if (section === undefined) throw new Error('the module lacks a section');
  const leb = createLeb(bytes, section.start);
  const count = leb.u32();
  const content = concatBytes(
    Uint8Array.from(encodeLeb(count + more.length)),
    bytes.subarray(leb.at(), section.end),
    Uint8Array.from(more.flat()),
  );
  return { count, content };
};

const text = (value: string): number[] => [...encodeLeb(value.length), ...textToBytes(value)];
export const functionsOf = ({ imports }: ModuleInfo) => imports.filter(({ kind }) => kind === 'func');

/**
 * The module with these functions added and exported, in place of an export of the same name. Their types are the next two
 * after the module's own: (i32, i32) → i64, and (i32). `more` is appended to custom sections by name.
 */
export const addFunctions = (
  info: ModuleInfo,
  added: ReadonlyMap<string, Entry>,
  more: Readonly<Record<string, Uint8Array>> = {},
): Uint8Array => {
  const find = (id: number) => info.sections.find((section) => section.id === id);
  const { bytes } = info;
  const functions = vector(
    bytes,
    find(3),
    [...added.values()].map(({ type }) => encodeLeb(type)),
  );
  const bodies = [...added.values()].map(({ body }) => [...encodeLeb(body.length), ...body]);
  const first = functionsOf(info).length + functions.count;
  const exported = new Map(info.exports);
  for (const [index, name] of [...added.keys()].entries())
    exported.set(name, { kind: 0, index: first + index });
  const entries = [...exported].map(([name, { kind, index }]) => [...text(name), kind, ...encodeLeb(index)]);
  const types = [
    [0x60, 2, i32, i32, 1, i64],
    [0x60, 1, i32, 0],
  ];
  const replaced = new Map<number, Uint8Array>([
    [1, vector(bytes, find(1), types).content],
    [3, functions.content],
    [7, Uint8Array.from([...encodeLeb(entries.length), ...entries.flat()])],
    [10, vector(bytes, find(10), bodies).content],
  ]);
  const sections = info.sections.map(({ id, start, end, name }) => {
    const content = replaced.get(id) ?? bytes.subarray(start, end);
    const own = more[name] ?? new Uint8Array();
    return sectionBytes(id, id === 0 ? concatBytes(Uint8Array.from(text(name)), content, own) : content);
  });
  return concatBytes(bytes.subarray(0, 8), ...sections);
};
