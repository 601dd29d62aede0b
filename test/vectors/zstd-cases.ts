import { zstdCompressSync } from 'node:zlib';
import { concatBytes } from '../../worker/bytes/bytes.ts';

/** A named runtime blob. */
export type Case = readonly [name: string, blob: Uint8Array];

const prefix = Uint8Array.of(0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05);
const packed = (...frames: Uint8Array[]): Uint8Array => concatBytes(prefix, ...frames);

type Header = {
  readonly window?: number;
  /** The announced content size, and in how many bytes. */
  readonly size?: number | bigint;
  readonly width?: 1 | 2 | 4 | 8;
  readonly single?: boolean;
  readonly flags?: number;
  readonly dictionary?: readonly number[];
};
const littleEndian = (value: bigint, width: number): number[] =>
  Array.from({ length: width }, (_, at) => Number((value >> BigInt(8 * at)) & 255n));
/** A frame of these blocks (RFC 8878 §3.1.1.1). */
const frame = (header: Header, ...blocks: readonly Uint8Array[]): Uint8Array => {
  const { window = 0x50, size = 0, width, single = false, flags = 0, dictionary = [] } = header;
  const sizeFlag = width === undefined ? 0 : { 1: 0, 2: 1, 4: 2, 8: 3 }[width];
  const dictionaryFlag = [0, 1, 2, 2, 3][dictionary.length] as number;
  const descriptor = (sizeFlag << 6) | (single ? 32 : 0) | flags | dictionaryFlag;
  const announced = width === undefined ? [] : littleEndian(BigInt(size) - (width === 2 ? 256n : 0n), width);
  const head = [0x28, 0xb5, 0x2f, 0xfd, descriptor, ...(single ? [] : [window]), ...dictionary, ...announced];
  return concatBytes(Uint8Array.from(head), ...blocks);
};
const block = (kind: number, size: number, body: Uint8Array, isLast: boolean): Uint8Array =>
  concatBytes(Uint8Array.from(littleEndian(BigInt((size << 3) | (kind << 1) | Number(isLast)), 3)), body);
const raw = (body: Uint8Array, isLast = true): Uint8Array => block(0, body.length, body, isLast);
const repeated = (size: number, byte: number, isLast = true): Uint8Array =>
  block(1, size, Uint8Array.of(byte), isLast);
const skippable = (kind: number, ...body: number[]): Uint8Array =>
  Uint8Array.from([0x50 + kind, 0x2a, 0x4d, 0x18, ...littleEndian(BigInt(body.length), 4), ...body]);
const empty = new Uint8Array(0);

/** A custom section that makes a module as long as needed: its size field has three bytes. */
const padding = (size: number): Uint8Array => {
  const head = [0, ...[0, 7, 14].map((shift) => ((size >> shift) & 127) | (shift < 14 ? 128 : 0)), 1, 0x70];
  return concatBytes(Uint8Array.from(head), new Uint8Array(size - 2));
};
const blocksOf = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    raw(bytes.subarray(at * size, (at + 1) * size), (at + 1) * size >= bytes.length),
  );

