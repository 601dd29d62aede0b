import { describe, expect, test } from 'vitest';
import { noBytes, textToBytes } from '../bytes/bytes.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createEmptyBackend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import { MissingNodes, missingNode } from '../trie/missing-nodes.ts';
import { emptySource } from '../trie/node-source.ts';
import { createExecutor, type Runtime } from './executor.ts';
import { buildTinyModule, type TinyModule, tinyTypes } from './tiny-module.fixture.ts';

const crypto = await loadCrypto();
const newOverlay = () =>
  createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));
const load = (tiny: TinyModule, options: Parameters<typeof createExecutor>[1] = {}): Runtime => {
  const code = buildTinyModule(tiny);
  return createExecutor({ crypto }, options).load(crypto.blake2b256(code), code);
};
const run = (runtime: Runtime, method: string, input = noBytes) =>
  runtime.call(newOverlay(), method, input, { fuel: 'small' });
const outputOf = (runtime: Runtime, method: string, input = noBytes): number[] => {
  const result = run(runtime, method, input);
  if (!result.ok) throw new Error(result.trap);
  return [...result.output];
};

// Wasm instructions as bytes. `answer(n)` returns the span of n bytes at address 16, where the data segment
// has 1, 2, 3, 4.
const answer = (length: number): number[] => [0x42, 16, 0x42, length, 0x42, 32, 0x86, 0x84];
const endless = [0x03, 0x40, 0x0c, 0, 0x0b, 0x00];

describe('trapping runtimes', () => {
  test('an endless loop runs out of fuel within two seconds, and the runtime stays usable', () => {
    const runtime = load({ functions: { loop: endless, good: answer(4) } });
    const before = performance.now();
    expect(run(runtime, 'loop')).toMatchObject({ ok: false, kind: 'fuel' });
    expect(performance.now() - before).toBeLessThan(2000);
    expect(outputOf(runtime, 'good')).toEqual([1, 2, 3, 4]);
  });
  test('endless recursion traps, by stack or by fuel', () => {
    const runtime = load({
      functions: { recurse: [0x20, 0, 0x20, 1, 0x10, 0, 0x42, 1, 0x7c], good: answer(4) },
    });
    expect(run(runtime, 'recurse')).toMatchObject({ ok: false, kind: 'trap' });
    expect(outputOf(runtime, 'good')).toEqual([1, 2, 3, 4]);
  });
  test('unreachable code, spans outside the memory and missing exports are returned as values', () => {
    const runtime = load({ functions: { stop: [0x00], far: [0x42, 0x7f] } });
    expect(run(runtime, 'stop')).toMatchObject({ ok: false, kind: 'trap' });
    expect(run(runtime, 'far')).toMatchObject({ ok: false, kind: 'trap' });
    expect(run(runtime, 'none')).toMatchObject({ ok: false, kind: 'missingExport' });
  });
  test('an unknown import and one with another type load and trap when called', () => {
    const imports = [
      ['ext_no_such_version_1', tinyTypes.unit],
      ['ext_storage_set_version_1', tinyTypes.unit],
    ] as const;
    const runtime = load({
      imports,
      functions: { a: [0x10, 0, ...answer(4)], b: [0x10, 1, ...answer(4)], good: answer(2) },
    });
    const result = run(runtime, 'a');
    expect(result.ok ? '' : result.trap).toContain('ext_no_such_version_1');
    expect(run(runtime, 'b')).toMatchObject({ ok: false, kind: 'trap' });
    expect(outputOf(runtime, 'good')).toEqual([1, 2]);
  });
  test('a function that is imported under two types is refused with a coded error', () => {
    const name = 'ext_allocator_malloc_version_1';
    const imports = [[name, tinyTypes.spanToFlag] as const, [name, tinyTypes.malloc] as const];
    const runtime = load({ imports, functions: { good: answer(4) } });
    expect(() => run(runtime, 'good')).toThrow(expect.objectContaining({ code: 'BadCode' }));
  });
  test('a bad free poisons the allocator for that call only', () => {
    const imports = [['ext_allocator_free_version_1', tinyTypes.free]] as const;
    const runtime = load({ imports, functions: { bad: [0x41, 3, 0x10, 0, ...answer(4)], good: answer(4) } });
    expect(run(runtime, 'bad')).toMatchObject({ ok: false, kind: 'memory' });
    expect(outputOf(runtime, 'good', Uint8Array.of(1))).toEqual([1, 2, 3, 4]);
  });
  test.each(['restored', 'fresh'] as const)(
    'memory, globals and heap are in their initial state in %s instances',
    (instances) => {
      // Adds 1 to global 1 and to the bytes at 16 and 60000; returns the sum of the three.
      const bump = (address: number[]) => [
        0x41,
        ...address,
        0x41,
        ...address,
        0x2d,
        0,
        0,
        0x41,
        1,
        0x6a,
        0x3a,
        0,
        0,
      ];
      const far = [0xe0, 0xd4, 0x03];
      const count = [0x23, 1, 0x41, 1, 0x6a, 0x24, 1, ...bump([16]), ...bump(far)];
      const sum = [0x41, 16, 0x23, 1, 0x41, 16, 0x2d, 0, 0, 0x6a, 0x41, ...far, 0x2d, 0, 0, 0x6a, 0x3a, 0, 0];
      const stop = [0x20, 1, 0x04, 0x40, 0x00, 0x0b];
      for (const ownMemory of [false, true]) {
        const runtime = load(
          { functions: { count: [...count, ...sum, ...stop, ...answer(1)] }, ownMemory },
          { instances },
        );
        expect(outputOf(runtime, 'count')).toEqual([9]);
        expect(run(runtime, 'count', Uint8Array.of(1))).toMatchObject({ ok: false });
        expect(outputOf(runtime, 'count')).toEqual([9]);
      }
    },
  );
});

