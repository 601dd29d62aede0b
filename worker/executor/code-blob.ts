import { NodeError } from '../../src/protocol/errors.ts';

/** Maximum size of a decompressed runtime (sp-maybe-compressed-blob). */
export const codeLimitBytes = 50 * 1024 * 1024;

const wasmMagic = [0x00, 0x61, 0x73, 0x6d];
const blobMagic = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e];
/** 05 is the original code, 07 the one that RFC-135 adds for Wasm. */
const wasmBlobKinds = [0x05, 0x07];

const begins = (code: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, at) => code[at] === byte);

/**
 * Decompresses zstd frames. Throws `BadCode` or any foreign error if they are damaged or exceed the byte limit; a
 * `NodeError` with another code says that the machine could not.
 */
export type Unzstd = (frames: Uint8Array, limitBytes: number) => Uint8Array;

/**
 * The Wasm module inside a `:code` value, raw or zstd-compressed. Throws `BadCode`, and any other `NodeError` of
 * `unzstd`.
 */
export const unpackCode = (code: Uint8Array, unzstd: Unzstd): Uint8Array => {
  if (begins(code, wasmMagic)) {
    if (code.length > codeLimitBytes) throw new NodeError('BadCode', 'The runtime code has more than 50 MiB');
    return code;
  }
  if (begins(code, [0x50, 0x56, 0x4d, 0x00]))
    throw new NodeError('BadCode', 'PolkaVM runtimes are not supported');
  if (!begins(code, blobMagic) || !wasmBlobKinds.includes(code[7] as number)) {
    throw new NodeError('BadCode', 'The code is neither a WebAssembly module nor a compressed one');
  }
  let out: Uint8Array;
  try {
    out = unzstd(code.subarray(8), codeLimitBytes);
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
