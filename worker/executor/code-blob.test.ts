import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { unpackCode } from './code-blob.ts';

const code = new Uint8Array(
  readFileSync(new URL('../../public/tabnode-runtime.compact.compressed.wasm', import.meta.url)),
);

describe('unpacking runtime code', () => {
  test.skipIf(zstdDecompressSync === undefined)('the platform’s zstd and ours agree', () => {
    const ours = unpackCode(code);
    expect(Buffer.compare(unpackCode(code, zstdDecompressSync), ours)).toBe(0);
    expect(unpackCode(ours, zstdDecompressSync)).toBe(ours);
  });
  test.each([
    ['ours', undefined],
    ['the platform’s', zstdDecompressSync],
  ])('a damaged frame is BadCode: %s', (_, unzstd) => {
    const cut = code.subarray(0, code.length / 2);
    expect(() => unpackCode(cut, unzstd)).toThrow(expect.objectContaining({ code: 'BadCode' }));
  });
});
