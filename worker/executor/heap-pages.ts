import { textToBytes } from '../bytes/bytes.ts';
import type { Backend } from '../state/backend.ts';
import { Trap } from './trap.ts';

/** What a call is part of (sp_core::traits::CallContext): it decides how much memory the runtime has. */
export type CallContext = 'import' | 'author' | 'offchain';

/** In pages of 64 KiB: 4 GiB. */
export const maxPages = 65_536;
/** Heap pages without `:heappages`, and of every offchain call (sc-executor-common, DEFAULT_HEAP_ALLOC_PAGES). */
export const defaultHeapPages = 2048;

const largestU32 = 0xffff_ffff;
const heapPagesKey = /* @__PURE__ */ textToBytes(':heappages');

/**
 * The first 8 bytes are a u64, of which the executor keeps the lower 32 bits. Further bytes are ignored, and a
 * shorter value counts as none.
 */
const decodeHeapPages = (value: Uint8Array | null): number =>
  value === null || value.length < 8
    ? defaultHeapPages
    : new DataView(value.buffer, value.byteOffset, 8).getUint32(0, true);

/** Reads `:heappages` of the committed state: a block that changes them still runs with the old ones. */
const createReader = (): ((backend: Backend) => number) => {
  const known = new WeakMap<Backend, number>();
  return (backend) => {
    const cached = known.get(backend);
    if (cached !== undefined) return cached;
    const pages = decodeHeapPages(backend.get(heapPagesKey));
    known.set(backend, pages);
    return pages;
  };
};

/**
 * The size of the memory of a call in pages, for a module that starts with `min`. A native node (sc-executor
 * 0.51) gives it this size before the call, and it never grows: code and allocator get no page more. An import
 * has twice the heap of the author, so that a block which just fit is not refused; offchain calls ignore
 * `:heappages`. Throws a `Trap` for a memory of more than 4 GiB, as a native node cannot create it either.
 */
export const createMemorySizes = (min: number): ((context: CallContext, backend: Backend) => number) => {
  const read = createReader();
  return (context, backend) => {
    const own = context === 'offchain' ? defaultHeapPages : read(backend);
    const heap = context === 'import' ? Math.min(own * 2, largestU32) : own;
    if (min + heap > maxPages)
      throw new Trap(`The runtime's memory of ${min} pages cannot be grown by ${heap} pages`, 'memory');
    return min + heap;
  };
};
