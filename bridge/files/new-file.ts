import { rmSync } from 'node:fs';
import { access, type FileHandle, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NodeError } from '../../src/protocol/errors.ts';
import { makeSecretFolder, openOutputFile } from '../../worker/db/files.ts';

/** A file that is written next to its destination and moved there once it is complete. */
export type NewFile = {
  write(data: string | Uint8Array): Promise<void>;
  /** Overwrites the first bytes. Only before `keep`, and not on a device. */
  rewriteStart(data: Uint8Array): Promise<void>;
  /** Moves the file to its destination. */
  keep(): Promise<void>;
  /** Keeps the incomplete file under a name that marks it as partial, and returns that name. */
  keepPartial(): Promise<string>;
  /** Removes the file unless it was kept. */
  close(): Promise<void>;
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** `shown` is the path as the user gave it. */
const openToWrite = async (path: string, flag: 'w' | 'wx', shown = path): Promise<FileHandle> => {
  try {
    return await openOutputFile(path, flag);
  } catch (cause) {
    const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const why = isAbsent ? ': its folder does not exist' : '';
    throw new NodeError('BadConfig', `${shown} cannot be written${why}`, { cause });
  }
};

/** Throws `StorageQuota` if the disk is full, `StorageBroken` for all other errors. */
const writing = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new NodeError('StorageQuota', `${path} cannot be written: the disk is full`, { cause });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NodeError('StorageBroken', `${path} cannot be written: ${why}`, { cause });
  }
};

/** Writes directly to a path that is not a regular file, such as /dev/stdout. */
const openDevice = async (path: string): Promise<NewFile> => {
  const handle = await openToWrite(path, 'w');
  return {
    write: (data) => writing(path, () => handle.writeFile(data)),
    rewriteStart: async () => undefined,
    keep: async () => undefined,
    keepPartial: async () => path,
    close: () => handle.close(),
  };
};

/** Standard output, for commands without a file argument. Throws `Aborted` once its reader has closed it. */
export const openStdout = (): NewFile => {
  const { stdout } = process;
  // The error is also passed to the callback of the write.
  stdout.on('error', () => undefined);
  return {
    write: (data) =>
      new Promise((resolve, reject) => {
        stdout.write(data, (cause) => {
          if (cause == null) resolve();
          else reject(new NodeError('Aborted', 'Standard output is closed', { cause }));
        });
      }),
    rewriteStart: async () => undefined,
    keep: async () => undefined,
    keepPartial: async () => 'The output',
    close: async () => undefined,
  };
};

const freeName = async (path: string): Promise<string> => {
  let count = 1;
  while (await isThere(`${path}.partial-${count}`)) count += 1;
  return `${path}.partial-${count}`;
};

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Removes an incomplete file if a signal ends the process, unless another listener ends it in an order of its own. Returns
 * the function that stops this.
 */
const removeAtSignal = (part: string): (() => void) => {
  const onSignal = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    rmSync(part, { force: true });
    stop();
    process.kill(process.pid, signal);
  };
  const stop = (): void => {
    for (const signal of endings) process.off(signal, onSignal);
  };
  // First, while those that listen once are counted.
  for (const signal of endings) process.prependListener(signal, onSignal);
  return stop;
};

/** Throws `BadConfig` if the file cannot be written, or if it exists and may not be replaced. */
export const openNewFile = async (path: string, mayReplace: boolean): Promise<NewFile> => {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile()) return openDevice(path);
  if (found !== null && !mayReplace)
    throw new NodeError('BadConfig', `${path} exists: pass --yes to replace it`);
  // A symbolic link is kept and its target replaced.
  const target = found === null ? path : await realpath(path);
  const part = `${target}.${process.pid}.part`;
  const handle = await openToWrite(part, 'wx', path);
  const stopWatching = removeAtSignal(part);
  const put = (place: string): Promise<void> =>
    writing(place, async () => {
      await handle.sync();
      await rename(part, place);
    });
  return {
    write: (data) => writing(path, () => handle.writeFile(data)),
    rewriteStart: (data) => writing(path, async () => void (await handle.write(data, 0, data.length, 0))),
    keep: () => put(target),
    keepPartial: async () => {
      const name = await freeName(target);
      await put(name);
      return name;
    },
    close: async () => {
      await handle.close();
      await rm(part, { force: true });
      stopWatching();
    },
  };
};

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;

/** Creates a folder, unless another process just has. */
const createIn = async (folder: string): Promise<void> => {
  try {
    makeSecretFolder(folder);
  } catch (error) {
    if (!(await isFolder(folder))) throw error;
  }
};

/**
 * Creates a folder and those above it, which only this user can enter. Rejects with the error of the first that cannot be created. The
 * `recursive` option of `mkdir` never returns where the system reports such a folder as missing, as in /proc.
 */
export const createFolder = async (folder: string): Promise<void> => {
  try {
    makeSecretFolder(folder);
  } catch (error) {
    if (await isFolder(folder)) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // It was missing because the one above it is, or was until another process created that one a moment ago.
    if (!(await isFolder(dirname(folder)))) await createFolder(dirname(folder));
    await createIn(folder);
  }
};
