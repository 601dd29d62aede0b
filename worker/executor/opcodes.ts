/** What follows an opcode in the binary (WebAssembly core specification §5.4). */
export const immediates = {
  none: 0,
  one: 1,
  two: 2,
  branchTable: 3,
  bytes4: 4,
  typeList: 5,
  prefixed: 6,
  loop: 7,
  bytes8: 8,
  /** One, of `memory.size` and `memory.grow`. */
  memory: 9,
  /** One, of `table.set`. */
  tableSet: 10,
  refused: 11,
} as const;

const spread = (table: Uint8Array, from: number, to: number, kind: number): void => {
  for (let opcode = from; opcode <= to; opcode++) table[opcode] = kind;
};

/**
 * Kind of immediates per opcode. Exceptions, tail calls, garbage collection, SIMD and threads are refused:
 * native nodes refuse them too, and an exception handler could catch the end of fuel.
 */
export const createImmediateTable = (): Uint8Array => {
  const table = new Uint8Array(256).fill(immediates.refused);
  spread(table, 0x00, 0x01, immediates.none);
  spread(table, 0x02, 0x04, immediates.one);
  table[0x03] = immediates.loop;
  table[0x05] = immediates.none;
  table[0x0b] = immediates.none;
  spread(table, 0x0c, 0x0d, immediates.one);
  table[0x0e] = immediates.branchTable;
  table[0x0f] = immediates.none;
  table[0x10] = immediates.one;
  table[0x11] = immediates.two;
  spread(table, 0x1a, 0x1b, immediates.none);
  table[0x1c] = immediates.typeList;
  spread(table, 0x20, 0x25, immediates.one);
  table[0x26] = immediates.tableSet;
  spread(table, 0x28, 0x3e, immediates.two);
  spread(table, 0x3f, 0x40, immediates.memory);
  spread(table, 0x41, 0x42, immediates.one);
  table[0x43] = immediates.bytes4;
  table[0x44] = immediates.bytes8;
  spread(table, 0x45, 0xc4, immediates.none);
  table[0xd0] = immediates.one;
  table[0xd1] = immediates.none;
  table[0xd2] = immediates.one;
  table[0xfc] = immediates.prefixed;
  return table;
};

/** LEB immediates of the 0xfc instructions: saturating conversions, then bulk memory and tables. */
export const prefixedImmediates: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];
/** 0xfc instructions that change segments or tables, which a memory restore cannot undo. */
export const isStatefulPrefixed = (opcode: number): boolean =>
  opcode === 9 || (opcode >= 12 && opcode !== 16);
