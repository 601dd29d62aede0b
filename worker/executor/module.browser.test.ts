import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasFixtures, loadFixtureJson } from '../../test/rigs/fixtures.ts';
import { equalBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { unpackCode } from './code-blob.ts';
import { fuelExport, globalExport, patchModule } from './module.ts';
import { parseModule as parseFile, readModule } from './module-parse.ts';
import { patchCodeByReference } from './patch-reference.fixture.ts';
import { buildTinyModule } from './tiny-module.fixture.ts';

const crypto = await loadCrypto();
const byReference = { patchCode: patchCodeByReference };
const parseModule = (bytes: Uint8Array) => parseFile(readModule(bytes, crypto));

type Run = (pointer: number, length: number) => bigint;
const instantiate = (bytes: Uint8Array) => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>), {
    env: { memory },
  });
  return { exports, memory, run: exports['run'] as unknown as Run };
};
const global = (exports: WebAssembly.Exports, name: string) => exports[name] as WebAssembly.Global;

/** Random code over locals 2 to 4 (i32), the memory and global 1. It leaves the stack unchanged. */
type Node = { readonly code: readonly number[] };
const local = fc.integer({ min: 0, max: 4 });
const small = fc.integer({ min: 0, max: 63 });
const binary = fc.constantFrom(0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x73, 0x74, 0x76, 0x49, 0x46);
const { code } = fc.letrec<{ code: Node; block: Node }>((tie) => ({
  code: fc.oneof(
    { maxDepth: 4 },
    fc
      .tuple(local, local, binary, local)
      .map(([a, b, op, to]) => ({ code: [0x20, a, 0x20, b, op, 0x21, to] })),
    fc.tuple(local, small).map(([a, n]) => ({ code: [0x20, a, 0x41, 15, 0x71, 0x20, a, 0x36, 2, n] })),
    fc.tuple(local, small).map(([to, n]) => ({ code: [0x41, n, 0x28, 2, 4, 0x21, to] })),
    fc.tuple(local).map(([a]) => ({ code: [0x23, 1, 0x20, a, 0x6a, 0x24, 1] })),
    // A block that a branch table leaves early.
    fc.tuple(tie('code'), local).map(([inner, a]) => ({
      code: [0x02, 0x40, ...inner.code, 0x20, a, 0x0e, 2, 0, 0, 0, 0x0b],
    })),
    fc.tuple(tie('code'), tie('code'), local).map(([one, two, a]) => ({
      code: [0x20, a, 0x04, 0x40, ...one.code, 0x05, ...two.code, 0x0b],
    })),
    // At most 20 iterations of a loop, counted in local 5. Nested loops share the counter, so they also end.
    tie('code').map((inner) => ({
      code: [0x03, 0x40, ...inner.code, 0x20, 5, 0x41, 1, 0x6a, 0x22, 5, 0x41, 20, 0x49, 0x0d, 0, 0x0b],
    })),
    fc.tuple(tie('code'), tie('code')).map(([one, two]) => ({ code: [...one.code, ...two.code] })),
    // More than one stretch of plain instructions, and of more expensive ones.
    fc.tuple(local, fc.integer({ min: 1, max: 400 })).map(([a, n]) => ({
      code: Array.from({ length: n }, () => [0x20, a, 0x1a, 0x20, a, 0x41, 7, 0x6e, 0x1a]).flat(),
    })),
    // Returns from the function, and unconditional branches out of a block.
    fc.tuple(tie('code'), local).map(([inner, a]) => ({
      code: [0x20, a, 0x04, 0x40, ...inner.code, 0x42, 7, 0x0f, 0x0b],
    })),
    fc.tuple(tie('code'), tie('code')).map(([one, two]) => ({
      code: [0x02, 0x40, ...one.code, 0x0c, 0, ...two.code, 0x0b],
    })),
    fc.tuple(tie('code'), local).map(([inner, a]) => ({
      code: [0x20, a, 0x04, 0x40, ...inner.code, 0x00, 0x0b],
    })),
    fc.constant({ code: [0x43, 3, 11, 0x0b, 0x40, 0x1a, 0x44, 3, 3, 3, 3, 3, 3, 3, 3, 0x1a] }),
  ),
  block: tie('code'),
}));
const moduleOf = (body: readonly number[]): Uint8Array =>
  // Six i32: two parameters and four locals. The result is local 2.
  buildTinyModule({ functions: { run: [...body, 0x20, 2, 0xad] }, locals: [1, 4, 0x7f] });

