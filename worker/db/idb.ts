import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, unwrap } from 'idb';
import { NodeError } from '../../src/protocol/errors.ts';
import { compareBytes } from '../bytes/bytes.ts';
import type { Engine, StoredBytes } from './checked.ts';
import {
  type Batch,
  checkStore,
  closedError,
  type Database,
  isEmptyRange,
  needsStrict,
  type Range,
} from './database.ts';
import { faultOf, proveTurn, takeTurn } from './idb-turns.ts';
import { openChecked } from './migrate.ts';
import { type StoreName, schemaVersion, storeNames, stores } from './stores.ts';

interface Schema extends DBSchema, Record<StoreName, { key: ArrayBuffer; value: Uint8Array }> {}

export type IdbOptions = {
  /** How long another tab with an older version may block opening before `ChainInUse`. */
  readonly blockedTimeoutMs?: number;
  /** Called once if the browser, or a newer version of the node in another tab, closes the database. */
  readonly onLost?: (error: NodeError) => void;
  /** Ends the turn of the tab that has the chain, which will not write again (idb-turns.ts). Default: no. */
  readonly seizes?: boolean;
  /** For tests of a version change only. Default: `schemaVersion`. */
  readonly version?: number;
};

/** A structured clone stores a view's whole buffer, so a partial view is copied first. */
const exact = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.length === bytes.buffer.byteLength ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);

/** Chromium closes a database for which the disk has no room, without an error of its own. */
const diskFull = 'The disk is full. Stored data is safe. Free disk space, then reload the page.';

/** Names and texts of browsers that keep no data for the page; of a missing IndexedDB, that of the language. */
const denied = /^(Type|Security|InvalidState)Error|denied/;

const toNodeError = (cause: unknown, isOpening = false): NodeError => {
  if (cause instanceof NodeError) return cause;
  const { name, message } =
    cause instanceof Error || cause instanceof DOMException ? cause : { name: '', message: String(cause) };
  if (message.includes('NO_SPACE')) return new NodeError('StorageQuota', diskFull, { cause });
  if (name === 'QuotaExceededError') return new NodeError('StorageQuota', undefined, { cause });
  if (name === 'VersionError')
    return new NodeError('StorageBroken', 'The database is of a newer version than this node knows', {
      cause,
    });
  const words = `${name === '' ? '' : `${name}: `}${message}`;
  const code = isOpening && denied.test(words) ? 'StorageDenied' : 'StorageBroken';
  return new NodeError(code, `IndexedDB: ${words}`, { cause });
};

const createStores = (db: IDBPDatabase<Schema>, oldVersion: number): void => {
  for (const name of storeNames) {
    if (stores[name].since > oldVersion && !db.objectStoreNames.contains(name)) db.createObjectStore(name);
  }
};

type Opening = {
  readonly name: string;
  readonly options: IdbOptions;
  readonly onLost: (error: NodeError, db: IDBPDatabase<Schema> | null) => void;
};

const open = ({ name, options, onLost }: Opening): Promise<IDBPDatabase<Schema>> =>
  new Promise((resolve, reject) => {
    let db: IDBPDatabase<Schema> | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refused = false;
    const opening = openDB<Schema>(name, options.version ?? schemaVersion, {
      upgrade: createStores,
      // Older tabs close on `blocking`. Only one that does not is an error.
      blocked: () => {
        timer ??= setTimeout(() => {
          refused = true;
          reject(
            new NodeError('ChainInUse', 'An older version of the node holds this chain open in another tab'),
          );
        }, options.blockedTimeoutMs ?? 3000);
      },
      blocking: (_from, to) => {
        const why = to === null ? 'This chain was deleted' : 'A newer version of the node opened this chain';
        onLost(closedError(why), db);
      },
      terminated: () => onLost(closedError('The browser closed the database'), db),
    });
    opening.then(
      (opened) => {
        clearTimeout(timer);
        db = opened;
        if (refused) opened.close();
        else resolve(opened);
      },
      (cause: unknown) => {
        clearTimeout(timer);
        reject(cause);
      },
    );
  });

const keyRange = (range: Range): IDBKeyRange | undefined => {
  const { from, to } = range;
  if (from !== undefined && to !== undefined) return IDBKeyRange.bound(exact(from), exact(to), false, true);
  if (from !== undefined) return IDBKeyRange.lowerBound(exact(from));
  return to === undefined ? undefined : IDBKeyRange.upperBound(exact(to), true);
};

const keyBytes = (key: IDBValidKey): Uint8Array => new Uint8Array(key as ArrayBuffer);

const readOne = async (
  db: IDBPDatabase<Schema>,
  name: StoreName,
  key: Uint8Array,
): Promise<Uint8Array | null> => {
  checkStore(name);
  return (await db.get(name, exact(key).buffer)) ?? null;
};

/**
 * Raw requests in one transaction: a cold block reads thousands of nodes, and needs no promise for each. Neighboring keys are
 * requested one after the other, because the browser's database keeps them in one block of its file.
 */
const readMany = async (
  db: IDBPDatabase<Schema>,
  name: StoreName,
  keys: readonly Uint8Array[],
  method: 'get' | 'getKey',
): Promise<readonly unknown[]> => {
  checkStore(name);
  if (keys.length === 0) return [];
  const tx = db.transaction(name);
  const store = unwrap(tx).objectStore(name);
  const inOrder = [...keys.entries()].sort(([, a], [, b]) => compareBytes(a, b));
  const requests: IDBRequest[] = [];
  for (const [index, key] of inOrder) requests[index] = store[method](exact(key).buffer);
  await tx.done;
  return requests.map(({ result }) => result);
};

