import { concatBytes, textToBytes } from '../bytes/bytes.ts';
import type { Checks, ModuleCode } from '../crypto/crypto.ts';
import { encodeLeb } from './leb.ts';
import type { ModuleInfo } from './module-parse.ts';

/** Export name of the fuel counter in a patched module. */
export const fuelExport = 'tabnode:fuel';
/** Export name of the n-th mutable global in a patched module. */
export const globalExport = (index: number): string => `tabnode:global${index}`;

export type PatchedModule = {
  readonly bytes: Uint8Array;
  /** The code reads or changes its memory size, so it can observe the instance's current size. */
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

const exportEntry = (name: string, global: number): number[] => {
  const text = textToBytes(name);
  return [...encodeLeb(text.length), ...text, 3, ...encodeLeb(global)];
};

/**
 * Maximum number of pages that a module's own memory may grow by (1 GiB). The limit from heap pages is far
 * lower.
 */
const ownMemoryGrowth = 16_384;

const boundedMemory = ({ min, max }: ModuleInfo['memory']['limits']): Uint8Array =>
  Uint8Array.from([1, 1, ...encodeLeb(min), ...encodeLeb(Math.min(max ?? 65_536, min + ownMemoryGrowth))]);

/** Custom sections, some of which contain code offsets that become invalid, and the data count. */
const dropped: ReadonlySet<number> = new Set([0, 12]);

/** What a start function may use up, which runs before a call sets its own limit. */
const startFuel = 10_000_000;

/**
 * Exports every mutable global and adds a fuel counter that is decremented as code runs: at function entries,
 * loop headers, and within long stretches. Below zero the code traps. Pure. Appending a global and exports
 * renumbers nothing.
 */
export const patchModule = (
  info: ModuleInfo,
  { patchCode }: Pick<ModuleCode, 'patchCode'>,
): PatchedModule => {
  const fuel = info.globalCount;
  const exported = info.mutableGlobals.map((index, position) => exportEntry(globalExport(position), index));
  const replaced = new Map<number, Uint8Array>([
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
  if (!info.memory.imported) replaced.set(5, boundedMemory(info.memory.limits));
  const parts: Uint8Array[] = [info.bytes.subarray(0, 8)];
  for (const [id, content] of [...replaced].sort((a, b) => a[0] - b[0])) {
    parts.push(Uint8Array.from([id, ...encodeLeb(content.length)]), content);
  }
  return { bytes: concatBytes(...parts), usesMemorySize };
};
