import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import { encodeLeb } from './leb.ts';
import type { ModuleInfo } from './module-parse.ts';
import { createImmediateTable, immediates, isStatefulPrefixed, prefixedImmediates } from './opcodes.ts';

/** Export name of the fuel counter in a patched module. */
export const fuelExport = 'tabnode:fuel';
/** Export name of the n-th mutable global in a patched module. */
export const globalExport = (index: number): string => `tabnode:global${index}`;

export type PatchedModule = {
  readonly bytes: Uint8Array;
  /** The code reads or changes its memory size, so the size an instance has reached is visible to it. */
  readonly usesMemorySize: boolean;
  /** The code changes tables or segments: only a fresh instance is pristine. */
  readonly needsFreshInstance: boolean;
};

type Sink = { bytes: Uint8Array; length: number };
const room = (sink: Sink, extra: number): void => {
  if (sink.length + extra <= sink.bytes.length) return;
  const grown = new Uint8Array(Math.max(sink.bytes.length * 2, sink.length + extra));
  grown.set(sink.bytes.subarray(0, sink.length));
  sink.bytes = grown;
};
const copy = (sink: Sink, from: Uint8Array, start: number, end: number): void => {
  room(sink, end - start);
  sink.bytes.set(from.subarray(start, end), sink.length);
  sink.length += end - start;
};

/**
 * An engine takes long to grow a memory, and to refuse to: each try costs as much as so many rounds of a loop.
 * (Bit 6 of the last LEB byte is clear, so that it reads the same as a signed number.)
 */
const growCost = 20_000;

/** `fuel -= cost; if (fuel < 0) unreachable`, stack-neutral, so it fits before any instruction. */
const fuelCheck = (index: number, cost: number): Uint8Array => {
  const global = encodeLeb(index);
  return Uint8Array.from([
    ...[0x23, ...global, 0x42, ...encodeLeb(cost), 0x7d, 0x24, ...global],
    ...[0x23, ...global, 0x42, 0, 0x53, 0x04, 0x40, 0x00, 0x0b],
  ]);
};

type BodyPatcher = {
  /** Appends the patched body (locals and code) to the sink. */
  patch(sink: Sink, start: number, end: number): void;
  usesMemorySize(): boolean;
  needsFreshInstance(): boolean;
};

const createBodyPatcher = (bytes: Uint8Array, check: Uint8Array, growCheck: Uint8Array): BodyPatcher => {
  const table = createImmediateTable();
  let at = 0;
  let sized = false;
  let stateful = false;
  const skipLeb = (): void => {
    while ((bytes[at++] as number) > 127);
  };
  const leb = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
      if (!(byte > 127)) return value >>> 0;
    }
  };
  const skipMany = (count: number): void => {
    for (let i = 0; i < count && at <= bytes.length; i++) skipLeb();
  };
  const skipPrefixed = (): void => {
    const opcode = leb();
    const count = prefixedImmediates[opcode];
    if (count === undefined) throw new NodeError('BadCode', `Instruction 0xfc ${opcode} is not supported`);
    if (isStatefulPrefixed(opcode)) stateful = true;
    skipMany(count);
  };
  const skipImmediates = (opcode: number, kind: number): void => {
    if (kind === immediates.one) {
      skipLeb();
      if (opcode === 0x3f || opcode === 0x40) sized = true;
      else if (opcode === 0x26) stateful = true;
    } else if (kind === immediates.two) skipMany(2);
    else if (kind === immediates.bytes4 || kind === immediates.bytes8) at += kind;
    else if (kind === immediates.branchTable) skipMany(leb() + 1);
    else if (kind === immediates.typeList) skipMany(leb());
    else if (kind === immediates.prefixed) skipPrefixed();
    else throw new NodeError('BadCode', `Instruction 0x${opcode.toString(16)} is not supported`);
  };
  const patch = (sink: Sink, start: number, end: number): void => {
    at = start;
    skipMany(leb() * 2);
    let copied = start;
    copy(sink, bytes, copied, at);
    copied = at;
    copy(sink, check, 0, check.length);
    while (at < end) {
      const opcode = bytes[at++] as number;
      const kind = table[opcode] as number;
      if (kind === immediates.none) continue;
      if (opcode === 0x40) {
        copy(sink, bytes, copied, at - 1);
        copied = at - 1;
        copy(sink, growCheck, 0, growCheck.length);
      }
      if (kind !== immediates.loop) {
        skipImmediates(opcode, kind);
        continue;
      }
      skipLeb();
      copy(sink, bytes, copied, at);
      copied = at;
      copy(sink, check, 0, check.length);
    }
    if (at !== end) throw new NodeError('BadCode', 'A function body of the module runs past its end');
    copy(sink, bytes, copied, end);
  };
  return { patch, usesMemorySize: () => sized, needsFreshInstance: () => stateful };
};

