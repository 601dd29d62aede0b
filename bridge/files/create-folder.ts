import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeSecretFolder } from '../../worker/db/files.ts';

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;

/** Whether the folder is missing because the one above it is. */
const lacksParent = async (folder: string, error: unknown): Promise<boolean> =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' && !(await isFolder(dirname(folder)));

/**
 * Creates a folder and those above it, which only this user can enter. Rejects with the error of the first that cannot be created. The
 * `recursive` option of `mkdir` never returns where the system reports such a folder as missing, as in /proc.
 */
export const createFolder = async (folder: string): Promise<void> => {
  try {
    makeSecretFolder(folder);
  } catch (error) {
    if (await isFolder(folder)) return;
    if (!(await lacksParent(folder, error))) throw error;
    await createFolder(dirname(folder));
    await createFolder(folder);
  }
};
