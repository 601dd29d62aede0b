/** A map that keeps the most recently used entries. */
export type BoundedMap<K, V> = {
  /** Returns the value and marks it as used. */
  get(key: K): V | undefined;
  has(key: K): boolean;
  /** Writes a value. Above the limit, the least recently used entry is dropped. */
  keep(key: K, value: V): void;
  delete(key: K): boolean;
  clear(): void;
  readonly size: number;
};

type Entry<K, V> = {
  readonly key: K;
  value: V;
  older: Entry<K, V> | null;
  newer: Entry<K, V> | null;
};

/** The entries from the least to the most recently used. */
const createUses = <K, V>() => {
  let oldest: Entry<K, V> | null = null;
  let newest: Entry<K, V> | null = null;
  const add = (entry: Entry<K, V>): void => {
    entry.older = newest;
    entry.newer = null;
    if (newest === null) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  };
  const remove = ({ older, newer }: Entry<K, V>): void => {
    if (older === null) oldest = newer;
    else older.newer = newer;
    if (newer === null) newest = older;
    else newer.older = older;
  };
  return {
    add,
    remove,
    use: (entry: Entry<K, V>): void => {
      if (entry === newest) return;
      remove(entry);
      add(entry);
    },
    oldest: () => oldest,
    clear: () => {
      oldest = newest = null;
    },
  };
};

/**
 * The order of use is a linked list, not the order of the map: finding the next key of a `Map` whose first
 * key is always deleted iterates over all deleted entries (4 µs instead of 0.2 µs at 16,384 entries).
 */
export const createBoundedMap = <K, V>(limit: number): BoundedMap<K, V> => {
  const map = new Map<K, Entry<K, V>>();
  const uses = createUses<K, V>();
  const drop = (entry: Entry<K, V>): void => {
    map.delete(entry.key);
    uses.remove(entry);
  };
  return {
    get: (key) => {
      const entry = map.get(key);
      if (entry === undefined) return undefined;
      uses.use(entry);
      return entry.value;
    },
    has: (key) => map.has(key),
    keep: (key, value) => {
      const known = map.get(key);
      if (known !== undefined) {
        known.value = value;
        uses.use(known);
        return;
      }
      const entry = { key, value, older: null, newer: null };
      map.set(key, entry);
      uses.add(entry);
      const oldest = uses.oldest();
      if (map.size > limit && oldest !== null) drop(oldest);
    },
    delete: (key) => {
      const entry = map.get(key);
      if (entry !== undefined) drop(entry);
      return entry !== undefined;
    },
    clear: () => {
      map.clear();
      uses.clear();
    },
    get size() {
      return map.size;
    },
  };
};
