import { createReadStream } from 'node:fs';
import { concatBytes } from '../../worker/bytes/bytes.ts';

const mebibyte = 1024 * 1024;

/** A runtime is the largest file of text or code; those of public chains have about 2 MB. */
export const mostFileBytes = 64 * mebibyte;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};

/** Why something cannot be read, in a few words. */
export const whyUnread = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
};

/** Joins parts up to a limit in bytes: a device, a pipe or a server may never end. Throws an `Error` in words. */
export const readLimited = async (parts: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> => {
  const found: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    size += part.length;
    if (size > most) throw new Error(`it has more than ${most / mebibyte} MiB`);
    found.push(part);
  }
  return concatBytes(...found);
};

/** The bytes of a file. Rejects with an error that `whyUnread` explains. */
export const readFileBytes = (path: string, most = mostFileBytes): Promise<Uint8Array> =>
  readLimited(createReadStream(path, { highWaterMark: mebibyte }), most);
