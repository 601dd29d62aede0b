import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { NodeError } from '../../src/protocol/errors.ts';
import { compareBytes } from '../bytes/bytes.ts';
import type { Engine, StoredBytes } from './checked.ts';
import { damageError } from './damage.ts';
import {
  type Batch,
  checkStore,
  closedError,
  type Database,
  isEmptyRange,
  needsStrict,
  type Range,
} from './database.ts';
import { prepareDatabaseFile } from './files.ts';
import { openChecked } from './migrate.ts';
import { type StoreName, storeNames, stores } from './stores.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** Maps node:sqlite errors to the node's codes (SQLite's primary result code is the low byte). */
const toNodeError = (cause: unknown): NodeError => {
  if (cause instanceof NodeError) return cause;
  const code = (cause as { errcode?: number }).errcode ?? 0;
  const primary = code & 0xff;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (primary === SQLITE_FULL) return new NodeError('StorageQuota', 'The disk is full', { cause });
  if (primary === SQLITE_BUSY || primary === SQLITE_LOCKED)
    return new NodeError('ChainInUse', undefined, { cause });
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB)
    return damageError(`SQLite cannot read its file (${message})`, { errcode: code }, cause);
  return new NodeError('StorageBroken', `SQLite: ${message}`, { cause, details: { errcode: code } });
};

type Statements = {
  readonly get: StatementSync;
  readonly has: StatementSync;
  readonly put: StatementSync;
  readonly remove: StatementSync;
  /** The records next to a key. */
  readonly before: StatementSync;
  readonly after: StatementSync;
};

export const tableSql = (name: StoreName): string =>
  `CREATE TABLE "${name}" (key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID`;

/**
 * Creates the tables of a new file. In an existing file each table must be as it was created, with its own
 * root page: a flipped bit in the schema could otherwise yield an empty table or another store's.
 */
const createTables = (file: DatabaseSync): void => {
  const rows = file.prepare('SELECT name, sql, rootpage FROM sqlite_schema').all();
  const found = new Map(rows.map(({ name, sql }) => [name, sql]));
  const places = new Set(rows.map(({ rootpage }) => rootpage));
  if (places.size < rows.length) throw damageError('two stores lie in one place of its file');
  for (const name of storeNames) {
    const sql = found.get(name);
    // Later stores are added by the upgrade. Those of version 1 exist in every file.
    if (sql === undefined && (rows.length === 0 || stores[name].since > 1)) file.exec(tableSql(name));
    else if (sql !== tableSql(name)) throw damageError(`its file lost the store "${name}"`, { store: name });
  }
};

/**
 * Exclusive locking keeps a second process out (`ChainInUse`) and avoids the shared-memory file. WAL with
 * `synchronous=NORMAL` never tears a transaction; only a strict batch waits for the disk.
 */
const openFile = (path: string): DatabaseSync => {
  let file: DatabaseSync | null = null;
  try {
    prepareDatabaseFile(path);
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec(
      'PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16384;',
    );
    file.exec('BEGIN IMMEDIATE');
    createTables(file);
    file.exec('COMMIT');
    return file;
  } catch (cause) {
    file?.close();
    throw toNodeError(cause);
  }
};

