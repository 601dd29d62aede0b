import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import vectors from '../vectors/runtime-code.json' with { type: 'json' };
import { miniRuntime, wasmCases } from '../vectors/wasm-cases.ts';
import { zstdCases } from '../vectors/zstd-cases.ts';
import { hasNativeNode, unpackNativeNode } from './native-rig.ts';
import { startQuestions } from './runtime-question.ts';

const runtime = new URL('../../public/tabnode-runtime.compact.compressed.wasm', import.meta.url);
const recorded = new URL('../vectors/runtime-code.json', import.meta.url);
/** Asks about the cases as they are written now, and replaces the recorded answers. */
const isRecording = process.env['RECORD_VECTORS'] !== undefined;

type Vector = (typeof vectors)[number];

const writeCases = (): Omit<Vector, 'answer'>[] => {
  const named = (kind: string, [name, blob]: readonly [string, Uint8Array]) => ({
    name: `${kind}: ${name}`,
    blob: bytesToHex(blob),
  });
  return [
    ...zstdCases(miniRuntime()).map((one) => named('zstd', one)),
    ...wasmCases().map((one) => named('wasm', one)),
  ];
};

const record = (answers: readonly Vector[]): void =>
  writeFileSync(recorded, `[\n ${answers.map((answer) => JSON.stringify(answer)).join(',\n ')}\n]\n`);

describe.skipIf(!hasNativeNode)('what a native node says of runtime code (shared native-node)', () => {
  it('is what test/vectors/runtime-code.json says', async () => {
    const native = await unpackNativeNode();
    try {
      const code = new Uint8Array(readFileSync(runtime));
      const { ask, stop } = await startQuestions(native, code, await loadCrypto());
      const answers: Vector[] = [];
      for (const { name, blob } of isRecording ? writeCases() : vectors)
        answers.push({ name, blob, answer: await ask(hexToBytes(blob)) });
      await stop();
      if (isRecording) record(answers);
      else expect(answers).toEqual(vectors);
    } finally {
      native.close();
    }
  }, 240_000);
});
