import { Decompress, decompress } from 'fzstd';
import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes } from '../bytes/bytes.ts';

/** What an unpacked runtime may weigh (sp-maybe-compressed-blob, HOST.md §2.3). */
export const codeLimitBytes = 50 * 1024 * 1024;

const wasmMagic = [0x00, 0x61, 0x73, 0x6d];
const blobMagic = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e];
/** 05 is the form of always, 07 the one RFC-135 adds for Wasm. */
const wasmBlobKinds = [0x05, 0x07];

const begins = (code: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, at) => code[at] === byte);
const tooLarge = (): NodeError => new NodeError('BadCode', 'The runtime code unpacks to more than 50 MiB');

/** The content size a zstd frame header announces (RFC 8878 §3.1.1.1), or null. */
const announcedSize = (frame: Uint8Array): number | null => {
  const descriptor = frame[4] as number;
  const single = (descriptor & 32) !== 0;
  const flag = descriptor >> 6;
  if (flag === 0 && !single) return null;
  const at = 5 + (single ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number);
  const width = 1 << flag;
  let size = 0;
  for (let i = width - 1; i >= 0; i--) size = size * 256 + (frame[at + i] ?? 0);
  return flag === 1 ? size + 256 : size;
};

/** Unpacks piece by piece, so that a frame of unknown size cannot fill the memory. */
const unpackBounded = (frame: Uint8Array): Uint8Array => {
  const parts: Uint8Array[] = [];
  let total = 0;
  const stream = new Decompress((chunk) => {
    total += chunk.length;
    if (total > codeLimitBytes) throw tooLarge();
    parts.push(chunk.slice());
  });
  const step = 1 << 16;
  for (let at = 0; at < frame.length; at += step)
    stream.push(frame.subarray(at, at + step), at + step >= frame.length);
  return concatBytes(...parts);
};

/**
 * Unpacks a whole zstd frame; throws what it likes when the frame is damaged. The size it announces has been found to be
 * within `codeLimitBytes`.
 */
export type Unzstd = (frame: Uint8Array) => Uint8Array;

const unpack = (frame: Uint8Array, unzstd: Unzstd): Uint8Array => {
  const announced = announcedSize(frame);
  if (announced === null) return unpackBounded(frame);
  if (announced > codeLimitBytes) throw tooLarge();
  const out = unzstd(frame);
  if (out.length > codeLimitBytes) throw tooLarge();
  return out;
};

/** The Wasm module inside a `:code` value, raw or zstd-packed (HOST.md §2.3). Throws `BadCode`. */
export const unpackCode = (code: Uint8Array, unzstd: Unzstd = decompress): Uint8Array => {
  if (begins(code, wasmMagic)) {
    if (code.length > codeLimitBytes) throw tooLarge();
    return code;
  }
  if (begins(code, [0x50, 0x56, 0x4d, 0x00]))
    throw new NodeError('BadCode', 'PolkaVM runtimes are not supported');
  if (!begins(code, blobMagic) || !wasmBlobKinds.includes(code[7] as number)) {
    throw new NodeError('BadCode', 'The code is neither a WebAssembly module nor a compressed one');
  }
  let out: Uint8Array;
  try {
    out = unpack(code.subarray(8), unzstd);
  } catch (cause) {
    if (cause instanceof NodeError) throw cause;
    throw new NodeError('BadCode', 'The compressed runtime code is damaged', { cause });
  }
  if (!begins(out, wasmMagic))
    throw new NodeError('BadCode', 'The compressed code is not a WebAssembly module');
  return out;
};
