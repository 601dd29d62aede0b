import { describe, expect, test } from 'vitest';
import { Trap } from '../trap.ts';
import { type AllocatorMemory, createAllocator } from './allocator.ts';

const create = (options: { pages?: number; limit?: number; base?: number } = {}) => {
  let buffer = new ArrayBuffer((options.pages ?? 1) * 65_536);
  const memory: AllocatorMemory = {
    bytes: () => new Uint8Array(buffer),
    words: () => new Uint32Array(buffer),
    growTo: (pages) => {
      if (pages > (options.limit ?? 65_536)) return false;
      const grown = new ArrayBuffer(pages * 65_536);
      new Uint8Array(grown).set(new Uint8Array(buffer));
      buffer = grown;
      return true;
    },
  };
  const allocator = createAllocator(memory);
  allocator.reset(options.base ?? 0);
  return { allocator, pages: () => buffer.byteLength / 65_536, words: memory.words, bytes: memory.bytes };
};
const failing = (run: () => unknown): Trap => {
  try {
    run();
  } catch (error) {
    if (error instanceof Trap) return error;
  }
  throw new Error('no trap');
};

// Vectors from sc-allocator's own tests.
describe('the freeing-bump allocator', () => {
  test('returns aligned memory after an 8-byte header', () => {
    expect(create().allocator.malloc(1)).toBe(8);
    expect(create({ base: 13 }).allocator.malloc(1)).toBe(24);
  });
  test('rounds up to powers of two from 8 on', () => {
    const { allocator } = create();
    expect([1, 9, 1].map((size) => allocator.malloc(size))).toEqual([8, 24, 48]);
    allocator.malloc(0);
    expect(allocator.bumper()).toBe(72);
  });
  test('reuses the block of an order freed last, and no other order', () => {
    const { allocator } = create();
    const [a, b, c] = [allocator.malloc(8), allocator.malloc(8), allocator.malloc(16)];
    allocator.free(a);
    allocator.free(b);
    allocator.free(c);
    expect([8, 8, 8, 9].map((size) => allocator.malloc(size))).toEqual([b, a, 64, c]);
  });
  test('writes the same headers as sc-allocator', () => {
    const { allocator, words } = create();
    const a = allocator.malloc(9);
    expect([...words().subarray(0, 2)]).toEqual([1, 1]);
    allocator.free(a);
    expect([...words().subarray(0, 2)]).toEqual([0xffff_ffff, 0]);
  });
  test('grows the memory up to the limit, then fails permanently', () => {
    const { allocator, pages } = create({ limit: 2 });
    allocator.malloc(65_536 - 16);
    expect(pages()).toBe(2);
    expect(failing(() => allocator.malloc(65_536)).kind).toBe('memory');
    failing(() => allocator.malloc(1));
    failing(() => allocator.free(8));
    allocator.reset(0);
    expect(allocator.malloc(1)).toBe(8);
  });
  test('allows exactly 32 MiB', () => {
    expect(create().allocator.malloc(1 << 25)).toBe(8);
    failing(() => create().allocator.malloc((1 << 25) + 1));
  });
  test.each([
    ['double', (free: (pointer: number) => void, a: number) => [free(a), free(a)]],
    ['below the first header', (free: (pointer: number) => void) => free(0)],
    ['beyond the memory', (free: (pointer: number) => void) => free(0xffff_fff8)],
    ['of what was never allocated', (free: (pointer: number) => void) => free(4096)],
  ] as const)('a free of %s poisons the allocator', (_name, misuse) => {
    const { allocator } = create();
    const a = allocator.malloc(8);
    failing(() => misuse(allocator.free, a));
    failing(() => allocator.malloc(8));
  });
  /** A header of a block of this order at any address. */
  const forge = (bytes: Uint8Array, at: number, order: number): void =>
    bytes.set([order, 0, 0, 0, 1, 0, 0, 0], at);
  test('a block at an odd address that was freed is given out again', () => {
    const { allocator, bytes } = create();
    const a = allocator.malloc(64);
    forge(bytes(), a + 5, 1);
    allocator.free(a + 5 + 8);
    expect([16, 16].map((size) => allocator.malloc(size))).toEqual([a + 5 + 8, 80]);
  });
  test('freeing more than was allocated is an error', () => {
    const { allocator, bytes } = create();
    const a = allocator.malloc(64);
    forge(bytes(), a, 4);
    failing(() => allocator.free(a + 8));
    failing(() => allocator.malloc(8));
    allocator.reset(0);
    forge(bytes(), allocator.malloc(64), 3);
    allocator.free(16);
    failing(() => allocator.free(8));
  });
  test('a damaged header or free list is an error', () => {
    const one = create();
    const a = one.allocator.malloc(8);
    one.words()[0] = 23;
    failing(() => one.allocator.free(a));
    const two = create();
    two.allocator.free(two.allocator.malloc(8));
    two.words()[1] = 1;
    failing(() => two.allocator.malloc(8));
    const three = create();
    three.allocator.free(three.allocator.malloc(8));
    three.words()[0] = 0x7fff_fff8;
    three.allocator.malloc(8);
    failing(() => three.allocator.malloc(8));
  });
});
