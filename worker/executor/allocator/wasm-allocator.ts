import { hexToBytes } from '../../bytes/hex.ts';
import { costOf } from '../host/costs.ts';
import { type Allocator, type AllocatorMemory, allocatorFault } from './allocator.ts';
import { allocatorCode } from './allocator-code.ts';

/** What allocator.wat exports. Pointers are i32, and negative from 2 GiB on. */
type Exports = {
  malloc(size: number): number;
  metered(size: number): number;
  free(pointer: number): void;
  bumper(): number;
  reset(heapBase: number): void;
};

let compiled: WebAssembly.Module | undefined;

/**
 * The allocator of allocator.ts as a small module over the runtime's own memory. Two thirds of the host calls of a transfer
 * allocate and free, and these never leave Wasm: a runtime that imports `metered` and `free` calls them directly. `charge` gets
 * the fuel of many allocations at once. Throws if the engine cannot link the module to this memory.
 */
export const createWasmAllocator = (
  views: AllocatorMemory,
  memory: WebAssembly.Memory,
  charge: (units: number) => void,
): Allocator => {
  compiled ??= new WebAssembly.Module(hexToBytes(allocatorCode).slice());
  const fail = (fault: number): never => {
    throw allocatorFault(fault);
  };
  const cost = new WebAssembly.Global({ value: 'i32' }, costOf('ext_allocator_malloc_version_1').call);
  const grow = (pages: number): number => (views.growTo(pages) ? 1 : 0);
  const { exports } = new WebAssembly.Instance(compiled, { host: { memory, grow, fail, charge, cost } });
  const { malloc, metered, free, bumper, reset } = exports as Exports;
  return { malloc: (size) => malloc(size) >>> 0, metered, free, bumper, reset };
};
