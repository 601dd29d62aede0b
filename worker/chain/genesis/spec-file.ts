import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { NodeError } from '../../../src/protocol/errors.ts';
import type { GivenSpec } from './spec.ts';

/** Some file systems tell times apart by two seconds only: a younger file may change without a new time. */
const settledAfterMs = 2500;

/**
 * Changes whenever the file is replaced or written: programs cannot set its time of change, as they can that of modification. Null
 * if the file is too young.
 */
const readStamp = async (path: string): Promise<string | null> => {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  const ageMs = Date.now() - Number(ctimeNs / 1_000_000n);
  return ageMs < settledAfterMs ? null : [dev, ino, size, mtimeNs, ctimeNs].join(' ');
};

const reported = async <T>(path: string, reading: () => Promise<T>): Promise<T> => {
  try {
    return await reading();
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? cause;
    throw new NodeError('BadSpec', `The chain specification ${path} cannot be read: ${why}`, { cause });
  }
};

/** Without a byte order mark, and with replacement characters for what is not UTF-8, as a text. */
const toText = (bytes: Uint8Array): Uint8Array => {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = hasMark ? bytes.subarray(3) : bytes;
  return isUtf8(text) ? text : new TextEncoder().encode(new TextDecoder().decode(text));
};

/** Opens the file of a specification. Throws `BadSpec`. */
export const openSpecFile = async (path: string): Promise<GivenSpec> => ({
  stamp: await reported(path, () => readStamp(path)),
  read: () =>
    reported(path, async () => {
      const { buffer, byteOffset, length } = await readFile(path);
      return toText(new Uint8Array(buffer, byteOffset, length));
    }),
});
