import { OutsideMemory, Trap } from '../trap.ts';

/** The memory an allocator works on. `words` and `bytes` must be read again after `grow`. */
export type AllocatorMemory = {
  words(): Uint32Array;
  bytes(): Uint8Array;
  /** Grows to at least this many pages. Returns false if the limit or the engine forbids it. */
  growTo(pages: number): boolean;
};

export type Allocator = {
  malloc(size: number): number;
  /** `malloc` for the runtime, which charges fuel itself. Null: the caller does. */
  readonly metered: ((size: number) => number) | null;
  free(pointer: number): void;
  /** End of all memory allocated since the last reset. */
  bumper(): number;
  /** Resets the allocator; allocation starts again at `heapBase`. */
  reset(heapBase: number): void;
};

/** What poisons an allocator, by the numbers that allocator.wat uses. */
const faults = [
  'The allocator failed before and is out of use',
  'An allocation of more than 32 MiB was asked for',
  'The allocator ran out of space',
  'The free list points outside the memory',
  'The free list points to memory in use',
  'Freeing an address outside the memory',
  'Freeing memory that is not in use',
  'Freeing memory with a damaged header',
  'Freeing more memory than is in use',
] as const;

export const allocatorFault = (fault: number): Trap =>
  fault === 3 ? new OutsideMemory(faults[3], 'memory') : new Trap(faults[fault] as string, 'memory');

const headerBytes = 8;
const orders = 23;
const none = 0xffff_ffff;
const pageBytes = 65_536;
/** No request may exceed 32 MiB. */
export const maxAllocationBytes = 1 << 25;

const orderOf = (size: number): number => (size <= 8 ? 0 : 29 - Math.clz32(size - 1));

/** Reads a word at any address inside the memory, aligned or not. */
const readWord = (memory: AllocatorMemory, at: number): number => {
  if ((at & 3) === 0) return memory.words()[at >>> 2] as number;
  const bytes = memory.bytes();
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
};

const writeHeader = (memory: AllocatorMemory, at: number, low: number, high: number): void => {
  if ((at & 7) === 0) {
    const words = memory.words();
    words[at >>> 2] = low;
    words[(at >>> 2) + 1] = high;
    return;
  }
  const bytes = memory.bytes();
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, headerBytes);
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
};

/**
 * The freeing-bump allocator of sc-allocator. Consensus-critical: order and size of allocations determine
 * where a runtime runs out of memory. An error poisons it until `reset`. Instances of runtimes use wasm-allocator.ts, which does
 * the same, and this one if it cannot be created.
 */
export const createAllocator = (memory: AllocatorMemory): Allocator => {
  const heads = new Uint32Array(orders).fill(none);
  let bump = 0;
  /** Of allocations in use, with headers, as a u32. */
  let allocated = 0;
  let poisoned = false;

  const fail = (fault: number): Trap => {
    poisoned = true;
    return allocatorFault(fault);
  };
  const guard = (): void => {
    if (poisoned) throw allocatorFault(0);
  };
  const take = (order: number): number => {
    const head = heads[order] as number;
    if (head + headerBytes + (8 << order) > memory.words().length * 4) throw fail(3);
    if ((readWord(memory, head + 4) & 1) !== 0) throw fail(4);
    heads[order] = readWord(memory, head);
    return head;
  };
  const extend = (size: number): number => {
    const end = bump + size;
    if (end > memory.words().length * 4) {
      if (end > 2 ** 32) throw fail(2);
      if (!memory.growTo(Math.ceil(end / pageBytes))) throw fail(2);
    }
    const header = bump;
    bump = end;
    return header;
  };
  return {
    metered: null,
    malloc: (given) => {
      const size = given >>> 0;
      guard();
      if (size > maxAllocationBytes) throw fail(1);
      const order = orderOf(size);
      const bytes = headerBytes + (8 << order);
      const header = heads[order] === none ? extend(bytes) : take(order);
      writeHeader(memory, header, order, 1);
      allocated = (allocated + bytes) >>> 0;
      return header + headerBytes;
    },
    free: (pointer) => {
      guard();
      const at = (pointer >>> 0) - headerBytes;
      if (at < 0 || at + headerBytes > memory.bytes().length) throw fail(5);
      const low = readWord(memory, at);
      const high = readWord(memory, at + 4);
      if ((high & 1) === 0) throw fail(6);
      if (low >= orders) throw fail(7);
      writeHeader(memory, at, heads[low] as number, 0);
      heads[low] = at;
      const bytes = headerBytes + (8 << low);
      if (bytes > allocated) throw fail(8);
      allocated -= bytes;
    },
    bumper: () => bump,
    reset: (heapBase) => {
      heads.fill(none);
      bump = Math.ceil(heapBase / 8) * 8;
      allocated = 0;
      poisoned = false;
    },
  };
};
