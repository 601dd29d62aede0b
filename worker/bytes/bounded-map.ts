/** A map that keeps what was written or read last. */
export type BoundedMap<K, V> = {
  /** The value, which counts as used now. */
  get(key: K): V | undefined;
  has(key: K): boolean;
  /** Writes a value; the entry that was not used for longest goes when there are more than the limit. */
  keep(key: K, value: V): void;
  delete(key: K): boolean;
  clear(): void;
  readonly size: number;
};

export const createBoundedMap = <K, V>(limit: number): BoundedMap<K, V> => {
  // A map is in the order of its writes.
  const map = new Map<K, V>();
  const keep = (key: K, value: V): void => {
    map.delete(key);
    map.set(key, value);
    if (map.size > limit) map.delete(map.keys().next().value as K);
  };
  return {
    get: (key) => {
      const value = map.get(key);
      if (value !== undefined) keep(key, value);
      return value;
    },
    has: (key) => map.has(key),
    keep,
    delete: (key) => map.delete(key),
    clear: () => map.clear(),
    get size() {
      return map.size;
    },
  };
};
