import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadCrypto } from '../crypto/crypto.ts';
import { createZstd } from '../crypto/zstd.ts';
import { type Unzstd, unpackCode } from './code-blob.ts';

const { unzstd } = await loadCrypto();
const platform: Unzstd = (frames, maxOutputLength) => zstdDecompressSync(frames, { maxOutputLength });

const code = new Uint8Array(
  readFileSync(new URL('../../public/tabnode-runtime.compact.compressed.wasm', import.meta.url)),
);

describe('decompressing runtime code', () => {
  test.skipIf(zstdDecompressSync === undefined)(
    'the platform’s zstd and ours produce the same output',
    () => {
      const ours = unpackCode(code, unzstd);
      expect(Buffer.compare(unpackCode(code, platform), ours)).toBe(0);
      expect(unpackCode(ours, platform)).toBe(ours);
    },
  );
  test.each([
    ['ours', unzstd],
    ['the platform’s', platform],
  ])('a damaged frame is BadCode: %s', (_, unpack) => {
    const cut = code.subarray(0, code.length / 2);
    expect(() => unpackCode(cut, unpack)).toThrow(expect.objectContaining({ code: 'BadCode' }));
  });
  test.each([
    ['an instance', new RangeError('WebAssembly.Instance(): Out of memory')],
    ['growth', new WebAssembly.RuntimeError('unreachable')],
  ])('an engine without memory for %s does not make the code damaged', (_, cause) => {
    const { unzstd } = createZstd(() => {
      throw cause;
    });
    expect(() => unpackCode(code, unzstd)).toThrow(expect.objectContaining({ code: 'LimitReached', cause }));
  });
});