const patchCode = (info: ModuleInfo, start: number, end: number, patcher: BodyPatcher): Uint8Array => {
  const { bytes } = info;
  const sink: Sink = { bytes: new Uint8Array(Math.ceil((end - start) * 1.5) + 64), length: 0 };
  const body: Sink = { bytes: new Uint8Array(4096), length: 0 };
  let at = start;
  const leb = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
      if (!(byte > 127)) return value >>> 0;
    }
  };
  const count = leb();
  copy(sink, bytes, start, at);
  for (let i = 0; i < count; i++) {
    const size = leb();
    if (at + size > end) throw new NodeError('BadCode', 'A function body of the module runs past its end');
    body.length = 0;
    patcher.patch(body, at, at + size);
    at += size;
    const length = encodeLeb(body.length);
    copy(sink, Uint8Array.from(length), 0, length.length);
    copy(sink, body.bytes, 0, body.length);
  }
  return sink.bytes.subarray(0, sink.length);
};

/** A vector section with some entries more. */
const extendVector = (info: ModuleInfo, id: number, added: readonly (readonly number[])[]): Uint8Array => {
  const section = info.sections.find((candidate) => candidate.id === id);
  let count = 0;
  let rest: Uint8Array = new Uint8Array(0);
  if (section !== undefined) {
    let at = section.start;
    for (let shift = 0; ; shift += 7) {
      const byte = info.bytes[at++] as number;
      count |= (byte & 127) << shift;
      if (!(byte > 127)) break;
    }
    rest = info.bytes.subarray(at, section.end);
  }
  return concatBytes(Uint8Array.from(encodeLeb(count + added.length)), rest, Uint8Array.from(added.flat()));
};

const exportEntry = (name: string, global: number): number[] => {
  const text = textToBytes(name);
  return [...encodeLeb(text.length), ...text, 3, ...encodeLeb(global)];
};

/** Most pages a memory of the module's own may gain (1 GiB): what heap pages bound (HOST.md §2.1) is far below. */
const ownMemoryGrowth = 16_384;

const boundedMemory = ({ min, max }: ModuleInfo['memory']['limits']): Uint8Array =>
  Uint8Array.from([1, 1, ...encodeLeb(min), ...encodeLeb(Math.min(max ?? 65_536, min + ownMemoryGrowth))]);

/** Where a section stands in a module; the data count (12) comes before the code (10). */
const rank = (id: number): number => (id === 12 ? 9.5 : id);

/**
 * Exports every mutable global and adds a fuel counter, taken down by one at each function entry and loop header;
 * below zero the code traps. Pure. Appending one global and exports renumbers nothing. Custom sections are left out
 * (some hold code offsets, which no longer hold).
 */
export const patchModule = (info: ModuleInfo): PatchedModule => {
  const fuel = info.firstGlobal + info.globalCount;
  const patcher = createBodyPatcher(info.bytes, fuelCheck(fuel, 1), fuelCheck(fuel, growCost));
  const exported = info.mutableGlobals.map((index, position) => exportEntry(globalExport(position), index));
  const replaced = new Map<number, Uint8Array>([
    [6, extendVector(info, 6, [[0x7e, 1, 0x42, 0, 0x0b]])],
    [7, extendVector(info, 7, [...exported, exportEntry(fuelExport, fuel)])],
  ]);
  const kept = info.sections.filter((section) => section.id !== 0 && section.id !== 6 && section.id !== 7);
  for (const section of kept) {
    const content =
      section.id === 10
        ? patchCode(info, section.start, section.end, patcher)
        : info.bytes.subarray(section.start, section.end);
    replaced.set(section.id, content);
  }
  if (!info.memory.imported) replaced.set(5, boundedMemory(info.memory.limits));
  const parts: Uint8Array[] = [info.bytes.subarray(0, 8)];
  for (const [id, content] of [...replaced].sort((a, b) => rank(a[0]) - rank(b[0]))) {
    parts.push(Uint8Array.from([id, ...encodeLeb(content.length)]), content);
  }
  const bytes = concatBytes(...parts);
  return {
    bytes,
    usesMemorySize: patcher.usesMemorySize(),
    needsFreshInstance: patcher.needsFreshInstance(),
  };
};
