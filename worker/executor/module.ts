import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import type { Checks, ModuleCode } from '../crypto/crypto.ts';
import { encodeLeb } from './leb.ts';
import type { ModuleInfo, WasmSection } from './module-parse.ts';

/** Export name of the fuel counter in a patched module. */
export const fuelExport = 'tabnode:fuel';
/** Export name of the n-th mutable global in a patched module. */
export const globalExport = (index: number): string => `tabnode:global${index}`;

/** The import through which a patched module gets the memory that it would define itself. */
export const ownMemory = { module: 'tabnode', name: 'memory' } as const;

export type PatchedModule = {
  readonly bytes: Uint8Array;
  /** The code reads or changes its memory size, so its memory must have its full size from the start. */
  readonly usesMemorySize: boolean;
};

/**
 * Growing memory is slow, even if it fails, so each attempt costs as much as this many loop iterations. (Bit
 * 6 of the last LEB byte is clear, so it has the same value as a signed number.)
 */
const growCost = 20_000;

/**
 * `fuel -= …; if (fuel < 0) unreachable`. Leaves the stack unchanged, so it can be inserted before any
 * instruction. The amount goes in between.
 */
const fuelCheck = (fuel: number): [before: Uint8Array, after: Uint8Array] => {
  const global = encodeLeb(fuel);
  const before = Uint8Array.from([0x23, ...global]);
  const after = [0x7d, 0x24, ...global, 0x23, ...global, 0x42, 0, 0x53, 0x04, 0x40, 0x00, 0x0b];
  return [before, Uint8Array.from(after)];
};

/** The checks for the index of the fuel counter (i64). */
const fuelChecks = (fuel: number): Checks => {
  const [before, after] = fuelCheck(fuel);
  const constant = (cost: number): Uint8Array => Uint8Array.from([0x42, ...encodeLeb(cost)]);
  return {
    fuel: [concatBytes(before, Uint8Array.of(0x42)), after],
    grow: concatBytes(before, constant(growCost), after),
  };
};

/** A vector section with entries appended. */
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

const nameOf = (name: string): number[] => {
  const text = textToBytes(name);
  return [...encodeLeb(text.length), ...text];
};
const exportEntry = (name: string, global: number): number[] => [...nameOf(name), 3, ...encodeLeb(global)];

/**
 * The import section of the patched module, which always imports its memory. A maximum that the module declares
 * is dropped, as native nodes do (sc-executor-wasmtime, `clear_memory_max_limit`).
 */
const importSection = (info: ModuleInfo): Uint8Array => {
  const limits = [0, ...encodeLeb(info.memory.limits.min)];
  const imported = info.imports.find(({ kind }) => kind === 'memory')?.limitsAt;
  if (imported === undefined) {
    const { module, name } = ownMemory;
    return extendVector(info, 2, [[...nameOf(module), ...nameOf(name), 2, ...limits]]);
  }
  const [start, end] = imported;
  const section = info.sections.find(({ id }) => id === 2) as WasmSection;
  const { bytes } = info;
  return concatBytes(
    bytes.subarray(section.start, start),
    Uint8Array.from(limits),
    bytes.subarray(end, section.end),
  );
};

/** Custom sections, some of which contain code offsets that become invalid, the memory, and the data count. */
const dropped: ReadonlySet<number> = new Set([0, 5, 12]);

/** What a start function may use up, which runs before a call sets its own limit. */
const startFuel = 10_000_000;

/**
 * Exports every mutable global and adds a fuel counter that is decremented as code runs: at function entries,
 * loop headers, and within long stretches. Below zero the code traps. The memory becomes an import, so that its
 * size can differ from instance to instance. Pure. Appending a global, exports and a memory renumbers nothing.
 */
export const patchModule = (
  info: ModuleInfo,
  { patchCode }: Pick<ModuleCode, 'patchCode'>,
): PatchedModule => {
  const fuel = info.globalCount;
  const exported = info.mutableGlobals.map((index, position) => exportEntry(globalExport(position), index));
  const replaced = new Map<number, Uint8Array>([
    [2, importSection(info)],
    [6, extendVector(info, 6, [[0x7e, 1, 0x42, ...encodeLeb(startFuel), 0x0b]])],
    [7, extendVector(info, 7, [...exported, exportEntry(fuelExport, fuel)])],
  ]);
  let usesMemorySize = false;
  for (const { id, start, end } of info.sections) {
    if (id === 10) {
      const code = patchCode(info.bytes.subarray(start, end), fuelChecks(fuel));
      replaced.set(id, code.bytes);
      ({ usesMemorySize } = code);
    } else if (!dropped.has(id) && !replaced.has(id)) replaced.set(id, info.bytes.subarray(start, end));
  }
  const parts: Uint8Array[] = [info.bytes.subarray(0, 8)];
  for (const [id, content] of [...replaced].sort((a, b) => a[0] - b[0])) {
    parts.push(Uint8Array.from([id, ...encodeLeb(content.length)]), content);
  }
  return { bytes: concatBytes(...parts), usesMemorySize };
};
