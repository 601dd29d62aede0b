import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import { buildTinyModule, tinyTypes } from '../../worker/executor/tiny-module.fixture.ts';
import { createEmptyBackend } from '../../worker/state/backend.ts';
import { createOverlay } from '../../worker/state/overlay.ts';
import { emptySource } from '../../worker/trie/node-source.ts';
import vectors from './runtime-code.json' with { type: 'json' };

const crypto = await loadCrypto();
const executor = createExecutor({ crypto });
const span = [0x20, 1, 0xad, 0x42, 32, 0x86, 0x20, 0, 0xad, 0x84];
const asking = executor.load(
  Uint8Array.of(1),
  buildTinyModule({
    imports: [['ext_misc_runtime_version_version_1', tinyTypes.spanToSpan]],
    functions: { ask: [...span, 0x10, 0] },
  }),
);
const ask = (blob: Uint8Array): string => {
  const { blake2b256 } = crypto;
  const overlay = createOverlay(createEmptyBackend({ blake2b256, source: emptySource }));
  const result = asking.call(overlay, 'ask', blob);
  return result.ok ? bytesToHex(result.output) : result.trap;
};

// Each `answer` is what a polkadot-sdk node (2609.2.0) returned for the blob: 0x00 (None) if it is no runtime.
describe('ext_misc_runtime_version answers as the native node', () => {
  test.each(vectors.map(({ name, ...vector }) => [name, vector] as const))('%s', (_, { blob, answer }) => {
    expect(ask(hexToBytes(blob))).toBe(answer);
  });
});

const isCalled = (name: string): boolean => name.endsWith(', called');

// Without embedded version, a runtime is instantiated to be asked, so these answers also say what can run.
test.each(vectors.filter(({ name }) => isCalled(name)).map(({ name, ...vector }) => [name, vector] as const))(
  '%s: is loaded if and only if it can be called',
  (name, { blob, answer }) => {
    const load = () => executor.load(new TextEncoder().encode(name), hexToBytes(blob));
    if (answer === '0x00') expect(load).toThrow(expect.objectContaining({ code: 'BadCode' }));
    else expect(load).not.toThrow();
  },
);
