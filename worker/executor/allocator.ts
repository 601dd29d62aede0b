import { OutsideMemory, Trap } from './trap.ts';

/** The memory an allocator works on. `words` and `bytes` must be read again after `grow`. */
export type AllocatorMemory = {
  words(): Uint32Array;
  bytes(): Uint8Array;
  /** Grows to at least this many pages. Returns false if the limit or the engine forbids it. */
  growTo(pages: number): boolean;
};

export type Allocator = {
  malloc(size: number): number;
  free(pointer: number): void;
  /** End of all memory allocated since the last reset. */
  bumper(): number;
  /** Resets the allocator; allocation starts again at `heapBase`. */
  reset(heapBase: number): void;
};

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
 * where a runtime runs out of memory. An error poisons it until `reset`.
 */
export const createAllocator = (memory: AllocatorMemory): Allocator => {
  const heads = new Uint32Array(orders).fill(none);
  let bump = 0;
  /** Of allocations in use, with headers, as a u32. */
  let allocated = 0;
  let poisoned = false;

  const fail = (message: string): Trap => {
    poisoned = true;
    return new Trap(message, 'memory');
  };
  const guard = (): void => {
    if (poisoned) throw new Trap('The allocator failed before and is out of use', 'memory');
  };
  const take = (order: number): number => {
    const head = heads[order] as number;
    if (head + headerBytes + (8 << order) > memory.words().length * 4) {
      poisoned = true;
      throw new OutsideMemory('The free list points outside the memory', 'memory');
    }
    if ((readWord(memory, head + 4) & 1) !== 0) throw fail('The free list points to memory in use');
    heads[order] = readWord(memory, head);
    return head;
  };
  const extend = (size: number): number => {
    const end = bump + size;
    if (end > memory.words().length * 4) {
      if (end > 2 ** 32) throw fail('The allocator ran out of space');
      if (!memory.growTo(Math.ceil(end / pageBytes))) throw fail('The allocator ran out of space');
    }
    const header = bump;
    bump = end;
    return header;
  };
  return {
    malloc: (size) => {
      guard();
      if (size > maxAllocationBytes) throw fail('An allocation of more than 32 MiB was asked for');
      const order = orderOf(size);
      const bytes = headerBytes + (8 << order);
      const header = heads[order] === none ? extend(bytes) : take(order);
      writeHeader(memory, header, order, 1);
      allocated = (allocated + bytes) >>> 0;
      return header + headerBytes;
    },
    free: (pointer) => {
      guard();
      const at = pointer - headerBytes;
      if (at < 0 || at + headerBytes > memory.bytes().length)
        throw fail('Freeing an address outside the memory');
      const low = readWord(memory, at);
      const high = readWord(memory, at + 4);
      if ((high & 1) === 0) throw fail('Freeing memory that is not in use');
      if (low >= orders) throw fail('Freeing memory with a damaged header');
      writeHeader(memory, at, heads[low] as number, 0);
      heads[low] = at;
      const bytes = headerBytes + (8 << low);
      if (bytes > allocated) throw fail('Freeing more memory than is in use');
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
