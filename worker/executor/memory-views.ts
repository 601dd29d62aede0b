import type { AllocatorMemory } from './allocator/allocator.ts';

export const pageBytes = 65_536;

const slots = 1024;
/** The least that a memory grows by, and the share of it that a large one does. */
const growthPages = 4;
const growthShift = 3;

/**
 * Views of parts of a buffer, kept because a runtime's allocator hands out the same addresses again and again: a
 * new view takes 33 ns, a known one 6 ns.
 */
const createParts = (bytes: Uint8Array): ((pointer: number, length: number) => Uint8Array) => {
  const pointers = new Uint32Array(slots);
  const views: Uint8Array[] = new Array(slots).fill(bytes.subarray(0, 0));
  return (pointer, length) => {
    const slot = ((pointer >>> 3) + Math.imul(length, 41)) & (slots - 1);
    const known = views[slot] as Uint8Array;
    if (pointers[slot] === pointer && known.length === length) return known;
    const view = bytes.subarray(pointer, pointer + length);
    pointers[slot] = pointer;
    views[slot] = view;
    return view;
  };
};

/** The views of a memory that is set later and may grow. */
type Views = AllocatorMemory & {
  attach(memory: WebAssembly.Memory): void;
  setPageLimit(pages: number): void;
  /** The bytes of a range inside the memory. Valid until it grows. */
  part(pointer: number, length: number): Uint8Array;
};

export const createViews = (): Views => {
  let memory: WebAssembly.Memory | null = null;
  let bytes = new Uint8Array(0);
  let words = new Uint32Array(0);
  let limit = 65_536;
  let parts = createParts(bytes);
  const refresh = (): void => {
    if (memory === null) return;
    bytes = new Uint8Array(memory.buffer);
    // Not by a shift: 4 GiB have more bytes than 32 bits can count.
    words = new Uint32Array(memory.buffer, 0, Math.floor(bytes.length / 4));
    parts = createParts(bytes);
  };
  // Growing detaches the old buffer, whose views then have length zero.
  const current = (): Uint8Array => {
    if (bytes.length === 0) refresh();
    return bytes;
  };
  return {
    attach: (next) => {
      memory = next;
      refresh();
    },
    setPageLimit: (pages) => {
      limit = pages;
    },
    bytes: current,
    part: (pointer, length) => parts(pointer, length),
    words: () => {
      if (words.length === 0) refresh();
      return words;
    },
    growTo: (needed) => {
      const pages = current().length / pageBytes;
      if (needed > limit || memory === null) return false;
      // Only little more than needed, so that restoring the memory stays cheap.
      const step = Math.max(growthPages, pages >> growthShift);
      const wanted = Math.min(limit, Math.max(needed, pages + step));
      try {
        memory.grow(wanted - pages);
      } catch {
        return false;
      }
      refresh();
      return true;
    },
  };
};
