import { NodeError } from '../../src/protocol/errors.ts';

/** Maximum size of a decompressed runtime (sp-maybe-compressed-blob). */
export const codeLimitBytes = 50 * 1024 * 1024;

const wasmMagic = [0x00, 0x61, 0x73, 0x6d];
/** The SDK of September 2026 knows no other kind of blob (RFC-135 has more). */
const blobMagic = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e, 0x05];

const begins = (code: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, at) => code[at] === byte);

/** Decompresses zstd frames. Throws any error if they are damaged or hold more than the byte limit. */
export type Unzstd = (frames: Uint8Array, limitBytes: number) => Uint8Array;

/** From this size on, libzstd streams a frame wherever it runs, so what it accepts is the same everywhere. */
const streamedBytes = 1024 * 1024;

/**
 * Whether this is one whole zstd frame (RFC 8878 §3.1.1) of unknown or large size, as packed runtimes are. Of
 * smaller ones, libzstd accepts more or less depending on the buffers it is given, and what follows a frame is
 * up to its caller. Those are left to the crypto core, which judges as the SDK does.
 */
const isPlainFrame = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 16 || view.getUint32(0, true) !== 0xfd2fb528) return false;
  const descriptor = view.getUint8(4);
  // Neither a dictionary nor reserved bits.
  if ((descriptor & 11) !== 0) return false;
  const hasWindow = (descriptor & 32) === 0;
  const size = hasWindow ? 6 : 5;
  const isUnknown = hasWindow && descriptor >> 6 === 0;
  if (!isUnknown && (descriptor >> 6 !== 2 || view.getUint32(size, true) < streamedBytes)) return false;
  let at = isUnknown ? size : size + 4;
  for (let isLast = false; !isLast; ) {
    if (at + 3 > bytes.length) return false;
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) === 1;
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3);
  }
  return at + (descriptor & 4) === bytes.length;
};

/** The platform's decoder serves only where its verdict is that of the core. */
const unpackFrames = (frames: Uint8Array, core: Unzstd, platform: Unzstd | undefined): Uint8Array => {
  if (platform === undefined || !isPlainFrame(frames)) return core(frames, codeLimitBytes);
  return platform(frames, codeLimitBytes);
};

/**
 * The Wasm module inside a `:code` value, raw or zstd-compressed, by the SDK's rule
 * (sc-executor-common `RuntimeBlob::uncompress_if_needed`). Throws `BadCode`, and any other `NodeError` of the
 * decoders, such as `LimitReached` without memory.
 */
export const unpackCode = (code: Uint8Array, core: Unzstd, platform?: Unzstd): Uint8Array => {
  if (begins(code, wasmMagic)) return code;
  if (begins(code, [0x50, 0x56, 0x4d, 0x00]))
    throw new NodeError('BadCode', 'PolkaVM runtimes are not supported');
  if (!begins(code, blobMagic))
    throw new NodeError('BadCode', 'The code is neither a WebAssembly module nor a compressed one');
  let out: Uint8Array;
  try {
    out = unpackFrames(code.subarray(blobMagic.length), core, platform);
  } catch (cause) {
    if (cause instanceof NodeError && cause.code !== 'BadCode') throw cause;
    throw new NodeError('BadCode', 'The compressed runtime code is damaged or unpacks to more than 50 MiB', {
      cause,
    });
  }
  if (!begins(out, wasmMagic))
    throw new NodeError('BadCode', 'The compressed code is not a WebAssembly module');
  return out;
};
