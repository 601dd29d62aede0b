import { equalBytes } from '../bytes/bytes.ts';

export type Keyed = { readonly key: Uint8Array };

/** A grow-only map keyed by bytes. Faster than a Map with string keys, because a lookup creates no string. */
export type ByteMap<T extends Keyed> = {
  get(key: Uint8Array): T | undefined;
  /** The key must not be in the map yet, and must not change afterwards. */
  add(entry: T): void;
  /** In insertion order. */
  entries(): readonly T[];
};

const hashOf = (key: Uint8Array): number => {
  const { length } = key;
  let hash = length;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    const word =
      (key[i] as number) |
      ((key[i + 1] as number) << 8) |
      ((key[i + 2] as number) << 16) |
      ((key[i + 3] as number) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; i < length; i++) hash = Math.imul(hash ^ (key[i] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
};

export const createByteMap = <T extends Keyed>(): ByteMap<T> => {
  const list: T[] = [];
  const hashes: number[] = [];
  /** Open addressing: index into `list` plus one, 0 = free. */
  let slots = new Int32Array(64);

  const place = (index: number, hash: number): void => {
    const mask = slots.length - 1;
    let at = hash & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = index + 1;
  };

  return {
    get: (key) => {
      const hash = hashOf(key);
      const mask = slots.length - 1;
      for (let at = hash & mask; slots[at] !== 0; at = (at + 1) & mask) {
        const index = (slots[at] as number) - 1;
        if (hashes[index] !== hash) continue;
        const entry = list[index] as T;
        if (equalBytes(entry.key, key)) return entry;
      }
      return undefined;
    },
    add: (entry) => {
      const hash = hashOf(entry.key);
      list.push(entry);
      hashes.push(hash);
      if (list.length * 2 > slots.length) {
        slots = new Int32Array(slots.length * 4);
        for (let index = 0; index < list.length; index++) place(index, hashes[index] as number);
        return;
      }
      place(list.length - 1, hash);
    },
    entries: () => list,
  };
};
