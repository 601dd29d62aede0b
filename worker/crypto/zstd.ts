import { NodeError } from '../../src/protocol/errors.ts';
import { createCore } from './core.ts';

export type Zstd = {
  /**
   * The content of zstd frames (RFC 8878, checksums included). Throws `BadCode` if they are damaged or exceed
   * the limit.
   */
  unzstd(frames: Uint8Array, limitBytes: number): Uint8Array;
};

/** A separate instance for each call, because memory that has grown never shrinks. */
export const createZstd = (wasm: WebAssembly.Module): Zstd => ({
  unzstd: (frames, limitBytes) => {
    const core = createCore(wasm);
    const outcome = core.calls.unzstd(core.put(frames), limitBytes);
    if (outcome === 0) throw new NodeError('BadCode', 'The compressed data is damaged');
    if (outcome === 2)
      throw new NodeError('BadCode', `The compressed data holds more than ${limitBytes} bytes`);
    const answer = new DataView(core.read(8).buffer);
    const bytes = new Uint8Array(core.calls.memory.buffer);
    const start = answer.getUint32(0, true);
    return bytes.slice(start, start + answer.getUint32(4, true));
  },
});