/** Frames around a module, most of them written by hand. */
export const zstdCases = (module: Uint8Array): readonly Case[] => {
  const size = module.length;
  const plain = frame({}, raw(module));
  const half = size >> 1;
  const halves = [frame({}, raw(module.subarray(0, half))), frame({}, raw(module.subarray(half)))] as const;
  const compressed = new Uint8Array(zstdCompressSync(module));
  const large = concatBytes(module, padding(20_000));
  const largeFrame = (header: Header): Uint8Array => frame(header, ...blocksOf(large, 1024));
  const bomb = (bytes: number): Uint8Array => {
    const blocks: Uint8Array[] = [];
    for (let left = bytes; left > 0; left -= 131_072)
      blocks.push(repeated(Math.min(left, 131_072), 0, left <= 131_072));
    return frame({}, ...blocks);
  };
  const limit = 50 * 1024 * 1024;
  /** The module and a custom section that fill so many bytes. */
  const filled = (total: number): Uint8Array[] => {
    const rest = total - size - 5;
    const head = Uint8Array.from([
      0,
      ...[0, 7, 14, 21].map((shift) => ((rest >> shift) & 127) | (shift < 21 ? 128 : 0)),
      1,
      0x70,
    ]);
    return [frame({}, raw(module, false), raw(head, false), bomb(rest - 2).subarray(6))];
  };
  return [
    ['raw block', packed(plain)],
    ['compressed by libzstd', packed(compressed)],
    ['two frames', packed(...halves)],
    [
      'two frames and a skippable one before, between and after',
      packed(skippable(0, 1), halves[0], skippable(7), halves[1], skippable(15, 1, 2)),
    ],
    ['only a skippable frame', packed(skippable(3, 1, 2, 3))],
    ['a skippable frame that is cut', packed(plain, skippable(1, 1, 2, 3).subarray(0, 9))],
    ['a skippable frame without its size', packed(plain, skippable(1).subarray(0, 6))],
    ['an empty frame before', packed(frame({}, raw(empty)), plain)],
    ['an empty frame after', packed(plain, frame({ single: true, width: 1 }, raw(empty)))],
    ['three bytes of a magic number after', packed(plain, Uint8Array.of(0x28, 0xb5, 0x2f))],
    ['a whole header after', packed(plain, frame({}))],
    ['the magic number of zstd 0.7', packed(Uint8Array.of(0x27, 0xb5, 0x2f, 0xfd), plain.subarray(4))],
    ['the reserved bit', packed(frame({ flags: 8 }, raw(module)))],
    ['the unused bit', packed(frame({ flags: 16 }, raw(module)))],
    ['dictionary 0', packed(frame({ dictionary: [0] }, raw(module)))],
    ['dictionary 0 in four bytes', packed(frame({ dictionary: [0, 0, 0, 0] }, raw(module)))],
    ['dictionary 1', packed(frame({ dictionary: [1] }, raw(module)))],
    ['a reserved kind of block', packed(frame({}, raw(module, false), block(3, 0, empty, true)))],
    ['a repeated byte, then the rest', packed(frame({}, repeated(1, 0, false), raw(module.subarray(1))))],
    ['empty blocks between', packed(frame({}, raw(empty, false), raw(module, false), raw(empty)))],
    ['an empty compressed block', packed(frame({}, raw(module, false), block(2, 0, empty, true)))],
    [
      'a compressed block of one byte',
      packed(frame({}, raw(module, false), block(2, 1, Uint8Array.of(0), true))),
    ],
    ['no last block', packed(frame({}, raw(module, false)))],
    ['a checksum that is not announced', packed(plain, Uint8Array.of(1, 2, 3, 4))],
    ['an announced checksum that is missing', packed(frame({ flags: 4 }, raw(module)))],
    ['a wrong checksum', packed(frame({ flags: 4 }, raw(module)), Uint8Array.of(1, 2, 3, 4))],
    ['the size announced', packed(frame({ width: 4, size }, raw(module)))],
    ['one byte more announced', packed(frame({ width: 4, size: size + 1 }, raw(module)))],
    ['one byte less announced', packed(frame({ width: 4, size: size - 1 }, raw(module)))],
    [
      'more announced, an empty block at the end',
      packed(frame({ width: 4, size: size + 1000 }, raw(module, false), raw(empty))),
    ],
    [
      'a little more announced, an empty block at the end',
      packed(frame({ width: 4, size: size + 1 }, raw(module, false), raw(empty))),
    ],
    ['a size of 2^40 announced', packed(frame({ width: 8, size: 2n ** 40n }, raw(module)))],
    [
      'a size of 2^40 announced, an empty block at the end',
      packed(frame({ width: 8, size: 2n ** 40n }, raw(module, false), raw(empty))),
    ],
    [
      'a single segment',
      packed(frame({ single: true, width: 2, size: 300 }, raw(concatBytes(module, padding(300 - size - 4))))),
    ],
    [
      'a single segment of 100 MiB announced, an empty block at the end',
      packed(frame({ single: true, width: 4, size: 100 << 20 }, raw(module, false), raw(empty))),
    ],
    [
      'a single segment of 200 MiB announced, an empty block at the end',
      packed(frame({ single: true, width: 4, size: 200 << 20 }, raw(module, false), raw(empty))),
    ],
    ['a window of 128 MiB', packed(largeFrame({ window: 0x88 }))],
    ['a window of 144 MiB', packed(largeFrame({ window: 0x89 }))],
    ['a window of 256 MiB, size unknown', packed(frame({ window: 0x90 }, raw(module)))],
    ['a window of 256 MiB, a small size', packed(frame({ window: 0x90, width: 4, size }, raw(module)))],
    [
      'a window of 256 MiB, a size above the first read',
      packed(largeFrame({ window: 0x90, width: 4, size: large.length })),
    ],
    ['a window of 2 GiB, a small size', packed(frame({ window: 0xa8, width: 4, size }, raw(module)))],
    ['a window of 4 GiB, a small size', packed(frame({ window: 0xb0, width: 4, size }, raw(module)))],
    ['blocks larger than the window', packed(frame({ window: 0 }, ...blocksOf(large, 1025)))],
    [
      'a large block after a small window, a small size',
      packed(frame({ window: 0, width: 4, size: size + 2000 }, raw(concatBytes(module, padding(1996))))),
    ],
    ['blocks as large as the window', packed(frame({ window: 0 }, ...blocksOf(large, 1024)))],
    [
      'repeated bytes beyond the window',
      packed(
        frame({ window: 0 }, raw(module, false), raw(padding(2000).subarray(0, 6), false), repeated(1998, 0)),
      ),
    ],
    ['50 MiB', packed(...filled(limit))],
    ['50 MiB and a byte', packed(...filled(limit + 1))],
    ['kind 06', concatBytes(Uint8Array.of(...prefix.subarray(0, 7), 6), plain)],
    ['kind 07', concatBytes(Uint8Array.of(...prefix.subarray(0, 7), 7), plain)],
    ['kind 08', concatBytes(Uint8Array.of(...prefix.subarray(0, 7), 8), plain)],
    ['compressed twice', packed(frame({}, raw(packed(plain))))],
    ['without the prefix', plain],
    ['nothing', empty],
    ['half of the prefix', prefix.subarray(0, 4)],
    ['a PolkaVM program', Uint8Array.of(0x50, 0x56, 0x4d, 0, 1, 0, 0, 0)],
    ...Array.from(
      { length: compressed.length },
      (_, at): Case => [`cut after ${at} bytes`, packed(compressed.subarray(0, at))],
    ),
  ];
};