const prepare = (file: DatabaseSync, name: StoreName): Statements => ({
  get: file.prepare(`SELECT value FROM "${name}" WHERE key = ?`),
  has: file.prepare(`SELECT 1 FROM "${name}" WHERE key = ?`),
  put: file.prepare(
    `INSERT INTO "${name}" (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  ),
  remove: file.prepare(`DELETE FROM "${name}" WHERE key = ?`),
  before: file.prepare(`SELECT key, value FROM "${name}" WHERE key < ? ORDER BY key DESC LIMIT 1`),
  after: file.prepare(`SELECT key, value FROM "${name}" WHERE key >= ? ORDER BY key LIMIT 1`),
});

/** A flipped bit can turn bytes into text or a number. */
const asBytes = (name: StoreName, found: unknown): Uint8Array => {
  if (found instanceof Uint8Array) return found;
  throw damageError(`a record of the store "${name}" does not consist of bytes`, { store: name });
};

const toRecord =
  (name: StoreName) =>
  ({ key, value }: Record<string, unknown>): [Uint8Array, Uint8Array] => [
    asBytes(name, key),
    asBytes(name, value),
  ];

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
  return file
    .prepare(sql)
    .all(...bounds, range.limit ?? -1)
    .map(toRecord(name));
};

/** Keys of one statement. */
const mostSome = 256;

/** Half the time of one read for each key. What the file does not return as bytes is left out. */
const createSomeReader = (file: DatabaseSync) => {
  const prepared = new Map<string, StatementSync>();
  const statementFor = (name: StoreName, places: number): StatementSync => {
    const sql = `SELECT value FROM "${name}" WHERE key IN (${Array(places).fill('?')})`;
    let found = prepared.get(sql);
    if (found === undefined) {
      found = file.prepare(sql);
      found.setReturnArrays(true);
      prepared.set(sql, found);
    }
    return found;
  };
  return (name: StoreName, keys: readonly Uint8Array[]): Uint8Array[] => {
    checkStore(name);
    const values: Uint8Array[] = [];
    for (let from = 0; from < keys.length; from += mostSome) {
      const some = keys.slice(from, from + mostSome);
      // A few lengths of lists, so that few statements are compiled.
      const places = Math.max(16, 2 ** Math.ceil(Math.log2(some.length)));
      while (some.length < places) some.push(some[0] as Uint8Array);
      for (const row of statementFor(name, places).all(...some)) {
        const value = (row as unknown as unknown[])[0];
        if (value instanceof Uint8Array) values.push(value);
      }
    }
    return values;
  };
};

/** Throws `StorageBroken` if SQLite finds a store's pages or key order damaged. */
const checkOrder = (file: DatabaseSync, name: StoreName): void => {
  const [first] = file.prepare(`PRAGMA integrity_check("${name}")`).all();
  const verdict = Object.values(first ?? {})[0];
  if (verdict !== 'ok')
    throw damageError(`SQLite finds the store "${name}" out of order`, { store: name, verdict });
};

/** Prepared: compiling the two takes longer than running them. */
const prepareTransaction = (file: DatabaseSync) => ({
  begin: file.prepare('BEGIN IMMEDIATE'),
  commit: file.prepare('COMMIT'),
});

const writeBatch = (
  file: DatabaseSync,
  transaction: ReturnType<typeof prepareTransaction>,
  statements: (name: StoreName) => Statements,
  batch: Batch,
  bytesOf: StoredBytes,
): void => {
  const strict = needsStrict(batch);
  // SQLite allows the switch only outside a transaction.
  if (strict) file.exec('PRAGMA synchronous=FULL');
  try {
    transaction.begin.run();
    try {
      for (const [name, key] of batch.deletes) statements(name).remove.run(key);
      for (const [name, key, value] of batch.puts) statements(name).put.run(key, bytesOf(name, key, value));
      transaction.commit.run();
    } catch (cause) {
      // A full disk has already rolled back.
      if (file.isTransaction) file.exec('ROLLBACK');
      throw cause;
    }
  } finally {
    if (strict) file.exec('PRAGMA synchronous=NORMAL');
  }
};

/** Opens (or creates) the file of a chain. `:memory:` is supported. Throws `ChainInUse`, `StorageBroken`. */
export const openSqliteEngine = (path: string): Engine => {
  const file = openFile(path);
  let open = true;
  const prepared = new Map<StoreName, Statements>();
  const transaction = prepareTransaction(file);
  const readSome = createSomeReader(file);
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
    guarded(() => {
      const row = statements(name).get.get(key);
      return row === undefined ? null : asBytes(name, row['value']);
    });
  /** Stores whose pages and order were verified. Only they can report a record as missing. */
  const whole = new Set<StoreName>();
  const needOrder = (name: StoreName): void => {
    if (whole.has(name)) return;
    checkOrder(file, name);
    whole.add(name);
  };
  return {
    get: async (name, key) => getSync(name, key),
    getMany: async (name, keys) => keys.map((key) => getSync(name, key)),
    hasMany: async (name, keys) =>
      guarded(() => keys.map((key) => statements(name).has.get(key) !== undefined)),
    getSync,
    getSome: (name, keys) => guarded(() => readSome(name, keys)),
    range: async (name, range = {}) =>
      guarded(() => {
        checkStore(name);
        if (range.isCounted !== true) needOrder(name);
        return readRange(file, name, range);
      }),
    beside: (name, key) =>
      guarded(() => {
        needOrder(name);
        const { before, after } = statements(name);
        return [...before.all(key), ...after.all(key)].map(toRecord(name));
      }),
    write: async (batch, bytesOf) =>
      guarded(() => {
        writeBatch(file, transaction, statements, batch, bytesOf);
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
};

/** Opens (or creates, and migrates) a chain's database file. Throws `ChainInUse`, `StorageBroken`. */
export const openSqliteDatabase = async (path: string): Promise<Database> =>
  openChecked(openSqliteEngine(path));