describe('the hidden layer of a call', () => {
  const imports = [
    ['ext_storage_set_version_1', tinyTypes.spansToUnit],
    ['ext_storage_start_transaction_version_1', tinyTypes.unit],
    ['ext_storage_commit_transaction_version_1', tinyTypes.unit],
    ['ext_storage_get_version_1', tinyTypes.spanToSpan],
  ] as const;
  const set = [...answer(1), ...answer(2), 0x10, 0];
  const runtime = load({
    imports,
    functions: {
      set: [...set, ...answer(0)],
      setAndStop: [...set, 0x00],
      open: [0x10, 1, ...set, ...answer(0)],
      commitTooMuch: [...set, 0x10, 2, ...answer(0)],
      get: [...answer(1), 0x10, 3],
    },
  });
  const key = Uint8Array.of(1);
  test('is kept on success', () => {
    const overlay = newOverlay();
    expect(runtime.call(overlay, 'set', noBytes).ok).toBe(true);
    expect(overlay.get(key)).toEqual(Uint8Array.of(1, 2));
    expect(runtime.call(overlay, 'get', noBytes)).toMatchObject({
      ok: true,
      output: Uint8Array.of(1, 8, 1, 2),
    });
    expect(overlay.depth()).toBe(0);
  });
  test.each(['setAndStop', 'open', 'commitTooMuch'])('drops what %s has written', (method) => {
    const overlay = newOverlay();
    overlay.set(key, Uint8Array.of(9));
    runtime.call(overlay, method, noBytes);
    expect(overlay.get(key)).toEqual(Uint8Array.of(9));
    expect(overlay.depth()).toBe(0);
  });
  /** An error of the overlay is rethrown unchanged, and no layer is left behind. */
  const throwOnRead = (error: unknown): Overlay => {
    const overlay = newOverlay();
    const get = (): never => {
      throw error;
    };
    expect(() => runtime.call({ ...overlay, get }, 'get', noBytes)).toThrow(error as Error);
    expect(overlay.depth()).toBe(0);
    return overlay;
  };
  test('an error of the node itself is not attributed to the runtime', () => {
    throwOnRead(new RangeError('Invalid typed array length: -1'));
  });
  test('MissingNodes is rethrown unchanged and leaves nothing behind', () => {
    const overlay = throwOnRead(new MissingNodes([missingNode(new Uint8Array(32))]));
    expect(runtime.call(overlay, 'get', noBytes)).toMatchObject({ ok: true, output: Uint8Array.of(0) });
  });
});

describe('code that is not a runtime', () => {
  const executor = createExecutor({ crypto });
  const reject = (code: Uint8Array, error: string) =>
    expect(() => executor.load(crypto.blake2b256(code), code)).toThrow(
      expect.objectContaining({ code: error }),
    );
  test('is refused with an error code', () => {
    reject(noBytes, 'BadCode');
    reject(textToBytes('PVM\0'), 'BadCode');
    reject(Uint8Array.of(0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05, 1, 2, 3), 'BadCode');
    const good = buildTinyModule({ functions: { a: answer(1) } });
    for (const cut of [9, 40, 90, 130]) reject(good.slice(0, cut), 'BadCode');
    reject(buildTinyModule({ functions: { a: answer(1) }, version: false }), 'MissingApi');
    // An exception handler could swallow the out-of-fuel trap.
    reject(buildTinyModule({ functions: { a: [0x06, 0x40, 0x0b, ...answer(1)] } }), 'BadCode');
  });
});
