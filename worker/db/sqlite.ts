import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { NodeError } from '../../src/protocol/errors.ts';
import { compareBytes } from '../bytes/bytes.ts';
import {
  type Batch,
  checkBatch,
  checkStore,
  closedError,
  type Database,
  isEmptyRange,
  needsStrict,
  type Range,
} from './database.ts';
import { migrateOrClose } from './migrate.ts';
import { type StoreName, storeNames } from './stores.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_FULL = 13;

/** Turns what node:sqlite throws into the node's codes (SQLite's primary result code is the low byte). */
const toNodeError = (cause: unknown): NodeError => {
  if (cause instanceof NodeError) return cause;
  const code = (cause as { errcode?: number }).errcode ?? 0;
  const primary = code & 0xff;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (primary === SQLITE_FULL) return new NodeError('StorageQuota', 'The disk is full', { cause });
  if (primary === SQLITE_BUSY || primary === SQLITE_LOCKED)
    return new NodeError('ChainInUse', undefined, { cause });
  return new NodeError('StorageBroken', `SQLite: ${message}`, { cause, details: { errcode: code } });
};

type Statements = {
  readonly get: StatementSync;
  readonly put: StatementSync;
  readonly remove: StatementSync;
};

/**
 * Exclusive locking keeps a second process out (`ChainInUse`) and spares the shared-memory file. WAL with
 * `synchronous=NORMAL` never tears a transaction; only a strict batch waits for the disk.
 */
const openFile = (path: string): DatabaseSync => {
  let file: DatabaseSync | null = null;
  try {
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec(
      'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16384;',
    );
    file.exec('BEGIN IMMEDIATE');
    for (const name of storeNames) {
      file.exec(
        `CREATE TABLE IF NOT EXISTS "${name}" (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID`,
      );
    }
    file.exec('COMMIT');
    return file;
  } catch (cause) {
    file?.close();
    throw toNodeError(cause);
  }
};

const prepare = (file: DatabaseSync, name: StoreName): Statements => ({
  get: file.prepare(`SELECT value FROM "${name}" WHERE key = ?`),
  put: file.prepare(
    `INSERT INTO "${name}" (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  ),
  remove: file.prepare(`DELETE FROM "${name}" WHERE key = ?`),
});

const readRange = (file: DatabaseSync, name: StoreName, range: Range): [Uint8Array, Uint8Array][] => {
  if (isEmptyRange(range, compareBytes)) return [];
  const bounds: Uint8Array[] = [];
  const where: string[] = [];
  if (range.from !== undefined) {
    where.push('key >= ?');
    bounds.push(range.from);
  }
  if (range.to !== undefined) {
    where.push('key < ?');
    bounds.push(range.to);
  }
  const sql =
    `SELECT key, value FROM "${name}" ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''} ` +
    `ORDER BY key ${range.reverse === true ? 'DESC' : 'ASC'} LIMIT ?`;
  const rows = file.prepare(sql).all(...bounds, range.limit ?? -1) as {
    key: Uint8Array;
    value: Uint8Array;
  }[];
  return rows.map(({ key, value }) => [key, value]);
};

const writeBatch = (file: DatabaseSync, statements: (name: StoreName) => Statements, batch: Batch): void => {
  const strict = needsStrict(batch);
  // SQLite allows the switch only outside a transaction.
  if (strict) file.exec('PRAGMA synchronous=FULL');
  try {
    file.exec('BEGIN IMMEDIATE');
    try {
      for (const [name, key] of batch.deletes) statements(name).remove.run(key);
      for (const [name, key, value] of batch.puts) statements(name).put.run(key, value);
      file.exec('COMMIT');
    } catch (cause) {
      // A full disk has rolled back already.
      if (file.isTransaction) file.exec('ROLLBACK');
      throw cause;
    }
  } finally {
    if (strict) file.exec('PRAGMA synchronous=NORMAL');
  }
};

/** Opens (and creates, and migrates) a chain's database file. `:memory:` works too. Throws `ChainInUse`, `StorageBroken`. */
export const openSqliteDatabase = async (path: string): Promise<Database> => {
  const file = openFile(path);
  let open = true;
  const prepared = new Map<StoreName, Statements>();
  const statements = (name: StoreName): Statements => {
    if (!open) throw closedError();
    checkStore(name);
    let found = prepared.get(name);
    if (found === undefined) {
      found = prepare(file, name);
      prepared.set(name, found);
    }
    return found;
  };
  const guarded = <T>(action: () => T): T => {
    if (!open) throw closedError();
    try {
      return action();
    } catch (cause) {
      throw toNodeError(cause);
    }
  };
  const getSync = (name: StoreName, key: Uint8Array): Uint8Array | null =>
    guarded(() => (statements(name).get.get(key) as { value: Uint8Array } | undefined)?.value ?? null);
  const database: Database = {
    get: async (name, key) => getSync(name, key),
    getMany: async (name, keys) => keys.map((key) => getSync(name, key)),
    getSync,
    range: async (name, range = {}) =>
      guarded(() => {
        checkStore(name);
        return readRange(file, name, range);
      }),
    write: async (batch) =>
      guarded(() => {
        checkBatch(batch);
        writeBatch(file, statements, batch);
      }),
    sizeBytes: async () =>
      guarded(() => {
        const pragma = (name: string) =>
          Object.values(file.prepare(`PRAGMA ${name}`).get() ?? {})[0] as number;
        return pragma('page_count') * pragma('page_size');
      }),
    close: async () => {
      if (!open) return;
      open = false;
      prepared.clear();
      file.close();
    },
  };
  return migrateOrClose(database);
};
