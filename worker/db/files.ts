/**
 * The only module that writes files or creates folders (`bridge/files/file-writers.test.ts`), so that each has a mode
 * that was decided. Files with secrets, such as keys and the database of a chain, can be read by their owner only.
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NodeError } from '../../src/protocol/errors.ts';

const secretFile = 0o600;
const secretFolder = 0o700;
const ofOwner = 0o700;
const ofOthers = 0o077;
/** Windows has no modes; a folder of the user's data is closed to others there by its location. */
const hasModes = process.platform !== 'win32';

const lookAt = (look: (path: string) => Stats, path: string): Stats | null => {
  try {
    return look(path);
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null;
    throw cause;
  }
};

const targetOf = (path: string): Stats | null => {
  try {
    return statSync(path);
  } catch {
    return null;
  }
};

/**
 * A symbolic link is followed only if it and its target belong to this user: another user's link would make
 * this node write its secrets, or over a file of its user, at a place that the other one has chosen. Throws
 * `BadConfig`.
 */
export const refuseForeignLink = (path: string): void => {
  const found = lookAt(lstatSync, path);
  if (found === null || !found.isSymbolicLink()) return;
  const refuse = (why: string): never => {
    throw new NodeError('BadConfig', `${path} is a symbolic link (to ${readlinkSync(path)}) that ${why}`);
  };
  const target = targetOf(path);
  if (target === null) refuse('leads nowhere');
  const own = process.getuid?.();
  if (own === undefined) return;
  if (found.uid !== own) refuse('belongs to another user');
  if (target?.uid !== own) refuse('leads to a file of another user');
};

/**
 * Closes a path to other users; what its owner may do stays. Returns whether it was open to them. Throws if it belongs to
 * somebody else.
 */
const closeToOthers = (path: string): boolean => {
  const found = hasModes ? lookAt(statSync, path) : null;
  if (found === null || (found.mode & ofOthers) === 0) return false;
  chmodSync(path, found.mode & ofOwner);
  return true;
};

/** Creates a folder that only this user can enter. Throws the system's error. */
export const makeSecretFolder = (path: string): void => {
  mkdirSync(path, { mode: secretFolder });
};

/** Opens a file with secrets, which is created if the flag says so. Throws `BadConfig` for a foreign link. */
export const openSecretFile = (path: string, flag: 'a' | 'r+' | 'w' | 'wx'): number => {
  refuseForeignLink(path);
  const file = openSync(path, flag, secretFile);
  try {
    // The mode above applies to a new file only.
    if (hasModes) fchmodSync(file, fstatSync(file).mode & ofOwner);
  } catch (cause) {
    // Another user's file, which root's group, for example, may write.
    if ((cause as NodeJS.ErrnoException).code !== 'EPERM') {
      closeSync(file);
      throw cause;
    }
  }
  return file;
};

/** Writes a file with secrets. `wx`: throws `EEXIST` if there is one. */
export const writeSecretFile = (path: string, data: string | Uint8Array, flag: 'w' | 'wx'): void => {
  const file = openSecretFile(path, flag);
  try {
    writeFileSync(file, data);
  } finally {
    closeSync(file);
  }
};

/** Closes a file to other users. Returns whether it was open to them. */
export const closeSecretFile = (path: string): boolean => {
  try {
    return closeToOthers(path);
  } catch {
    return false;
  }
};

/** SQLite gives the files beside a database (`-wal`, `-journal`) its mode, so it is created here first. */
export const prepareDatabaseFile = (path: string): void => {
  if (path !== ':memory:') closeSync(openSecretFile(path, 'a'));
};

export const copySecretFile = (from: string, to: string): void => {
  closeSync(openSecretFile(to, 'w'));
  copyFileSync(from, to);
};

/** Opens a file without secrets that the user named, such as an export. It gets the user's usual mode. */
export const openOutputFile = (path: string, flag: 'w' | 'wx'): Promise<FileHandle> => open(path, flag);

/** Whether something in a folder was open to others, and what this user may not change. */
export type Closed = { readonly wasOpen: boolean; readonly cannotClose: string | null };

/**
 * Closes a folder of this node and all that is in it to other users; earlier versions left them open. Throws
 * `BadConfig` for a foreign link.
 */
export const closeFolder = (folder: string): Closed => {
  let wasOpen = false;
  let cannotClose: string | null = null;
  const close = (path: string): void => {
    try {
      if (closeToOthers(path)) wasOpen = true;
    } catch {
      cannotClose ??= path;
    }
  };
  const visit = (path: string): void => {
    close(path);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isSymbolicLink()) refuseForeignLink(inner);
      if (entry.isDirectory()) visit(inner);
      else if (entry.isFile()) close(inner);
    }
  };
  refuseForeignLink(dirname(folder));
  refuseForeignLink(folder);
  if (targetOf(folder)?.isDirectory() === true) visit(folder);
  return { wasOpen, cannotClose };
};
