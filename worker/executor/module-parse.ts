import { NodeError } from '../../src/protocol/errors.ts';
import type { ModuleCode } from '../crypto/crypto.ts';
import { createLeb, type Leb } from './leb.ts';

/** Value types as single letters: i = i32, I = i64, f = f32, F = f64. */
export type WasmType = { readonly params: string; readonly results: string };
export type WasmImport = {
  readonly module: string;
  readonly name: string;
  readonly kind: 'func' | 'table' | 'memory' | 'global';
  readonly type: WasmType | null;
  readonly limits: Limits | null;
  /** Where a memory's limits are in the module. */
  readonly limitsAt?: readonly [start: number, end: number];
};
export type Limits = { readonly min: number; readonly max: number | null };
export type WasmSection = {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly name: string;
};
/** A module that the SDK reads, except that its code has not been checked. */
export type ModuleFile = {
  /** Empty once it is compiled. */
  readonly bytes: Uint8Array;
  readonly sections: readonly WasmSection[];
  /** Nothing in its sections keeps native nodes from instantiating it. */
  readonly isPlain: boolean;
};
/** What the executor needs to know about a module (WebAssembly core specification, chapter 5). */
export type ModuleInfo = ModuleFile & {
  /** In bytes. */
  readonly size: number;
  readonly imports: readonly WasmImport[];
  readonly exports: ReadonlyMap<string, { readonly kind: number; readonly index: number }>;
  readonly memory: { readonly imported: boolean; readonly limits: Limits };
  /** How many globals it defines. */
  readonly globalCount: number;
  /** Indices of the mutable globals among them. */
  readonly mutableGlobals: readonly number[];
};

const bad = (message: string): NodeError => new NodeError('BadCode', message);
const letters: Readonly<Record<number, string>> = { 127: 'i', 126: 'I', 125: 'f', 124: 'F' };
const typeList = (leb: Leb): string => {
  let out = '';
  for (let count = leb.u32(); count > 0; count--) out += letters[leb.u8()];
  return out;
};

const readLimits = (leb: Leb): Limits => {
  const flag = leb.u8();
  return { min: leb.u32(), max: flag === 1 ? leb.u32() : null };
};

/** The order of sections in a module: the data count (12) comes before the code (10). Custom ones go anywhere. */
const sectionOrder = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11];

const checkOrder = (last: number, id: number): number => {
  const order = sectionOrder.indexOf(id);
  if (order < 0) throw bad(`The module has a section of the unknown kind ${id}`);
  if (order <= last) throw bad('The sections of the module are not in their order');
  return order;
};

/** Checks that no byte is left over or missing, as the SDK does. */
const readSections = (bytes: Uint8Array): WasmSection[] => {
  if ([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0].some((byte, at) => bytes[at] !== byte))
    throw bad('Not a WebAssembly module of version 1');
  const leb = createLeb(bytes, 8);
  const out: WasmSection[] = [];
  let last = -1;
  while (leb.at() < bytes.length) {
    const id = leb.u8();
    const size = leb.u32();
    const start = leb.at();
    const end = start + size;
    if (end > bytes.length) throw bad('A section of the module runs past its end');
    let name = '';
    let body = start;
    if (id === 0) {
      name = leb.text();
      body = leb.at();
      if (body > end) throw bad('The name of a section runs past its end');
    } else last = checkOrder(last, id);
    out.push({ id, start: body, end, name });
    leb.seek(end);
  }
  return out;
};

const findSection = (sections: readonly WasmSection[], id: number): WasmSection | undefined =>
  sections.find((candidate) => candidate.id === id);

const countIn = (bytes: Uint8Array, section: WasmSection | undefined): number =>
  section === undefined ? 0 : createLeb(bytes.subarray(0, section.end), section.start).u32();

/**
 * Reads a module as the SDK does (sc-executor-common `RuntimeBlob::new`), except for its code. Throws
 * `BadCode`.
 */
export const readModule = (bytes: Uint8Array, core: Pick<ModuleCode, 'readSection'>): ModuleFile => {
  const sections = readSections(bytes);
  let isPlain = true;
  for (const { id, start, end } of sections)
    if (id !== 0 && id !== 10) isPlain = core.readSection(id, bytes.subarray(start, end)) && isPlain;
  if (countIn(bytes, findSection(sections, 3)) !== countIn(bytes, findSection(sections, 10)))
    throw bad('The module declares another number of functions than it has');
  return { bytes, sections, isPlain };
};

