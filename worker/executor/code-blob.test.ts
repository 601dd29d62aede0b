import { readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/runtime-code.json' with { type: 'json' };
import { concatBytes, equalBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createZstd } from '../crypto/zstd.ts';
import { type Unzstd, unpackCode } from './code-blob.ts';

const { unzstd } = await loadCrypto();
const platform: Unzstd = (frames, maxOutputLength) => zlib.zstdDecompressSync(frames, { maxOutputLength });

const code = new Uint8Array(
  readFileSync(new URL('../../public/tabnode-runtime.compact.compressed.wasm', import.meta.url)),
);

describe.skipIf(zlib.zstdDecompressSync === undefined)('with the platform’s zstd', () => {
  /** The module, or null if the code is refused. */
  const unpack = (blob: Uint8Array, faster?: Unzstd): Uint8Array | null => {
    try {
      return unpackCode(blob, unzstd, faster);
    } catch (error) {
      expect(error).toEqual(expect.objectContaining({ code: 'BadCode' }));
      return null;
    }
  };
  const expectEqual = (blob: Uint8Array): void => {
    const [core, both] = [unpack(blob), unpack(blob, platform)];
    expect(both === null || core === null ? both === core : equalBytes(both, core)).toBe(true);
  };
  test('the same code is accepted: the vectors of the native node', () => {
    for (const { blob } of vectors) expectEqual(hexToBytes(blob));
  });
  test('it unpacks the default runtime', () => {
    let calls = 0;
    const counted: Unzstd = (...request) => {
      calls++;
      return platform(...request);
    };
    const ours = unpackCode(code, unzstd);
    expect(equalBytes(unpackCode(code, unzstd, counted), ours)).toBe(true);
    expect(calls).toBe(1);
    expect(unpackCode(ours, unzstd, counted)).toBe(ours);
    expect(calls).toBe(1);
  });
  test.each<[string, (blob: Uint8Array) => Uint8Array]>([
    ['a byte after the frame', (blob) => concatBytes(blob, Uint8Array.of(0))],
    ['the magic of a frame after it', (blob) => concatBytes(blob, Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd))],
    [
      'a skippable frame after it',
      (blob) => concatBytes(blob, Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0)),
    ],
    ['the last byte missing', (blob) => blob.subarray(0, -1)],
    ['half of it missing', (blob) => blob.subarray(0, blob.length >> 1)],
    [
      'a wrong checksum',
      (blob) => Uint8Array.from(blob, (byte, at) => (at === blob.length - 1 ? byte ^ 1 : byte)),
    ],
    [
      'a byte changed in the middle',
      (blob) => Uint8Array.from(blob, (byte, at) => (at === blob.length >> 1 ? byte ^ 1 : byte)),
    ],
    ['the size changed', (blob) => Uint8Array.from(blob, (byte, at) => (at === 13 ? byte ^ 1 : byte))],
    ['the reserved bit', (blob) => Uint8Array.from(blob, (byte, at) => (at === 12 ? byte | 8 : byte))],
  ])('the same code is accepted: the default runtime with %s', (_, change) => expectEqual(change(code)));
});

describe('decompressing runtime code', () => {
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
