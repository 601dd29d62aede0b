import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatBytes, equalBytes, textToBytes } from '../bytes/bytes.ts';
import { loadCrypto } from './crypto.ts';

const { unzstd } = await loadCrypto();
const limit = 4 << 20;
const { constants } = zlib;

/** Text that compresses like code: with nearby and distant repeats, and stretches without any. */
const content = fc
  .array(
    fc.tuple(fc.uint8Array({ maxLength: 60 }), fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1000 }))),
    { maxLength: 40 },
  )
  .map((parts) => concatBytes(...parts.flatMap(([part, times]) => Array<Uint8Array>(times).fill(part))));

type Form = { readonly level: number; readonly checksum: boolean; readonly windowLog: number };
const form = fc.record<Form>({
  level: fc.integer({ min: -5, max: 22 }),
  checksum: fc.boolean(),
  windowLog: fc.integer({ min: 10, max: 22 }),
});
const pack = (bytes: Uint8Array, { level, checksum, windowLog }: Form): Uint8Array =>
  zlib.zstdCompressSync(bytes, {
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_checksumFlag]: Number(checksum),
      [constants.ZSTD_c_windowLog]: windowLog,
    },
  });

/** A stream writes the frame header before it knows the size. */
const packStream = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const stream = zlib.createZstdCompress();
  const parts: Uint8Array[] = [];
  stream.on('data', (part: Uint8Array) => parts.push(part));
  const ended = new Promise((resolve) => stream.once('end', resolve));
  for (let at = 0; at < bytes.length; at += 50_000) stream.write(bytes.subarray(at, at + 50_000));
  stream.end();
  await ended;
  return concatBytes(...parts);
};

const badCode = expect.objectContaining({ code: 'BadCode' });
const varied = (size: number): Uint8Array => {
  const out = new Uint8Array(size);
  let state = 1;
  for (let at = 0; at < size; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    out[at] = at % 700 < 300 ? (out[at - 650] ?? 7) : (state >> 16) % (1 + (at % 97));
  }
  return out;
};

describe.skipIf(zlib.zstdCompressSync === undefined)('zstd of the core against that of Node.js', () => {
  test('output of Node.js at any level decompresses to the same bytes', () => {
    fc.assert(
      fc.property(content, form, (bytes, how) => {
        expect(equalBytes(unzstd(pack(bytes, how), limit), bytes)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
  test.each([1, 3, 9, 19])('megabytes of blocks, level %i', (level) => {
    const bytes = varied(1_000_000);
    const frame = pack(bytes, { level, checksum: true, windowLog: 21 });
    expect(equalBytes(unzstd(frame, limit), bytes)).toBe(true);
  });
  test('a frame of unknown size, several frames, skippable frames', async () => {
    const bytes = varied(400_000);
    const stream = await packStream(bytes);
    expect(equalBytes(unzstd(stream, limit), bytes)).toBe(true);
    const skipped = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9);
    const all = concatBytes(stream, skipped, zlib.zstdCompressSync(textToBytes('end')));
    expect(equalBytes(unzstd(all, limit), concatBytes(bytes, textToBytes('end')))).toBe(true);
  });
  test('output never exceeds the limit, whatever size is declared', async () => {
    const bytes = varied(300_000);
    for (const frame of [zlib.zstdCompressSync(bytes), await packStream(bytes)]) {
      expect(unzstd(frame, bytes.length).length).toBe(bytes.length);
      for (const less of [bytes.length - 1, 1000, 0])
        expect(() => unzstd(frame, less)).toThrow(/more than [0-9]+ bytes/);
    }
  });
  test('a damaged frame is BadCode or, without a checksum, what Node.js returns', () => {
    const bytes = varied(20_000);
    const frames = [false, true].map((checksum) => pack(bytes, { level: 12, checksum, windowLog: 17 }));
    const change = fc.tuple(fc.nat(19_999), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(fc.constantFrom(...frames), fc.array(change, { maxLength: 3 }), (frame, changes) => {
        const damaged = frame.slice();
        for (const [at, by] of changes)
          damaged[at % damaged.length] = (damaged[at % damaged.length] ?? 0) ^ by;
        let ours: Uint8Array;
        try {
          ours = unzstd(damaged, limit);
        } catch (error) {
          expect(error).toEqual(badCode);
          return;
        }
        expect(equalBytes(zlib.zstdDecompressSync(damaged), ours)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
  test('a truncated frame is BadCode', () => {
    const frame = pack(varied(2000), { level: 5, checksum: true, windowLog: 15 });
    for (let end = 1; end < frame.length; end++)
      expect(() => unzstd(frame.subarray(0, end), limit)).toThrow(badCode);
  });
  test('a wrong checksum is BadCode', () => {
    const frame = pack(varied(5000), { level: 5, checksum: true, windowLog: 15 });
    frame[frame.length - 1] = (frame[frame.length - 1] as number) ^ 1;
    expect(() => unzstd(frame, limit)).toThrow(badCode);
  });
});
