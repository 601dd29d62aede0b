import { NodeError } from '../../src/protocol/errors.ts';
import { encodeLeb } from './leb.ts';
import { createImmediateTable, immediates, isStatefulPrefixed, prefixedImmediates } from './opcodes.ts';

/** The two pieces of code that are put in: at function entries and loop headers, and before each `memory.grow`. */
export type Checks = { readonly fuel: Uint8Array; readonly grow: Uint8Array };

export type PatchedCode = {
  /** Content of the code section. */
  readonly bytes: Uint8Array;
  /** See `PatchedModule`. */
  readonly usesMemorySize: boolean;
  readonly needsFreshInstance: boolean;
};

const overrun = (): NodeError => new NodeError('BadCode', 'A function body of the module runs past its end');

type Scan = {
  readonly bytes: Uint8Array;
  readonly kinds: Uint8Array;
  /** Where checks go, ascending: twice the offset each, plus 1 for a `memory.grow`. */
  places: Uint32Array;
  usesMemorySize: boolean;
  needsFreshInstance: boolean;
};

const readLeb = (bytes: Uint8Array, from: number): number => {
  let value = 0;
  for (let at = from, shift = 0; ; shift += 7) {
    const byte = bytes[at++] as number;
    value |= (byte & 127) << shift;
    if (!(byte > 127)) return value >>> 0;
  }
};

/** The offset after so many LEB numbers. */
const skipLebs = (bytes: Uint8Array, from: number, count: number): number => {
  let at = from;
  for (let i = 0; i < count && at <= bytes.length; i++) while ((bytes[at++] as number) > 127);
  return at;
};

/** The offset after the immediates of an instruction that is no common one. */
const skipRare = (scan: Scan, opcode: number, kind: number, at: number): number => {
  const { bytes } = scan;
  if (kind === immediates.memory) scan.usesMemorySize = true;
  else if (kind === immediates.tableSet) scan.needsFreshInstance = true;
  else if (kind === immediates.branchTable)
    return skipLebs(bytes, skipLebs(bytes, at, 1), readLeb(bytes, at) + 1);
  else if (kind === immediates.typeList) return skipLebs(bytes, skipLebs(bytes, at, 1), readLeb(bytes, at));
  else if (kind === immediates.prefixed) {
    const second = readLeb(bytes, at);
    const count = prefixedImmediates[second];
    if (count === undefined) throw new NodeError('BadCode', `Instruction 0xfc ${second} is not supported`);
    if (isStatefulPrefixed(second)) scan.needsFreshInstance = true;
    return skipLebs(bytes, at, count + 1);
  } else throw new NodeError('BadCode', `Instruction 0x${opcode.toString(16)} is not supported`);
  return skipLebs(bytes, at, 1);
};

/** Sets a place; answers how many there are now. */
const note = (scan: Scan, index: number, place: number): number => {
  if (index === scan.places.length) {
    const grown = new Uint32Array(index * 2);
    grown.set(scan.places);
    scan.places = grown;
  }
  scan.places[index] = place;
  return index + 1;
};

/**
 * Walks one function body, notes where checks go (the entry first) and answers how many. Megabytes of code pass here at
 * each start of a node, before the engine has optimised much: hence local variables only, and the common kinds inline.
 */
const scanBody = (scan: Scan, start: number, end: number): number => {
  const { bytes, kinds } = scan;
  const { none, one, two, loop, bytes4, bytes8 } = immediates;
  let at = skipLebs(bytes, skipLebs(bytes, start, 1), readLeb(bytes, start) * 2);
  let found = note(scan, 0, at * 2);
  while (at < end) {
    const opcode = bytes[at++] as number;
    const kind = kinds[opcode] as number;
    if (kind === none) continue;
    if (kind === one) while ((bytes[at++] as number) > 127);
    else if (kind === two) {
      while ((bytes[at++] as number) > 127);
      while ((bytes[at++] as number) > 127);
    } else if (kind === loop) {
      while ((bytes[at++] as number) > 127);
      found = note(scan, found, at * 2);
    } else if (kind === bytes4 || kind === bytes8) at += kind;
    else {
      if (opcode === 0x40) found = note(scan, found, at * 2 - 1);
      at = skipRare(scan, opcode, kind, at);
    }
  }
  if (at !== end) throw overrun();
  return found;
};

/** Bytes that are appended to, with room made ahead. */
const createSink = (size: number) => {
  let bytes = new Uint8Array(size);
  let length = 0;
  const reserve = (extra: number): void => {
    if (length + extra <= bytes.length) return;
    const grown = new Uint8Array(Math.max(bytes.length * 2, length + extra));
    grown.set(bytes.subarray(0, length));
    bytes = grown;
  };
  return {
    leb: (value: number): void => {
      reserve(5);
      for (const byte of encodeLeb(value)) bytes[length++] = byte;
    },
    copy: (from: Uint8Array, start: number, end: number): void => {
      reserve(end - start);
      bytes.set(from.subarray(start, end), length);
      length += end - start;
    },
    finish: (): Uint8Array => bytes.subarray(0, length),
  };
};

/** The code section between two offsets with the checks put in. Throws `BadCode`. */
export const patchCode = (bytes: Uint8Array, start: number, end: number, checks: Checks): PatchedCode => {
  const scan: Scan = {
    bytes,
    kinds: createImmediateTable(),
    places: new Uint32Array(256),
    usesMemorySize: false,
    needsFreshInstance: false,
  };
  const checkAt = (place: number): Uint8Array => ((place & 1) === 1 ? checks.grow : checks.fuel);
  const sink = createSink(Math.ceil((end - start) * 1.25) + 64);
  const count = readLeb(bytes, start);
  let at = skipLebs(bytes, start, 1);
  sink.copy(bytes, start, at);
  for (let i = 0; i < count; i++) {
    const size = readLeb(bytes, at);
    at = skipLebs(bytes, at, 1);
    const bodyEnd = at + size;
    if (bodyEnd > end) throw overrun();
    const found = scanBody(scan, at, bodyEnd);
    const places = scan.places.subarray(0, found);
    let length = size;
    for (const place of places) length += checkAt(place).length;
    sink.leb(length);
    for (const place of places) {
      const check = checkAt(place);
      sink.copy(bytes, at, place >>> 1);
      sink.copy(check, 0, check.length);
      at = place >>> 1;
    }
    sink.copy(bytes, at, bodyEnd);
    at = bodyEnd;
  }
  const { usesMemorySize, needsFreshInstance } = scan;
  return { bytes: sink.finish(), usesMemorySize, needsFreshInstance };
};
