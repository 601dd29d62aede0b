import { NodeError } from '../../src/protocol/errors.ts';
import { notice } from '../cli/terminal.ts';
import { openNewFile } from '../files/new-file.ts';
import { readFileBytes, whyUnread } from '../files/read-file.ts';

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** A file for a pack that may not be needed. Throws `BadConfig` before any work if it cannot be written. */
export const openPackFile = async (path: string | null, mayReplace: boolean, json: boolean) => {
  const file = path === null ? null : await openNewFile(path, mayReplace);
  return {
    isWanted: file !== null,
    keep: async (what: string, bytes: Uint8Array | null): Promise<void> => {
      if (file === null || bytes === null) return;
      await file.write(bytes);
      await file.keep();
      notice(`${what} is saved in ${path} (${kilobytes(bytes.length)})`, json);
    },
    close: async () => file?.close(),
  };
};

/** A pack holds what was read of a state, and is held in memory as a whole. */
const mostPackBytes = 1024 * 1024 * 1024;

export const readPack = async (path: string): Promise<Uint8Array> => {
  try {
    return await readFileBytes(path, mostPackBytes);
  } catch (cause) {
    throw new NodeError('BadConfig', `The pack ${path} cannot be read: ${whyUnread(cause)}`, { cause });
  }
};