/** The contents of the code section, or null. */
export const codeSection = ({ bytes, sections }: ModuleFile): Uint8Array | null => {
  const section = findSection(sections, 10);
  return section === undefined ? null : bytes.subarray(section.start, section.end);
};

const readTypes = (leb: Leb): WasmType[] => {
  const out: WasmType[] = [];
  for (let count = leb.u32(); count > 0; count--) {
    leb.u8();
    const params = typeList(leb);
    out.push({ params, results: typeList(leb) });
  }
  return out;
};

const readImport = (leb: Leb, types: readonly WasmType[]): WasmImport => {
  const module = leb.text();
  const name = leb.text();
  const kind = leb.u8();
  if (kind === 0) return { module, name, kind: 'func', type: types[leb.u32()] ?? null, limits: null };
  if (kind !== 2) throw bad('The module imports something that is no function or memory');
  const start = leb.at();
  const limits = readLimits(leb);
  return { module, name, kind: 'memory', type: null, limits, limitsAt: [start, leb.at()] };
};

/** Native nodes import nothing but functions of `env`, and turn an imported memory into an exported one. */
const checkImports = (imports: readonly WasmImport[], exports: ReadonlyMap<string, unknown>): void => {
  for (const { module, name, kind } of imports) {
    if (kind === 'func' && module !== 'env') throw bad(`The module imports ${module}.${name}`);
    if (kind === 'memory' && exports.has(name)) throw bad(`The module imports and exports ${name}`);
  }
};

/** Skips an initial value: a single constant. */
const skipConstant = (leb: Leb): void => {
  const opcode = leb.u8();
  if (opcode === 0x43) leb.skip(4);
  else if (opcode === 0x44) leb.skip(8);
  else leb.skipLeb();
  leb.skip(1);
};

const readGlobals = (leb: Leb): { count: number; mutable: number[] } => {
  const mutable: number[] = [];
  const count = leb.u32();
  for (let i = 0; i < count; i++) {
    leb.u8();
    if (leb.u8() === 1) mutable.push(i);
    skipConstant(leb);
  }
  return { count, mutable };
};

const readExports = (leb: Leb): Map<string, { kind: number; index: number }> => {
  const out = new Map<string, { kind: number; index: number }>();
  for (let count = leb.u32(); count > 0; count--) {
    const name = leb.text();
    const kind = leb.u8();
    out.set(name, { kind, index: leb.u32() });
  }
  return out;
};

/** What a module that can be instantiated imports, exports and defines. Throws `BadCode` if it cannot. */
export const parseModule = (file: ModuleFile): ModuleInfo => {
  const { bytes, sections } = file;
  if (!file.isPlain) throw bad('The module needs more than WebAssembly 1.0 to be instantiated');
  const open = (id: number): Leb | null => {
    const section = findSection(sections, id);
    return section === undefined ? null : createLeb(bytes, section.start);
  };
  const typeSection = open(1);
  const types = typeSection === null ? [] : readTypes(typeSection);
  const imports: WasmImport[] = [];
  const importSection = open(2);
  if (importSection !== null) {
    for (let count = importSection.u32(); count > 0; count--) imports.push(readImport(importSection, types));
  }
  const globalSection = open(6);
  const globals = globalSection === null ? { count: 0, mutable: [] } : readGlobals(globalSection);
  const exportSection = open(7);
  const exports = exportSection === null ? new Map() : readExports(exportSection);
  checkImports(imports, exports);
  const memorySection = open(5);
  const own = memorySection !== null && memorySection.u32() > 0 ? readLimits(memorySection) : null;
  const imported = imports.find((entry) => entry.kind === 'memory')?.limits ?? null;
  const limits = imported ?? own;
  if (limits === null) throw bad('The module has no memory');
  return {
    ...file,
    size: bytes.length,
    imports,
    exports,
    memory: { imported: imported !== null, limits },
    globalCount: globals.count,
    mutableGlobals: globals.mutable,
  };
};

/** The contents of a custom section, or null. */
export const customSection = ({ bytes, sections }: ModuleFile, name: string): Uint8Array | null => {
  const section = sections.find((candidate) => candidate.id === 0 && candidate.name === name);
  return section === undefined ? null : bytes.subarray(section.start, section.end);
};
