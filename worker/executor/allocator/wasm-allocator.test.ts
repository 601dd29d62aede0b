import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: it takes the declarations beside it for the module
import { hashText } from '../../../scripts/build-allocator.mjs';
import { Trap } from '../trap.ts';
import { type Allocator, type AllocatorMemory, createAllocator } from './allocator.ts';
import { createWasmAllocator } from './wasm-allocator.ts';

const pageBytes = 65_536;

const viewsOf = (memory: WebAssembly.Memory, limit: number): AllocatorMemory => ({
  bytes: () => new Uint8Array(memory.buffer),
  words: () => new Uint32Array(memory.buffer),
  growTo: (pages) => {
    if (pages > limit) return false;
    memory.grow(pages - memory.buffer.byteLength / pageBytes);
    return true;
  },
});

/** Both allocators, each over a memory of its own. */
const createPair = (limit: number, heapBase: number) => {
  const memories = [0, 0].map(() => new WebAssembly.Memory({ initial: 2 })) as [
    WebAssembly.Memory,
    WebAssembly.Memory,
  ];
  let charged = 0;
  const ours = createWasmAllocator(viewsOf(memories[1], limit), memories[1], (units) => {
    charged += units;
  });
  const all: readonly Allocator[] = [createAllocator(viewsOf(memories[0], limit)), ours];
  for (const one of all) one.reset(heapBase);
  return { all, memories, charged: () => charged };
};

/** The result, or why it failed. */
const attempt = (run: () => unknown): string => {
  try {
    return String(run());
  } catch (error) {
    if (!(error instanceof Trap)) throw error;
    return `${error.constructor.name} ${error.kind} ${error.message}`;
  }
};

type Step =
  | { readonly kind: 'malloc'; readonly size: number }
  /** Of an earlier allocation, or an address beside it. */
  | { readonly kind: 'free'; readonly which: number; readonly by: number }
  /** What a faulty runtime does to the headers. */
  | { readonly kind: 'write'; readonly at: number; readonly value: number }
  | { readonly kind: 'reset'; readonly heapBase: number };

const sizes = fc.oneof(
  fc.nat(200),
  fc.nat(70_000),
  fc.constantFrom(0, 8, 9, 1 << 24, 1 << 25, (1 << 25) + 1, -1),
);
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('malloc' as const), size: sizes }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('free' as const),
      which: fc.nat(),
      by: fc.oneof(
        { weight: 40, arbitrary: fc.constant(0) },
        fc.constantFrom(-8, 1, 3, 8, 1 << 20, -(1 << 30)),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      at: fc.nat(pageBytes - 4),
      value: fc.oneof(fc.nat(30), fc.constantFrom(0xffff_ffff, 0xffff_fff0, 0x7fff_fff8, 0)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), heapBase: fc.nat(4096) }) },
);

test('does the same as the allocator in JavaScript: results, faults, headers and memory', () => {
  fc.assert(
    fc.property(
      fc.array(steps, { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 2, max: 600 }),
      (all, limit) => {
        const pair = createPair(limit, 1000);
        const pointers: number[] = [];
        for (const step of all) {
          const [reference, found] = pair.all.map((allocator, index) =>
            attempt(() => {
              switch (step.kind) {
                case 'malloc':
                  return allocator.malloc(step.size);
                case 'free':
                  return allocator.free((pointers[step.which % Math.max(1, pointers.length)] ?? 8) + step.by);
                case 'write':
                  return new DataView((pair.memories[index] as WebAssembly.Memory).buffer).setUint32(
                    step.at,
                    step.value,
                    true,
                  );
                default:
                  return allocator.reset(step.heapBase);
              }
            }),
          );
          expect(found).toBe(reference);
          if (step.kind === 'malloc' && /^\d/.test(reference as string)) pointers.push(Number(reference));
          expect(pair.all[1]?.bumper()).toBe(pair.all[0]?.bumper());
        }
        const [left, right] = pair.memories.map(({ buffer }) => Buffer.from(buffer));
        expect(left?.equals(right as Buffer)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test('charges what its allocations cost, many at a time, and nothing of another call', () => {
  const { all, charged } = createPair(2, 0);
  const ours = all[1] as Allocator;
  const metered = ours.metered as (size: number) => number;
  const cost = 8;
  const rounds = 65_536 / cost;
  for (let round = 1; round < rounds; round++) ours.free(metered(1));
  expect(charged()).toBe(0);
  ours.free(metered(1));
  expect(charged()).toBe(65_536);
  ours.free(metered(1));
  ours.reset(0);
  for (let round = 1; round < rounds; round++) ours.free(metered(1));
  expect(charged()).toBe(65_536);
});

test('the end of the memory is 4 GiB, and no allocation begins behind it', () => {
  const { all } = createPair(65_536, 0xffff_fff0);
  for (const one of all)
    expect(attempt(() => one.malloc(16))).toBe('Trap memory The allocator ran out of space');
});

test('the code was assembled from allocator.wat (otherwise run node scripts/build-allocator.mjs)', () => {
  const source = readFileSync(new URL('./allocator-code.ts', import.meta.url), 'utf8');
  expect(source).toContain(hashText());
});
