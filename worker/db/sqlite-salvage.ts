import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes } from '../bytes/bytes.ts';
import { type Engine, openRecord } from './checked.ts';
import type { Batch } from './database.ts';
import { copySecretFile, openSecretFile, prepareDatabaseFile } from './files.ts';
import type { Salvage } from './salvage.ts';
import { openSqliteEngine, tableSql } from './sqlite.ts';
import { type Carved, carveRecords, type Pages, sqlitePageSize } from './sqlite-carve.ts';
import { type StoreName, storeNames, stores } from './stores.ts';

type Hash = (bytes: Uint8Array) => Uint8Array;
type Put = Batch['puts'][number];

const rowsOfBatch = 1000;

const removeFile = (path: string): void => {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true });
};

const copyFiles = (from: string, to: string): void => {
  removeFile(to);
  for (const end of ['', '-wal'])
    if (existsSync(`${from}${end}`)) copySecretFile(`${from}${end}`, `${to}${end}`);
};

const SQLITE_BUSY = 5;

/** Throws `ChainInUse` if another process has it open. A damaged file may not open at all. */
const checkUnused = (path: string): void => {
  let file: DatabaseSync | null = null;
  try {
    prepareDatabaseFile(path);
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (cause) {
    if (((cause as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY)
      throw new NodeError('ChainInUse', undefined, { cause });
  } finally {
    file?.close();
  }
};

/**
 * Writes the header fields that are the same in every file of this node
 * (https://www.sqlite.org/fileformat2.html#the_database_header).
 */
const writeHeader = (bytes: Uint8Array, pageCount: number): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 100);
  bytes.set(new TextEncoder().encode('SQLite format 3\0'));
  view.setUint16(16, sqlitePageSize);
  bytes.set([2, 2, 0, 64, 32, 32], 18);
  view.setUint32(28, pageCount);
  view.setUint32(44, 4);
  view.setUint32(52, 0);
  view.setUint32(56, 1);
  bytes.fill(0, 60, 92);
  view.setUint32(92, view.getUint32(24));
};

/**
 * Repairs a header with a flipped bit. Returns whether it did. If there is a log, it contains a newer header.
 */
const mendHeader = (path: string): boolean => {
  if (existsSync(`${path}-wal`)) return false;
  const file = openSecretFile(path, 'r+');
  try {
    const before = new Uint8Array(100);
    readSync(file, before, 0, 100, 0);
    const after = before.slice();
    writeHeader(after, Math.floor(fstatSync(file).size / sqlitePageSize));
    writeSync(file, after, 0, 100, 0);
    return !equalBytes(before, after);
  } finally {
    closeSync(file);
  }
};

/** Whether SQLite finds pages, order and tables intact. */
const isSound = (file: DatabaseSync): boolean => {
  const [verdict] = file.prepare('PRAGMA integrity_check').all();
  const tables = new Map(
    file
      .prepare('SELECT name, sql FROM sqlite_schema')
      .all()
      .map(({ name, sql }) => [name, sql]),
  );
  const areThere = storeNames.every((name) => tables.get(name) === tableSql(name));
  return areThere && Object.values(verdict ?? {})[0] === 'ok';
};

/** The rows of a table from one end, as far as SQLite can read. Throws where it fails. */
function* rowsOf(file: DatabaseSync, store: StoreName, order: 'ASC' | 'DESC'): Generator<Put> {
  for (const { key, value } of file
    .prepare(`SELECT key, value FROM "${store}" ORDER BY key ${order}`)
    .iterate())
    if (key instanceof Uint8Array && value instanceof Uint8Array) yield [store, key, value];
}

/** Collects puts into transactions, with the bytes unchanged. */
const createCopier = (engine: Engine) => {
  let puts: Put[] = [];
  const flush = async (): Promise<void> => {
    const batch = { puts, deletes: [] };
    puts = [];
    await engine.write(batch, (_store, _key, stored) => stored);
  };
  return {
    add: async (put: Put): Promise<void> => {
      if (puts.push(put) >= rowsOfBatch) await flush();
    },
    flush,
  };
};

type Copier = ReturnType<typeof createCopier>;

/** Copies what SQLite can read. Returns whether that is everything. */
const copyTables = async (path: string, copier: Copier): Promise<boolean> => {
  let file: DatabaseSync | null = null;
  try {
    prepareDatabaseFile(path);
    file = new DatabaseSync(path);
    file.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    let isAll = isSound(file);
    for (const store of storeNames)
      for (const order of ['ASC', 'DESC'] as const) {
        try {
          for (const row of rowsOf(file, store, order)) await copier.add(row);
          break;
        } catch {
          // The rest may be readable from the other end.
          isAll = false;
        }
      }
    return isAll;
  } catch {
    return false;
  } finally {
    file?.close();
  }
};

/** Key length in bytes, for stores where all keys have the same length. */
const keySizes: Partial<Record<StoreName, number>> = {
  headers: 32,
  bodies: 32,
  justifications: 32,
  numbers: 4,
  journals: 8,
  nodes: 32,
};

/** Stores whose records never change after they are written, so that an old copy is identical. */
const lasting: readonly StoreName[] = ['headers', 'bodies', 'journals', 'nodes'];

const isProven = (store: StoreName, key: Uint8Array, stored: Uint8Array, hash: Hash): boolean => {
  if (stores[store].proof === 'hash') return equalBytes(hash(stored), key);
  try {
    openRecord(store, key, stored);
    return true;
  } catch {
    return false;
  }
};

/** The store to which a record belongs, according to its proof, if the store lacks it. Otherwise null. */
const findStore = async (
  engine: Engine,
  [key, stored]: Carved,
  among: readonly StoreName[],
  hash: Hash,
): Promise<StoreName | null> => {
  if (key.length === 32 && (await engine.get('nodes', key)) !== null) return null;
  for (const store of among) {
    if ((keySizes[store] ?? key.length) !== key.length || (await engine.get(store, key)) !== null) continue;
    if (isProven(store, key, stored, hash)) return store;
  }
  return null;
};

const openPages = (path: string): Pages & { close(): void } => {
  const file = openSync(path, 'r');
  const count = Math.floor(fstatSync(file).size / sqlitePageSize);
  const read = (number: number): Uint8Array => {
    const page = new Uint8Array(sqlitePageSize);
    readSync(file, page, 0, sqlitePageSize, (number - 1) * sqlitePageSize);
    return page;
  };
  return { count, read, close: () => closeSync(file) };
};

/** Copies records from pages that SQLite could not reach. */
const copyCarved = async (path: string, engine: Engine, copier: Copier, hash: Hash): Promise<void> => {
  const pages = openPages(path);
  try {
    for (const { record, isListed } of carveRecords(pages)) {
      const store = await findStore(engine, record, isListed ? storeNames : lasting, hash);
      if (store !== null) await copier.add([store, ...record]);
    }
    await copier.flush();
  } finally {
    pages.close();
  }
};

const syncFile = (path: string): void => {
  const file = openSecretFile(path, 'r+');
  fsyncSync(file);
  closeSync(file);
};

/** An unused file name in the same folder. */
const freeName = (path: string): string => {
  for (let count = 1; ; count++) {
    const name = `${path}.damaged-${count}`;
    if (!existsSync(name)) return name;
  }
};

/** Renames the damaged file and puts the intact one in its place immediately. */
const exchange = (path: string, whole: string): string => {
  const kept = freeName(path);
  copyFiles(path, kept);
  syncFile(whole);
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  renameSync(whole, path);
  return kept;
};

/**
 * Copies the records of a possibly damaged file to a new one in the same folder, which replaces it when
 * accepted. First copies what SQLite can read, then, if SQLite reports damage, what is found on the pages.
 * Throws `ChainInUse`, `StorageBroken`.
 */
export const openSqliteSalvage = async (path: string, hash: Hash): Promise<Salvage> => {
  if (!existsSync(path)) throw new NodeError('StorageBroken', 'There is no database to repair');

  checkUnused(path);
  const [source, whole] = [`${path}.reading`, `${path}.whole`];
  copyFiles(path, source);
  removeFile(whole);
  const engine = openSqliteEngine(whole);
  const close = async (): Promise<void> => {
    await engine.close();
    removeFile(whole);
  };
  try {
    const isMended = mendHeader(source);
    const copier = createCopier(engine);
    const isAll = await copyTables(source, copier);
    await copier.flush();
    if (!isAll) await copyCarved(source, engine, copier, hash);
    return {
      engine,
      isTorn: isMended || !isAll,
      accept: async () => {
        await engine.close();
        checkUnused(path);
        return exchange(path, whole);
      },
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  } finally {
    removeFile(source);
  }
};
