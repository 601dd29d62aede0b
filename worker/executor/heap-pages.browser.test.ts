import { describe, expect, test } from 'vitest';
import { u32Bytes } from '../../test/native/heap-rig.ts';
import { heapVectors, offchainHeap } from '../../test/native/heap-vectors.ts';
import { buildFillRuntime } from '../../test/rigs/fill-runtime.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import { emptySource } from '../trie/node-source.ts';
import { createExecutor, type Runtime } from './executor.ts';
import type { CallContext } from './heap-pages.ts';
import { buildTinyModule, type TinyModule, tinyTypes } from './tiny-module.fixture.ts';

const crypto = await loadCrypto();
const { code, min } = await buildFillRuntime(crypto);
const executor = createExecutor({ crypto });
const fill = executor.load(crypto.blake2b256(code), code);

/** An overlay over a state with this value of `:heappages`. */
const stateWith = (value: string | null): Overlay => {
  const empty = createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));
  if (value === null) return empty;
  empty.set(textToBytes(':heappages'), hexToBytes(value));
  const { backend } = empty.commit(1);
  backend.cacheNew();
  return createOverlay(backend);
};

describe('the memory of a call is as large as in a native node', () => {
  test.each(heapVectors)(':heappages $name', ({ value, ...expected }) => {
    for (const context of ['author', 'import', 'offchain'] as const) {
      const heap = context === 'offchain' ? offchainHeap : expected[context];
      const fills = (pages: number) =>
        fill.call(stateWith(value), 'dbg_fill', u32Bytes(min + pages), { context });
      if (heap !== null) expect(fills(heap)).toMatchObject({ ok: true });
      expect(fills((heap ?? 0) + 1)).toMatchObject({ ok: false });
      if (heap === null) expect(fills(0)).toMatchObject({ ok: false, kind: 'memory' });
    }
  });

  test('a block that changes :heappages still runs with the old ones', () => {
    const overlay = stateWith('0x4000000000000000');
    overlay.set(textToBytes(':heappages'), hexToBytes('0x0008000000000000'));
    const options = { context: 'author' } as const;
    expect(fill.call(overlay, 'dbg_fill', u32Bytes(min + 64), options)).toMatchObject({ ok: true });
    expect(fill.call(overlay, 'dbg_fill', u32Bytes(min + 65), options)).toMatchObject({ ok: false });
  });

  test('a call that fills its memory leaves no large instance behind', () => {
    fill.call(stateWith(null), 'dbg_fill', u32Bytes(min + offchainHeap));
    expect(executor.memoryPages()).toBeLessThan(min + 32);
  });
});

const load = (tiny: TinyModule): Runtime => {
  const bytes = buildTinyModule(tiny);
  return createExecutor({ crypto }).load(crypto.blake2b256(bytes), bytes);
};
/** The word at 16 as the output. */
const answer = [0x42, 16, 0x42, 4, 0x42, 32, 0x86, 0x84];
const wordOf = (runtime: Runtime, method: string, context: CallContext, input = 0) => {
  const result = runtime.call(stateWith(null), method, u32Bytes(input), { context });
  return result.ok ? new DataView(result.output.buffer).getInt32(0, true) : result.trap;
};
const argument = [0x20, 0, 0x28, 0, 0];
const store = (value: readonly number[]): number[] => [0x41, 16, ...value, 0x36, 0, 0, ...answer];

describe('code that can see the size of its memory', () => {
  const functions = {
    size: store([0x3f, 0]),
    grow: store([...argument, 0x40, 0]),
    // Grows by nothing, then reads at the address of the input.
    read: store([...argument, 0x2d, 0, 0]),
  };
  const limits = { import: 4097, author: 2049, offchain: 2049 } as const;
  test.each([
    ['imported', {}],
    ['imported with a maximum', { maxPages: 3 }],
    ['its own', { ownMemory: true }],
    ['its own with a maximum', { ownMemory: true, maxPages: 3 }],
  ])('a memory that is %s has its full size from the start, and never grows', (_, memory) => {
    const runtime = load({ functions, ...memory });
    for (const context of ['import', 'author', 'offchain'] as const) {
      for (let again = 0; again < 2; again++) {
        expect(wordOf(runtime, 'size', context)).toBe(limits[context]);
        expect(wordOf(runtime, 'grow', context, 0)).toBe(limits[context]);
        expect(wordOf(runtime, 'grow', context, 1)).toBe(-1);
        expect(wordOf(runtime, 'read', context, limits[context] * 65_536 - 1)).toBe(0);
        expect(wordOf(runtime, 'read', context, limits[context] * 65_536)).toMatch(/out of bounds/i);
      }
    }
  });
});

describe('memory that nobody allocated', () => {
  const imports = [
    ['ext_storage_set_version_1', tinyTypes.spansToUnit],
    ['ext_allocator_free_version_1', tinyTypes.free],
    ['ext_allocator_malloc_version_1', tinyTypes.malloc],
  ] as const;
  const span = (at: readonly number[], length: number) => [...at, 0xad, 0x42, length, 0x42, 32, 0x86, 0x84];
  const functions = {
    read: store([...argument, 0x2d, 0, 0]),
    // Writes 7 there and reads it back.
    write: [...argument, 0x41, 7, 0x3a, 0, 0, ...store([...argument, 0x2d, 0, 0])],
    // Sets a storage item whose key is there.
    key: [...span(argument, 4), ...span([0x41, 16], 1), 0x10, 0, ...store([0x41, 1])],
    // Makes a header there, frees the block after it, and gets it again.
    free: [
      ...[...argument, 0x42, ...[0x80, 0x80, 0x80, 0x80, 0x10], 0x37, 0, 0],
      ...[...argument, 0x41, 8, 0x6a, 0x10, 1, ...store([0x41, 8, 0x10, 2])],
    ],
  };
  const runtime = load({ functions, imports });
  const end = 2049 * 65_536;
  test.each(['read', 'write', 'key', 'free'])('%s: is there up to the end', (method) => {
    const expected = { read: 0, write: 7, key: 1, free: end - 16 + 8 }[method];
    expect(wordOf(runtime, method, 'offchain', end - 16)).toBe(expected);
    expect(wordOf(runtime, method, 'offchain', end - 16)).toBe(expected);
    expect(wordOf(runtime, method, 'offchain', end)).not.toBe(expected);
    // The call after it has a pristine memory.
    expect(wordOf(runtime, 'read', 'offchain', end - 16)).toBe(0);
  });
  test('the first of the two runs leaves no trace in the state', () => {
    const overlay = stateWith(null);
    expect(runtime.call(overlay, 'key', u32Bytes(end - 16))).toMatchObject({ ok: true });
    expect(overlay.changes().main).toEqual([[new Uint8Array(4), Uint8Array.of(1)]]);
    expect(overlay.depth()).toBe(0);
  });
});
