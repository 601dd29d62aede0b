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
  /** Where checks go in the present function, ascending: twice the offset each, plus 1 for a `memory.grow`. */
  places: Uint32Array;
  found: number;
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

const note = (scan: Scan, place: number): void => {
  if (scan.found === scan.places.length) {
    const grown = new Uint32Array(scan.found * 2);
    grown.set(scan.places);
    scan.places = grown;
  }
  scan.places[scan.found++] = place;
};

const skipPrefixed = (scan: Scan, at: number): number => {
  const opcode = readLeb(scan.bytes, at);
  const count = prefixedImmediates[opcode];
  if (count === undefined) throw new NodeError('BadCode', `Instruction 0xfc ${opcode} is not supported`);
  if (isStatefulPrefixed(opcode)) scan.needsFreshInstance = true;
  return skipLebs(scan.bytes, at, count + 1);
};

/** The offset after the immediates at `at` of an instruction that has not just one or two of them. */
const skipSpecial = (scan: Scan, opcode: number, kind: number, at: number): number => {
  const { bytes } = scan;
  const next = skipLebs(bytes, at, 1);
  switch (kind) {
    case immediates.loop:
      note(scan, next * 2);
      return next;
    case immediates.branchTable:
      return skipLebs(bytes, next, readLeb(bytes, at) + 1);
    case immediates.typeList:
      return skipLebs(bytes, next, readLeb(bytes, at));
    case immediates.bytes4:
    case immediates.bytes8:
      return at + kind;
    case immediates.prefixed:
      return skipPrefixed(scan, at);
    case immediates.memory:
      scan.usesMemorySize = true;
      if (opcode === 0x40) note(scan, at * 2 - 1);
      return next;
    case immediates.tableSet:
      scan.needsFreshInstance = true;
      return next;
    default:
      throw new NodeError('BadCode', `Instruction 0x${opcode.toString(16)} is not supported`);
  }
};

/**
 * Walks one function body and notes where checks go, the entry first. Megabytes of code pass here at each start of a
 * node, before the engine has optimised much: so the loop has local variables only, and what is rare lies behind one
 * call, because a branch that was never taken before makes the engine throw its optimised code away.
 */
const scanBody = (scan: Scan, start: number, end: number): void => {
  const { bytes, kinds } = scan;
  const { none, one, two } = immediates;
  let at = skipLebs(bytes, skipLebs(bytes, start, 1), readLeb(bytes, start) * 2);
  scan.found = 0;
  note(scan, at * 2);
  while (at < end) {
    const opcode = bytes[at++] as number;
    const kind = kinds[opcode] as number;
    if (kind === none) continue;
    if (kind > two) {
      at = skipSpecial(scan, opcode, kind, at);
      continue;
    }
    while ((bytes[at++] as number) > 127);
    if (kind !== one) while ((bytes[at++] as number) > 127);
  }
  if (at !== end) throw overrun();
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
    found: 0,
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
    scanBody(scan, at, bodyEnd);
    const places = scan.places.subarray(0, scan.found);
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
