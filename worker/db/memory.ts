import { bytesToKey, compareBytes, keyToBytes } from '../bytes/bytes.ts';
import { type Engine, type StoredBytes, uncheckedDatabase } from './checked.ts';
import { type Batch, checkStore, closedError, type Database, isEmptyRange, type Range } from './database.ts';
import { type StoreName, storeNames } from './stores.ts';

/**
 * Keys are strings of one code unit per byte, so string order is byte order. `sorted` is rebuilt on the first
 * range after the keys changed.
 */
type MemoryStore = { readonly records: Map<string, Uint8Array>; sorted: string[] | null };

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The index of the first key that is not less than `key`. */
const lowerBound = (keys: readonly string[], key: string): number => {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
};

const readRange = (store: MemoryStore, range: Range): [Uint8Array, Uint8Array][] => {
  if (isEmptyRange(range, compareBytes)) return [];
  store.sorted ??= [...store.records.keys()].sort(order);
  const keys = store.sorted;
  const start = range.from === undefined ? 0 : lowerBound(keys, bytesToKey(range.from));
  const end = range.to === undefined ? keys.length : lowerBound(keys, bytesToKey(range.to));
  const count = Math.min(end - start, range.limit ?? Number.POSITIVE_INFINITY);
  const out: [Uint8Array, Uint8Array][] = [];
  for (let i = 0; i < count; i++) {
    const key = keys[range.reverse === true ? end - 1 - i : start + i] as string;
    out.push([keyToBytes(key), (store.records.get(key) as Uint8Array).slice()]);
  }
  return out;
};

const applyBatch = (all: ReadonlyMap<StoreName, MemoryStore>, batch: Batch, bytesOf: StoredBytes): void => {
  // Everything that can throw runs before the first change.
  const puts = batch.puts.map(
    ([name, key, value]) => [name, bytesToKey(key), bytesOf(name, key, value).slice()] as const,
  );
  for (const [name, key] of batch.deletes) {
    const store = all.get(name) as MemoryStore;
    if (store.records.delete(bytesToKey(key))) store.sorted = null;
  }
  for (const [name, key, value] of puts) {
    const store = all.get(name) as MemoryStore;
    if (store.sorted !== null && !store.records.has(key)) store.sorted = null;
    store.records.set(key, value);
  }
};

/** Keeps records as long as the object exists. */
export const createMemoryEngine = (): Engine => {
  const all = new Map<StoreName, MemoryStore>(
    storeNames.map((name) => [name, { records: new Map(), sorted: null }]),
  );
  let open = true;
  const use = (name: StoreName): MemoryStore => {
    if (!open) throw closedError();
    checkStore(name);
    return all.get(name) as MemoryStore;
  };
  const getSync = (name: StoreName, key: Uint8Array): Uint8Array | null =>
    use(name).records.get(bytesToKey(key))?.slice() ?? null;
  return {
    get: async (name, key) => getSync(name, key),
    getMany: async (name, keys) => keys.map((key) => getSync(name, key)),
    hasMany: async (name, keys) => keys.map((key) => use(name).records.has(bytesToKey(key))),
    getSync,
    range: async (name, range = {}) => readRange(use(name), range),
    write: async (batch, bytesOf) => {
      if (!open) throw closedError();
      applyBatch(all, batch, bytesOf);
    },
    sizeBytes: async () => {
      let size = 0;
      for (const { records } of all.values())
        for (const [key, value] of records) size += key.length + value.length;
      return size;
    },
    close: async () => {
      open = false;
      all.clear();
    },
  };
};

/**
 * A database that exists as long as the object. Without checksums, which guard against damage on disk and
 * cost a seventh of the time of operations that read many records.
 */
export const createMemoryDatabase = (): Database => uncheckedDatabase(createMemoryEngine());
