import { NodeError } from '../../src/protocol/errors.ts';
import type { Core } from './core.ts';

export type Zstd = {
  /**
   * The content of zstd frames (RFC 8878, checksums included). Throws `BadCode` if they are damaged or exceed
   * the limit, and `LimitReached` without memory to unpack them.
   */
  unzstd(frames: Uint8Array, limitBytes: number): Uint8Array;
};

/** The engine refuses the instance or more memory (RangeError), or the core cannot grow it (a trap). */
const withMemory = <T>(run: () => T): T => {
  try {
    return run();
  } catch (cause) {
    throw new NodeError('LimitReached', 'The engine has no memory left to decompress the runtime code', {
      cause,
    });
  }
};

/** What it unpacks is patched next, in the same instance. */
export const createZstd = (takeCore: (isKept: boolean) => Core): Zstd => ({
  unzstd: (frames, limitBytes) => {
    const [core, outcome] = withMemory(() => {
      const spare = takeCore(true);
      return [spare, spare.calls.unzstd(spare.put(frames), limitBytes)] as const;
    });
    if (outcome === 0) throw new NodeError('BadCode', 'The compressed data is damaged');
    if (outcome === 2)
      throw new NodeError('BadCode', `The compressed data holds more than ${limitBytes} bytes`);
    const answer = new DataView(core.read(8).buffer);
    const bytes = new Uint8Array(core.calls.memory.buffer);
    const start = answer.getUint32(0, true);
    return bytes.slice(start, start + answer.getUint32(4, true));
  },
});
