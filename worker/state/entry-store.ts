import { compareBytes } from '../bytes/bytes.ts';
import { flattenBody } from './append.ts';
import { createByteMap } from './byte-map.ts';
import { type Entry, isLive, type Layers } from './layers.ts';

/** Bytes moved within an array in the time of one step. */
const bytesOfStep = 64;
/** Bytes of a new array cleared, copied and collected in the time of one step. */
const newBytesOfStep = 16;
/** An entry and its arrays stay in memory as long as the overlay: half a kilobyte or more. */
const stepsOfEntry = 300;

/** The written value of a live entry. */
export const flatValue = (layers: Pick<Layers, 'count'>, entry: Entry): Uint8Array | null => {
  if (entry.value === undefined && entry.body !== null) {
    layers.count(entry.length / newBytesOfStep);
    entry.value = flattenBody(entry.body, entry.length, entry.count);
  }
  return entry.value as Uint8Array | null;
};

/**
 * The written entries in key order. Sorted on first use. Entries whose writing was rolled back leave it: a walk through
 * what is written would pass them at each step, and a run that begins again would be slower each time.
 */
const createIndex = (
  layers: Pick<Layers, 'count' | 'undone'>,
): {
  add(entry: Entry): void;
  sorted(): readonly Entry[];
  from(key: Uint8Array, inclusive: boolean): number;
} => {
  let sorted: Entry[] = [];
  let added: Entry[] = [];
  let undone = 0;
  const keepLive = (entries: Entry[]): Entry[] =>
    entries.filter((entry) => {
      entry.isIndexed = isLive(entry);
      return entry.isIndexed;
    });
  const dropUndone = (): void => {
    if (layers.undone() === undone) return;
    undone = layers.undone();
    layers.count(sorted.length + added.length);
    sorted = keepLive(sorted);
    added = keepLive(added);
  };
  const settle = (): Entry[] => {
    dropUndone();
    if (added.length === 0) return sorted;
    if (added.length <= 4) {
      for (const entry of added) {
        const at = search(entry.key, true);
        // A migration writes the keys in order while it walks through them: almost nothing has to be moved.
        layers.count(1 + ((sorted.length - at) * 8) / bytesOfStep);
        sorted.splice(at, 0, entry);
      }
    } else {
      layers.count(sorted.length + added.length);
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

/** The entries of one trie: written ones, and read ones, which cache the committed value. */
export type EntryStore = {
  find(key: Uint8Array): Entry | undefined;
  /** Returns the entry of a key; creates one, with a copy of the key, if there is none. */
  at(key: Uint8Array): Entry;
  /** Call this before changing an entry. */
  open(entry: Entry): void;
  /** Null deletes the key. */
  put(entry: Entry, value: Uint8Array | null): void;
  /** In creation order. */
  all(): readonly Entry[];
  /** All written entries, in key order. */
  sorted(): readonly Entry[];
  /** The index in `sorted` of the first entry after a key (or at it, if inclusive). */
  from(key: Uint8Array, inclusive: boolean): number;
};

export const createEntryStore = (layers: Layers): EntryStore => {
  const map = createByteMap<Entry>();
  const index = createIndex(layers);
  const open = (entry: Entry): void => {
    layers.touch(entry);
    if (entry.isIndexed) return;
    entry.isIndexed = true;
    index.add(entry);
  };
  return {
    find: map.get,
    at: (key) => {
      const known = map.get(key);
      if (known !== undefined) return known;
      layers.count(stepsOfEntry);
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
    },
    open,
    put: (entry, value) => {
      open(entry);
      entry.value = value;
      entry.body = null;
    },
    all: map.entries,
    sorted: index.sorted,
    from: index.from,
  };
};
