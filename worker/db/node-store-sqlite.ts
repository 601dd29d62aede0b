import { DatabaseSync } from 'node:sqlite';
import { NodeError } from '../../src/protocol/errors.ts';
import { prepareDatabaseFile } from './files.ts';
import type { NodeStoreEngine, UsedRecord } from './node-store.ts';

/** Marks the file as a store of nodes: `tabn`, in SQLite's header. */
const applicationId = 0x7461626e;
const version = 1;
/** How long a call waits for the write of another process. It holds up the thread of the node. */
const busyMs = 50;
/** The same while it is opened, when another process may create it. */
const openMs = 1000;
/** Between two attempts to open it. */
const retryMs = 5;

const unusable = (path: string, why: string, cause?: unknown, isOurs = false): NodeError =>
  new NodeError(
    'StorageBroken',
    `The store of nodes ${path} is not used: ${why}. Forks work without it, and read more from their endpoints.${
      isOurs ? '' : ' Delete the file to begin a new one.'
    }`,
    { cause },
  );

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** SQLite's primary result code is the low byte. */
const primaryOf = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

const isDamage = (error: unknown): boolean => [SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryOf(error));

const pragma = (file: DatabaseSync, name: string): unknown =>
  Object.values(file.prepare(`PRAGMA ${name}`).get() ?? {})[0];

const hasTables = (file: DatabaseSync): boolean =>
  file.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;

/** Changes nothing in a file that is not a store of nodes. Throws `StorageBroken`. */
const checkFile = (file: DatabaseSync, path: string): void => {
  if (!hasTables(file)) return;
  if (pragma(file, 'application_id') !== applicationId)
    throw unusable(path, 'another program created this file');
  if (pragma(file, 'user_version') !== version)
    throw unusable(path, 'another version of this program created it');
};

const createTables = (file: DatabaseSync): void => {
  file.exec('BEGIN IMMEDIATE');
  // Another process may have created them meanwhile.
  if (!hasTables(file))
    file.exec(
      `PRAGMA application_id = ${applicationId};
       PRAGMA user_version = ${version};
       CREATE TABLE records (key BLOB PRIMARY KEY NOT NULL, used INTEGER NOT NULL, value BLOB NOT NULL);
       CREATE INDEX by_use ON records (used);
       CREATE TABLE totals (bytes INTEGER NOT NULL);
       INSERT INTO totals VALUES (0);`,
    );
  file.exec('COMMIT');
};

/** Unlike the file of a chain, it is not locked: write-ahead logging lets several processes read while one writes. */
const openOnce = (path: string): DatabaseSync => {
  let file: DatabaseSync | null = null;
  try {
    prepareDatabaseFile(path);
    file = new DatabaseSync(path, { timeout: openMs });
    checkFile(file, path);
    file.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-4096;');
    if (!hasTables(file)) createTables(file);
    file.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return file;
  } catch (cause) {
    file?.close();
    throw cause;
  }
};

/**
 * SQLite does not wait for a process that switches the new file to write-ahead logging, or that closes the file as the last
 * one: both take a moment.
 */
const openFile = (path: string): DatabaseSync => {
  const lastMs = Date.now() + openMs;
  for (;;) {
    try {
      return openOnce(path);
    } catch (cause) {
      if (cause instanceof NodeError) throw cause;
      if (primaryOf(cause) !== SQLITE_BUSY || Date.now() > lastMs)
        throw unusable(path, (cause as Error).message, cause, !isDamage(cause));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
};

const prepare = (file: DatabaseSync) => ({
  read: file.prepare('SELECT used, value FROM records WHERE key = ?'),
  size: file.prepare('SELECT length(value) AS size FROM records WHERE key = ?'),
  put: file.prepare(
    'INSERT INTO records (key, used, value) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET used = excluded.used, value = excluded.value',
  ),
  use: file.prepare('UPDATE records SET used = ? WHERE key = ?'),
  oldest: file.prepare('SELECT rowid, length(value) AS size FROM records ORDER BY used LIMIT ?'),
  remove: file.prepare('DELETE FROM records WHERE rowid = ?'),
  count: file.prepare('UPDATE totals SET bytes = bytes + ? RETURNING bytes'),
});

const toRecord = (row: Record<string, unknown> | undefined): UsedRecord | null =>
  row !== undefined && row['value'] instanceof Uint8Array
    ? { value: row['value'], usedAt: Number(row['used']) }
    : null;

/** Opens or creates the file. Throws `StorageBroken`. */
export const openSqliteNodeStore = (path: string): NodeStoreEngine => {
  const file = openFile(path);
  const { read, size, put, use, oldest, remove, count } = prepare(file);
  /** An error that says which file it is of. */
  const named = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw unusable(path, (cause as Error).message, cause, !isDamage(cause));
    }
  };
  /** Runs the work, which returns by how many bytes the records grow. */
  const write = (work: () => number): number =>
    named(() => {
      file.exec('BEGIN IMMEDIATE');
      try {
        const total = Number(count.get(work())?.['bytes']);
        file.exec('COMMIT');
        return total;
      } catch (error) {
        if (file.isTransaction) file.exec('ROLLBACK');
        throw error;
      }
    });
  return {
    read: async (keys) => named(() => keys.map((key) => toRecord(read.get(key)))),
    write: async ({ puts, used, usedAt }) =>
      write(() => {
        let growth = 0;
        for (const key of used) use.run(usedAt, key);
        for (const { key, value, replaces } of puts) {
          const before = size.get(key)?.['size'];
          if (before !== undefined && !replaces) use.run(usedAt, key);
          else {
            put.run(key, usedAt, value);
            growth += value.length - Number(before ?? 0);
          }
        }
        return growth;
      }),
    removeOldest: async (most, bytes) =>
      write(() => {
        let removed = 0;
        for (const row of oldest.all(most)) {
          if (removed >= bytes) break;
          remove.run(Number(row['rowid']));
          removed += Number(row['size']);
        }
        return -removed;
      }),
    close: async () => file.close(),
  };
};
