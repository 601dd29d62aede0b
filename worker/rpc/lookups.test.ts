import { describe, expect, it } from 'vitest';
import { trapText } from './lookups.ts';

/** One WebAssembly instruction sequence each, with this engine's message for the trap. */
const run = (body: readonly number[], results: readonly number[] = []): string => {
  const bytes = Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4 + results.length, 1, 0x60, 0, results.length, ...results],
    ...[3, 2, 1, 0, 4, 4, 1, 0x70, 0, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 0x66, 0, 0],
    ...[10, body.length + 4, 1, body.length + 2, 0, ...body, 0x0b],
  );
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as { f: () => void };
  try {
    f();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('no trap');
};

describe("trap messages in the native node's wording", () => {
  it.each([
    ['wasm `unreachable` instruction executed', [0x00]],
    ['out of bounds memory access', [0x41, 0x7f, 0x28, 2, 0, 0x1a]],
    ['integer divide by zero', [0x41, 1, 0x41, 0, 0x6d, 0x1a]],
    ['integer overflow', [0x41, 0x80, 0x80, 0x80, 0x80, 0x78, 0x41, 0x7f, 0x6d, 0x1a]],
    ['invalid conversion to integer', [0x43, 0, 0, 0xc0, 0x7f, 0xa8, 0x1a]],
    ['undefined element: out of bounds table access', [0x41, 3, 0x11, 0, 0]],
  ])('%s', (native, body) => {
    expect(trapText(run(body))).toBe(`Execution aborted due to trap: wasm trap: ${native}`);
  });

  it("puts the runtime's panic on the next line and leaves other texts unchanged", () => {
    expect(trapText('unreachable: panicked at lib.rs:1')).toBe(
      'Execution aborted due to trap: wasm trap: wasm `unreachable` instruction executed\npanicked at lib.rs:1',
    );
    expect(trapText('The call ran out of fuel')).toBe('The call ran out of fuel');
  });
});