describe('the module patcher', () => {
  test('a patched module computes the same results, with the same memory and globals', () => {
    fc.assert(
      fc.property(code, fc.nat(), fc.nat(), (body, a, b) => {
        const bytes = moduleOf(body.code);
        const patched = patchModule(parseModule(bytes), crypto);
        const one = instantiate(bytes);
        const two = instantiate(patched.bytes);
        const fuel = global(two.exports, fuelExport);
        const outcome = (run: Run) => {
          try {
            return run(a, b);
          } catch (error) {
            return String(error);
          }
        };
        fuel.value = 1_000_000_000n;
        const [x, y] = [outcome(one.run), outcome(two.run)];
        expect(y).toEqual(x);
        expect(equalBytes(new Uint8Array(two.memory.buffer), new Uint8Array(one.memory.buffer))).toBe(true);
        expect(fuel.value).toBeLessThan(1_000_000_000n);
        expect(patchModule(parseModule(bytes), byReference)).toEqual(patched);
      }),
      { numRuns: 300 },
    );
  });
  test('exports mutable globals and counts entries and loop headers', () => {
    // A loop of three iterations: one function entry and three headers.
    const loop = [0x03, 0x40, 0x20, 5, 0x41, 1, 0x6a, 0x22, 5, 0x41, 3, 0x49, 0x0d, 0, 0x0b];
    const { exports, run } = instantiate(patchModule(parseModule(moduleOf(loop)), crypto).bytes);
    const fuel = global(exports, fuelExport);
    expect(global(exports, globalExport(0)).value).toBe(5);
    fuel.value = 4n;
    run(0, 0);
    expect(fuel.value).toBe(0n);
    fuel.value = 3n;
    expect(() => run(0, 0)).toThrow(WebAssembly.RuntimeError);
    expect(fuel.value).toBe(-1n);
  });
  describe('charges fuel by the length of the executed code', () => {
    const plain = (pairs: number) => Array.from({ length: pairs }, () => [0x41, 1, 0x1a]).flat();
    const spent = (body: readonly number[], a = 0): number => {
      const { exports, run } = instantiate(patchModule(parseModule(moduleOf(body)), crypto).bytes);
      const fuel = global(exports, fuelExport);
      fuel.value = 1_000_000n;
      run(a, 0);
      return 1_000_000 - Number(fuel.value);
    };
    test('in one stretch', () => {
      expect(spent([])).toBe(1);
      expect(spent(plain(3200))).toBeGreaterThanOrEqual(100);
      expect(spent(plain(3200))).toBeLessThanOrEqual(105);
    });
    test('and not for skipped code', () => {
      const skipping = [0x02, 0x40, 0x20, 0, 0x0d, 0, ...plain(3200), 0x0b];
      expect(spent(skipping, 1)).toBeLessThanOrEqual(5);
      expect(spent(skipping, 0)).toBeGreaterThanOrEqual(100);
    });
    test.each([
      ['a jump out of a block', [0x0c, 0]],
      ['a jump on a condition', [0x41, 1, 0x0d, 0]],
      ['a jump through a table', [0x41, 0, 0x0e, 0, 0]],
    ])('%s leaves no stretch uncharged', (_, jump) => {
      for (const pairs of [31, 95, 126, 127, 128]) {
        const block = [0x02, 0x40, ...plain(pairs), ...jump, ...plain(2), 0x0b];
        const body = Array.from({ length: 100 }, () => block).flat();
        expect(spent(body)).toBeGreaterThanOrEqual((100 * pairs * 2) / 64);
      }
    });
    test('in each iteration of a loop', () => {
      const round = [...plain(100), 0x20, 5, 0x41, 1, 0x6a, 0x22, 5, 0x41, 20, 0x49, 0x0d, 0];
      expect(spent([0x03, 0x40, ...round, 0x0b])).toBeGreaterThanOrEqual((20 * 200) / 64);
    });
    test('by the cost of an instruction', () => {
      const divisions = Array.from({ length: 100 }, () => [0x41, 9, 0x41, 3, 0x6d, 0x1a]).flat();
      expect(spent(divisions)).toBeGreaterThanOrEqual(100);
    });
  });
  test('detects code that needs special treatment', () => {
    const patch = (body: number[]) => patchModule(parseModule(moduleOf(body)), crypto);
    expect(patch([]).usesMemorySize).toBe(false);
    expect(patch([0x3f, 0, 0x1a]).usesMemorySize).toBe(true);
    expect(patch([0x41, 0, 0x40, 0, 0x1a]).usesMemorySize).toBe(true);
  });
  test('arbitrary bytes as code are patched or throw BadCode', () => {
    const one = Uint8Array.of(1);
    const checks = { fuel: [one, one], grow: one } as const;
    const opcode = fc.constantFrom(0x02, 0x03, 0x0b, 0x0e, 0x1c, 0x20, 0x28, 0x40, 0x43, 0x44, 0xfc, 0xff);
    const bytes = fc.array(fc.oneof(opcode, fc.integer({ min: 0, max: 255 })), { maxLength: 40 });
    fc.assert(
      fc.property(bytes, ([...body]) => {
        const code = Uint8Array.of(1, body.length, 0, ...body);
        try {
          crypto.patchCode(code, checks);
        } catch (error) {
          expect(error).toMatchObject({ code: 'BadCode' });
        }
      }),
      { numRuns: 3000 },
    );
    const endless = [1, 7, 0, 0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f];
    expect(() => crypto.patchCode(Uint8Array.from(endless), checks)).toThrow(/does not end where it should/);
  });
  test('damaged modules throw only BadCode', () => {
    const good = moduleOf([0x41, 1, 0x1a]);
    fc.assert(
      fc.property(
        fc.nat(good.length - 1),
        fc.integer({ min: 0, max: 255 }),
        fc.nat(good.length),
        (at, byte, end) => {
          const damaged = good.slice(0, Math.max(end, 8));
          damaged[at % damaged.length] = byte;
          try {
            patchModule(parseModule(damaged), crypto);
          } catch (error) {
            expect(error).toMatchObject({ code: 'BadCode' });
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

const chains = hasFixtures ? await loadFixtureJson<{ file: string }[]>('chains/expected.json') : [];
type Spec = { genesis: { raw: { top: Record<string, string> } } };

test.skipIf(!hasFixtures).each(chains.map(({ file }) => file))(
  'the core patches the runtime of %s like the reference',
  async (file) => {
    const { top } = (await loadFixtureJson<Spec>(`chains/${file}`)).genesis.raw;
    const info = parseModule(unpackCode(hexToBytes(top['0x3a636f6465'] ?? ''), crypto.unzstd));
    const patched = patchModule(info, crypto);
    const expected = patchModule(info, byReference);
    expect(equalBytes(patched.bytes, expected.bytes)).toBe(true);
    expect({ ...patched, bytes: null }).toEqual({ ...expected, bytes: null });
  },
);
