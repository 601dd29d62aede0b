import { compareBytes, startsWithBytes } from '../bytes/bytes.ts';
import type { Change } from '../trie/trie.ts';
import { type AppendBody, appendItem, createAppendBody, flattenBody, splitVector } from './append.ts';
import { createByteMap } from './byte-map.ts';
import type { Entry, Layers } from './layers.ts';

/** What lies under a key space: the committed state of one trie. */
export type Below = {
  get(key: Uint8Array): Uint8Array | null;
  exists(key: Uint8Array): boolean;
  nextKey(key: Uint8Array): Uint8Array | null;
};

/** The changes of one trie (main, a child, or the offchain index) over what lies below. Keys handed in may be views; they are copied. */
export type KeySpace = {
  get(key: Uint8Array): Uint8Array | null;
  exists(key: Uint8Array): boolean;
  /** Null deletes. */
  set(key: Uint8Array, value: Uint8Array | null): void;
  append(key: Uint8Array, item: Uint8Array): void;
  nextKey(key: Uint8Array): Uint8Array | null;
  /** Deletes all written keys under a prefix; answers how many had a value. */
  clearWritten(prefix: Uint8Array): number;
  /** Deletes a key of the state below; answers whether it was not deleted already. */
  clearBelow(key: Uint8Array): boolean;
  isWritten(): boolean;
  changes(): Change[];
};

const isLive = (entry: Entry): boolean => entry.body !== null || entry.value !== undefined;

const flatValue = (entry: Entry): Uint8Array | null => {
  if (entry.value === undefined && entry.body !== null)
    entry.value = flattenBody(entry.body, entry.length, entry.count);
  return entry.value as Uint8Array | null;
};

/** The written entries in key order, sorted when first needed. */
const createIndex = (): {
  add(entry: Entry): void;
  sorted(): readonly Entry[];
  from(key: Uint8Array, inclusive: boolean): number;
} => {
  let sorted: Entry[] = [];
  let added: Entry[] = [];
  const settle = (): Entry[] => {
    if (added.length === 0) return sorted;
    if (added.length <= 4) {
      for (const entry of added) sorted.splice(search(entry.key, true), 0, entry);
    } else {
      sorted = sorted.concat(added).sort((a, b) => compareBytes(a.key, b.key));
    }
    added = [];
    return sorted;
  };
  const search = (key: Uint8Array, inclusive: boolean): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareBytes((sorted[middle] as Entry).key, key);
      if (order < 0 || (order === 0 && !inclusive)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    add: (entry) => void added.push(entry),
    sorted: settle,
    from: (key, inclusive) => {
      settle();
      return search(key, inclusive);
    },
  };
};

export const createKeySpace = (layers: Layers, below: Below): KeySpace => {
  const map = createByteMap<Entry>();
  const index = createIndex();

  const entryAt = (key: Uint8Array): Entry => {
    const known = map.get(key);
    if (known !== undefined) return known;
    const entry: Entry = {
      key: key.slice(),
      value: undefined,
      body: null,
      length: 0,
      count: 0,
      depth: 0,
      below: undefined,
      isIndexed: false,
    };
    map.add(entry);
    return entry;
  };
  const readBelow = (entry: Entry): Uint8Array | null => {
    if (entry.below === undefined) entry.below = below.get(entry.key);
    return entry.below;
  };
  const openForWrite = (entry: Entry): void => {
    layers.touch(entry);
    if (entry.isIndexed) return;
    entry.isIndexed = true;
    index.add(entry);
  };
  const put = (entry: Entry, value: Uint8Array | null): void => {
    openForWrite(entry);
    entry.value = value;
    entry.body = null;
  };
  const nextWritten = (key: Uint8Array): Uint8Array | null => {
    const from = index.from(key, false);
    const sorted = index.sorted();
    for (let i = from; i < sorted.length; i++) {
      const entry = sorted[i] as Entry;
      if (entry.body !== null || (entry.value !== undefined && entry.value !== null)) return entry.key;
    }
    return null;
  };
  return {
    get: (key) => {
      const entry = entryAt(key);
      return isLive(entry) ? flatValue(entry) : readBelow(entry);
    },
    exists: (key) => {
      const entry = map.get(key);
      if (entry === undefined) return below.exists(key);
      if (isLive(entry)) return entry.value !== null;
      return entry.below === undefined ? below.exists(key) : entry.below !== null;
    },
    set: (key, value) => put(entryAt(key), value),
    append: (key, item) => {
      const entry = entryAt(key);
      const start = isLive(entry)
        ? entry.body === null
          ? (entry.value as Uint8Array | null)
          : null
        : readBelow(entry);
      openForWrite(entry);
      if (entry.body === null) {
        const [count, items] = splitVector(start);
        const body: AppendBody = createAppendBody(items, item.length);
        entry.body = body;
        entry.count = count;
        entry.length = items.length;
      }
      entry.length = appendItem(entry.body, entry.length, item);
      entry.count++;
      entry.value = undefined;
    },
    nextKey: (key) => {
      let next = below.nextKey(key);
      while (next !== null) {
        const entry = map.get(next);
        if (entry === undefined || entry.value !== null) break;
        next = below.nextKey(next);
      }
      const written = nextWritten(key);
      if (next === null || written === null) return next ?? written;
      return compareBytes(written, next) < 0 ? written : next;
    },
    clearWritten: (prefix) => {
      let count = 0;
      const sorted = index.sorted();
      for (let i = index.from(prefix, true); i < sorted.length; i++) {
        const entry = sorted[i] as Entry;
        if (!startsWithBytes(entry.key, prefix)) break;
        if (!isLive(entry)) continue;
        if (entry.value !== null) {
          count++;
          put(entry, null);
        }
      }
      return count;
    },
    clearBelow: (key) => {
      const entry = entryAt(key);
      if (entry.value === null) return false;
      put(entry, null);
      return true;
    },
    isWritten: () => index.sorted().some(isLive),
    changes: () => {
      const out: Change[] = [];
      for (const entry of index.sorted()) if (isLive(entry)) out.push([entry.key, flatValue(entry)]);
      return out;
    },
  };
};
