import { NodeError } from '../../src/protocol/errors.ts';
import { createLeb, type Leb } from './leb.ts';

/** Value types as single letters: i = i32, I = i64, f = f32, F = f64, ? = anything newer. */
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
/** What the executor needs to know about a module (WebAssembly core specification, chapter 5). */
export type ModuleInfo = {
  /** Empty once it is compiled. */
  readonly bytes: Uint8Array;
  /** In bytes. */
  readonly size: number;
  readonly sections: readonly WasmSection[];
  readonly imports: readonly WasmImport[];
  readonly exports: ReadonlyMap<string, { readonly kind: number; readonly index: number }>;
  readonly memory: { readonly imported: boolean; readonly limits: Limits };
  /** Index of the first global that the module defines, and their number. */
  readonly firstGlobal: number;
  readonly globalCount: number;
  /** Indices of the mutable globals among them. */
  readonly mutableGlobals: readonly number[];
};

const bad = (message: string): NodeError => new NodeError('BadCode', message);
const letters: Readonly<Record<number, string>> = { 127: 'i', 126: 'I', 125: 'f', 124: 'F' };
const typeList = (leb: Leb): string => {
  let out = '';
  for (let count = leb.u32(); count > 0; count--) out += letters[leb.u8()] ?? '?';
  return out;
};

const readLimits = (leb: Leb): Limits => {
  const flag = leb.u8();
  if (flag > 1) throw bad('Shared and 64-bit memories are not supported');
  return { min: leb.u32(), max: flag === 1 ? leb.u32() : null };
};

const readSections = (bytes: Uint8Array): WasmSection[] => {
  if (bytes.length < 8 || bytes[4] !== 1) throw bad('Not a WebAssembly module of version 1');
  const leb = createLeb(bytes, 8);
  const out: WasmSection[] = [];
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
    }
    out.push({ id, start: body, end, name });
    leb.seek(end);
  }
  return out;
};

const readTypes = (leb: Leb): WasmType[] => {
  const out: WasmType[] = [];
  for (let count = leb.u32(); count > 0; count--) {
    if (leb.u8() !== 0x60) throw bad('Only function types are supported');
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
  if (kind === 2) {
    const start = leb.at();
    const limits = readLimits(leb);
    return { module, name, kind: 'memory', type: null, limits, limitsAt: [start, leb.at()] };
  }
  if (kind === 1) {
    leb.u8();
    readLimits(leb);
    return { module, name, kind: 'table', type: null, limits: null };
  }
  if (kind !== 3) throw bad('The module imports something that is no function or memory');
  leb.skip(2);
  return { module, name, kind: 'global', type: null, limits: null };
};

/** Skips a constant expression. Without the extended-const proposal it consists of a single instruction. */
const skipConstant = (leb: Leb): void => {
  for (;;) {
    const opcode = leb.u8();
    if (opcode === 0x0b) return;
    if (opcode === 0x43) leb.skip(4);
    else if (opcode === 0x44) leb.skip(8);
    else if (opcode === 0x41 || opcode === 0x42 || opcode === 0x23 || opcode === 0xd0 || opcode === 0xd2)
      leb.skipLeb();
    else throw bad('Unknown instruction in a constant expression');
  }
};

const readGlobals = (leb: Leb, first: number): { count: number; mutable: number[] } => {
  const mutable: number[] = [];
  const count = leb.u32();
  for (let i = 0; i < count; i++) {
    leb.u8();
    if (leb.u8() === 1) mutable.push(first + i);
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

/** Parses sections, imports, exports, globals and memory of a module. Throws `BadCode`. */
export const parseModule = (bytes: Uint8Array): ModuleInfo => {
  const sections = readSections(bytes);
  const open = (id: number): Leb | null => {
    const section = sections.find((candidate) => candidate.id === id);
    return section === undefined ? null : createLeb(bytes, section.start);
  };
  const typeSection = open(1);
  const types = typeSection === null ? [] : readTypes(typeSection);
  const imports: WasmImport[] = [];
  const importSection = open(2);
  if (importSection !== null) {
    for (let count = importSection.u32(); count > 0; count--) imports.push(readImport(importSection, types));
  }
  const firstGlobal = imports.filter((entry) => entry.kind === 'global').length;
  const globalSection = open(6);
  const globals =
    globalSection === null ? { count: 0, mutable: [] } : readGlobals(globalSection, firstGlobal);
  const exportSection = open(7);
  const memorySection = open(5);
  const own = memorySection !== null && memorySection.u32() > 0 ? readLimits(memorySection) : null;
  const imported = imports.find((entry) => entry.kind === 'memory')?.limits ?? null;
  const limits = imported ?? own;
  if (limits === null) throw bad('The module has no memory');
  return {
    bytes,
    size: bytes.length,
    sections,
    imports,
    exports: exportSection === null ? new Map() : readExports(exportSection),
    memory: { imported: imported !== null, limits },
    firstGlobal,
    globalCount: globals.count,
    mutableGlobals: globals.mutable,
  };
};

/** The contents of a custom section, or null. */
export const customSection = (info: ModuleInfo, name: string): Uint8Array | null => {
  const section = info.sections.find((candidate) => candidate.id === 0 && candidate.name === name);
  return section === undefined ? null : info.bytes.subarray(section.start, section.end);
};
