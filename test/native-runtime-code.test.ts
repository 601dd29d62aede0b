import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hexToBytes } from '../worker/bytes/hex.ts';
import { loadCrypto } from '../worker/crypto/crypto.ts';
import { hasNativeNode, unpackNativeNode } from './native-rig.ts';
import { startQuestions } from './runtime-question.ts';
import vectors from './vectors/runtime-code.json' with { type: 'json' };

const runtime = new URL('../public/tabnode-runtime.compact.compressed.wasm', import.meta.url);

describe.skipIf(!hasNativeNode)('what a native node says of runtime code (shared native-node)', () => {
  it('is what test/vectors/runtime-code.json says', async () => {
    const native = await unpackNativeNode();
    try {
      const code = new Uint8Array(readFileSync(runtime));
      const { ask, stop } = await startQuestions(native, code, await loadCrypto());
      const answers: object[] = [];
      for (const { name, blob } of vectors) answers.push({ name, blob, answer: await ask(hexToBytes(blob)) });
      await stop();
      expect(answers).toEqual(vectors);
    } finally {
      native.close();
    }
  }, 240_000);
});
