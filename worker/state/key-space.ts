import { compareBytes, startsWithBytes } from '../bytes/bytes.ts';
import type { Change } from '../trie/trie.ts';
import { appendItem, createAppendBody, splitVector } from './append.ts';
import { createEntryStore, type EntryStore, flatValue } from './entry-store.ts';
import { type Entry, isLive, type Layers } from './layers.ts';

/** The committed state of one trie, below a key space. */
export type Below = {
  get(key: Uint8Array): Uint8Array | null;
  exists(key: Uint8Array): boolean;
  nextKey(key: Uint8Array): Uint8Array | null;
};

/**
 * The changes of one trie (main, a child, or the offchain index) over the committed state. Keys passed in may
 * be views; they are copied.
 */
export type KeySpace = {
  get(key: Uint8Array): Uint8Array | null;
  exists(key: Uint8Array): boolean;
  /** Null deletes the key. */
  set(key: Uint8Array, value: Uint8Array | null): void;
  append(key: Uint8Array, item: Uint8Array): void;
  nextKey(key: Uint8Array): Uint8Array | null;
  /** Deletes all written keys under a prefix. Returns how many had a value. */
  clearWritten(prefix: Uint8Array): number;
  /** Deletes a key of the committed state. Returns whether it was not deleted already. */
  clearBelow(key: Uint8Array): boolean;
  isWritten(): boolean;
  changes(): Change[];
  /**
   * The changes likely to persist. A key written without having been read is often deleted again by the end
   * of the block.
   */
  lasting(): Change[];
  /** The keys whose values were read from the committed state. */
  keysRead(): Uint8Array[];
  forgetReads(): void;
};

/** The cost of looking for one more key in the trie of the committed state. */
const walkSteps = 200;

const appendTo = (
  layers: Layers,
  store: EntryStore,
  entry: Entry,
  start: Uint8Array | null,
  item: Uint8Array,
): void => {
  store.open(entry);
  if (entry.body === null) {
    const [count, items] = splitVector(start);
    // Accounts for twice the space, most of it on new pages.
    layers.count(items.length / 8);
    entry.body = createAppendBody(items, item.length);
    entry.count = count;
    entry.length = items.length;
  }
  entry.length = appendItem(entry.body, entry.length, item);
  entry.count++;
  entry.value = undefined;
};

const nextWritten = (layers: Layers, store: EntryStore, key: Uint8Array): Uint8Array | null => {
  const sorted = store.sorted();
  for (let i = store.from(key, false); i < sorted.length; i++) {
    const entry = sorted[i] as Entry;
    if (entry.body !== null || (entry.value !== undefined && entry.value !== null)) return entry.key;
    layers.count(1);
  }
  return null;
};

const isBefore = (a: Uint8Array | null, b: Uint8Array): boolean => a !== null && compareBytes(a, b) < 0;

/**
 * Looks in the committed state no further than the next written key (sp-state-machine, `ext.rs`,
 * `next_storage_key`).
 */
const nextIn = (layers: Layers, store: EntryStore, below: Below, key: Uint8Array): Uint8Array | null => {
  let next = below.nextKey(key);
  const written = nextWritten(layers, store, key);
  while (next !== null && !isBefore(written, next) && store.find(next)?.value === null) {
    layers.count(walkSteps);
    next = below.nextKey(next);
  }
  return next === null || isBefore(written, next) ? written : next;
};

const clearWritten = (layers: Layers, store: EntryStore, prefix: Uint8Array): number => {
  let count = 0;
  const sorted = store.sorted();
  for (let i = store.from(prefix, true); i < sorted.length; i++) {
    const entry = sorted[i] as Entry;
    if (!startsWithBytes(entry.key, prefix)) break;
    layers.count(2);
    if (!isLive(entry) || entry.value === null) continue;
    count++;
    store.put(entry, null);
  }
  return count;
};

export const createKeySpace = (layers: Layers, below: Below): KeySpace => {
  const store = createEntryStore(layers);
  const read = (entry: Entry): Uint8Array | null => {
    if (isLive(entry)) return flatValue(layers, entry);
    if (entry.below === undefined) entry.below = below.get(entry.key);
    return entry.below;
  };
  return {
    get: (key) => read(store.at(key)),
    exists: (key) => {
      const entry = store.find(key);
      if (entry === undefined) return below.exists(key);
      if (isLive(entry)) return entry.value !== null;
      return entry.below === undefined ? below.exists(key) : entry.below !== null;
    },
    set: (key, value) => store.put(store.at(key), value),
    append: (key, item) => {
      const entry = store.at(key);
      appendTo(layers, store, entry, entry.body === null ? read(entry) : null, item);
    },
    nextKey: (key) => nextIn(layers, store, below, key),
    clearWritten: (prefix) => clearWritten(layers, store, prefix),
    clearBelow: (key) => {
      layers.count(walkSteps / 2);
      const entry = store.at(key);
      if (entry.value === null) return false;
      store.put(entry, null);
      return true;
    },
    isWritten: () => store.sorted().some(isLive),
    changes: () =>
      store
        .sorted()
        .filter(isLive)
        .map((entry) => [entry.key, flatValue(layers, entry)] as const),
    keysRead: () =>
      store
        .all()
        .filter((entry) => entry.below !== undefined)
        .map((entry) => entry.key),
    forgetReads: () => {
      for (const entry of store.all()) entry.below = undefined;
    },
    lasting: () =>
      store
        .sorted()
        .filter((entry) => isLive(entry) && entry.below !== undefined)
        .map((entry) => [entry.key, flatValue(layers, entry)] as const),
  };
};