const readRange = async (
  db: IDBPDatabase<Schema>,
  name: StoreName,
  range: Range,
): Promise<[Uint8Array, Uint8Array][]> => {
  checkStore(name);
  if (isEmptyRange(range, compareBytes)) return [];
  const { store } = db.transaction(name);
  const query = keyRange(range);
  if (range.reverse === true && range.limit !== undefined) {
    // getAll has no direction, so the last few are read by cursor.
    const out: [Uint8Array, Uint8Array][] = [];
    let cursor = await store.openCursor(query, 'prev');
    while (cursor !== null) {
      out.push([keyBytes(cursor.key), cursor.value]);
      if (out.length >= range.limit) break;
      cursor = await cursor.continue();
    }
    return out;
  }
  const [keys, values] = await Promise.all([
    store.getAllKeys(query, range.limit),
    store.getAll(query, range.limit),
  ]);
  const out = keys.map((key, i): [Uint8Array, Uint8Array] => [keyBytes(key), values[i] as Uint8Array]);
  return range.reverse === true ? out.reverse() : out;
};

/** Awaits only requests inside: awaiting anything else would end the transaction early. */
const writeBatch = async (
  db: IDBPDatabase<Schema>,
  turn: number,
  batch: Batch,
  bytesOf: StoredBytes,
): Promise<void> => {
  if (batch.puts.length + batch.deletes.length === 0) return;
  const touched = new Set<StoreName>([
    'meta',
    ...batch.puts.map(([name]) => name),
    ...batch.deletes.map(([name]) => name),
  ]);
  const tx: IDBPTransaction<Schema, StoreName[], 'readwrite'> = db.transaction([...touched], 'readwrite', {
    durability: needsStrict(batch) ? 'strict' : 'relaxed',
  });
  // Raw requests: an error aborts the transaction, and `tx.done` reports it.
  const raw = unwrap(tx);
  let proof: IDBRequest | undefined;
  try {
    proof = proveTurn(raw.objectStore('meta'), turn);
    for (const [name, key] of batch.deletes) raw.objectStore(name).delete(exact(key));
    for (const [name, key, value] of batch.puts)
      raw.objectStore(name).put(exact(bytesOf(name, key, value)), exact(key));
    raw.commit();
  } catch (cause) {
    raw.abort();
    await tx.done.catch(() => undefined);
    throw cause;
  }
  await tx.done.catch((cause: unknown) => Promise.reject(faultOf(proof, cause)));
};

const countBytes = async (db: IDBPDatabase<Schema>): Promise<number> => {
  const estimate = await globalThis.navigator?.storage?.estimate?.().catch(() => null);
  if (estimate?.usage !== undefined) return estimate.usage;
  let size = 0;
  for (const name of storeNames) {
    let cursor = await db.transaction(name).store.openCursor();
    while (cursor !== null) {
      size += keyBytes(cursor.key).length + cursor.value.length;
      cursor = await cursor.continue();
    }
  }
  return size;
};

/**
 * Opens (or creates) the IndexedDB of a chain. IndexedDB is trusted to find every record that was written.
 */
export const openIdbEngine = async (name: string, options: IdbOptions = {}): Promise<Engine> => {
  let lost: NodeError | null = null;
  let closed = false;
  const pending = new Set<Promise<unknown>>();
  const lose = (error: NodeError, opened: IDBPDatabase<Schema> | null): void => {
    if (lost !== null) return;
    lost = error;
    opened?.close();
    options.onLost?.(error);
  };
  const db = await open({ name, options, onLost: lose }).catch((cause: unknown) => {
    throw toNodeError(cause, true);
  });
  const turn = await takeTurn(db as unknown as IDBPDatabase, options.seizes ?? false).catch(
    (cause: unknown) => {
      db.close();
      throw toNodeError(cause);
    },
  );
  /** `action` starts its transaction synchronously, so calls take effect in the order they are made. */
  const run = async <T>(action: () => Promise<T>): Promise<T> => {
    if (lost !== null) throw lost;
    if (closed) throw closedError();
    let running: Promise<T> | null = null;
    try {
      running = action();
      pending.add(running);
      return await running;
    } catch (cause) {
      const error = toNodeError(cause);
      if (error.code === 'ChainInUse') lose(error, db);
      // Not only that the browser has closed the database, which it may have told before.
      if (error.message === diskFull) lost = error;
      throw lost ?? error;
    } finally {
      if (running !== null) pending.delete(running);
    }
  };
  return {
    get: (store, key) => run(() => readOne(db, store, key)),
    getMany: (store, keys) =>
      run(async () => {
        const found = await readMany(db, store, keys, 'get');
        return found.map((value) => (value as Uint8Array | undefined) ?? null);
      }),
    hasMany: (store, keys) =>
      run(async () => {
        const found = await readMany(db, store, keys, 'getKey');
        return found.map((key) => key !== undefined);
      }),
    range: (store, range = {}) => run(() => readRange(db, store, range)),
    write: (batch, bytesOf) => run(() => writeBatch(db, turn, batch, bytesOf)),
    sizeBytes: () => run(() => countBytes(db)),
    close: async () => {
      if (closed || lost !== null) return;
      closed = true;
      await Promise.allSettled(pending);
      db.close();
    },
  };
};

/**
 * Opens (or creates, and migrates) a chain's IndexedDB. Throws `ChainInUse`, `StorageBroken`, `StorageDenied`,
 * `StorageQuota`.
 */
export const openIdbDatabase = async (name: string, options: IdbOptions = {}): Promise<Database> =>
  openChecked(await openIdbEngine(name, options));
