import { type IDBPTransaction, unwrap } from 'idb';
import { compareBytes } from '../bytes/bytes.ts';
import type { Engine } from './checked.ts';
import { type Batch, checkStore, type Database, isEmptyRange, needsStrict, type Range } from './database.ts';
import { type IdbOptions, readStore, type Schema, type SchemaDb } from './idb-open.ts';
import { openIdbSession } from './idb-session.ts';
import { faultOf, proveTurn } from './idb-turns.ts';
import { openChecked } from './migrate.ts';
import { type StoreName, storeNames } from './stores.ts';

/** A structured clone stores a view's whole buffer, so a partial view is copied first. */
const exact = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.length === bytes.buffer.byteLength ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);

const keyRange = (range: Range): IDBKeyRange | undefined => {
  const { from, to } = range;
  if (from !== undefined && to !== undefined) return IDBKeyRange.bound(exact(from), exact(to), false, true);
  if (from !== undefined) return IDBKeyRange.lowerBound(exact(from));
  return to === undefined ? undefined : IDBKeyRange.upperBound(exact(to), true);
};

const keyBytes = (key: IDBValidKey): Uint8Array => new Uint8Array(key as ArrayBuffer);

const readOne = async (db: SchemaDb, name: StoreName, key: Uint8Array): Promise<Uint8Array | null> => {
  checkStore(name);
  return (await readStore(db, name).get(exact(key).buffer)) ?? null;
};

/**
 * Raw requests in one transaction: a cold block reads thousands of nodes, and needs no promise for each. Neighboring keys are
 * requested one after the other, because the browser's database keeps them in one block of its file.
 */
const readMany = async (
  db: SchemaDb,
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
  db: SchemaDb,
  name: StoreName,
  range: Range,
): Promise<[Uint8Array, Uint8Array][]> => {
  checkStore(name);
  if (isEmptyRange(range, compareBytes)) return [];
  const store = readStore(db, name);
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
const writeBatch = async (db: SchemaDb, turn: number, batch: Batch): Promise<void> => {
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
    for (const [name, key, value] of batch.puts) raw.objectStore(name).put(exact(value), exact(key));
    raw.commit();
  } catch (cause) {
    raw.abort();
    await tx.done.catch(() => undefined);
    throw cause;
  }
  await tx.done.catch((cause: unknown) => Promise.reject(faultOf(proof, cause)));
};

const countBytes = async (db: SchemaDb): Promise<number> => {
  const estimate = await globalThis.navigator?.storage?.estimate?.().catch(() => null);
  if (estimate?.usage !== undefined) return estimate.usage;
  let size = 0;
  for (const name of storeNames) {
    let cursor = await readStore(db, name).openCursor();
    while (cursor !== null) {
      size += keyBytes(cursor.key).length + cursor.value.length;
      cursor = await cursor.continue();
    }
  }
  return size;
};

/**
 * Opens (or creates) the IndexedDB of a chain. IndexedDB is trusted to find every record that was written. If the
 * browser closes it, calls wait until it is open again (idb-session.ts).
 */
export const openIdbEngine = async (name: string, options: IdbOptions = {}): Promise<Engine> => {
  const { run, known, fault, close } = await openIdbSession(name, options);
  return {
    get: async (store, key) => {
      const value = await run((db) => readOne(db, store, key));
      if (store === 'meta') known.read(key, value);
      return value;
    },
    getMany: (store, keys) =>
      run(async (db) => {
        const found = await readMany(db, store, keys, 'get');
        return found.map((value) => (value as Uint8Array | undefined) ?? null);
      }),
    hasMany: (store, keys) =>
      run(async (db) => {
        const found = await readMany(db, store, keys, 'getKey');
        return found.map((key) => key !== undefined);
      }),
    range: (store, range = {}) => run((db) => readRange(db, store, range)),
    write: async (batch, bytesOf) => {
      const puts = batch.puts.map(([name, key, value]) => [name, key, bytesOf(name, key, value)] as const);
      const stored: Batch = { ...batch, puts };
      const written = known.writing(stored);
      try {
        await run((db, turn) => writeBatch(db, turn, stored), true);
        written(true);
      } catch (error) {
        written(false);
        throw error;
      }
    },
    sizeBytes: () => run(countBytes),
    fault,
    close,
  };
};

/**
 * Opens (or creates, and migrates) a chain's IndexedDB. Throws `ChainInUse`, `StorageBroken`, `StorageDenied`,
 * `StorageQuota`.
 */
export const openIdbDatabase = async (name: string, options: IdbOptions = {}): Promise<Database> =>
  openChecked(await openIdbEngine(name, options));
