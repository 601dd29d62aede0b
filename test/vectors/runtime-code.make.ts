// `node test/vectors/runtime-code.make.ts`: writes runtime-code.json, what a native node says of code blobs. Needs
// ../shared/native-node.
import { readFileSync, writeFileSync } from 'node:fs';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { unpackNativeNode } from '../native-rig.ts';
import { startQuestions } from '../runtime-question.ts';
import { miniRuntime, wasmCases } from './wasm-cases.ts';
import { zstdCases } from './zstd-cases.ts';

const code = new Uint8Array(
  readFileSync(new URL('../../public/tabnode-runtime.compact.compressed.wasm', import.meta.url)),
);
const native = await unpackNativeNode();
try {
  const { ask, stop } = await startQuestions(native, code, await loadCrypto());
  const named = (kind: string, [name, blob]: readonly [string, Uint8Array]) =>
    [`${kind}: ${name}`, blob] as const;
  const cases = [
    ...zstdCases(miniRuntime()).map((one) => named('zstd', one)),
    ...wasmCases().map((one) => named('wasm', one)),
  ];
  const vectors: object[] = [];
  for (const [name, blob] of cases) vectors.push({ name, blob: bytesToHex(blob), answer: await ask(blob) });
  await stop();
  const text = vectors.map((vector) => JSON.stringify(vector)).join(',\n ');
  writeFileSync(new URL('runtime-code.json', import.meta.url), `[\n ${text}\n]\n`);
} finally {
  native.close();
}
