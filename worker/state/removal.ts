import type { KeyRange } from './backend.ts';
import type { KeySpace } from './key-space.ts';

/** What a prefix removal did; pallets store these numbers, so they are consensus (HOST §1.4). */
export type Removal = {
  /** The first key of the committed state that was left; null = all removed. */
  readonly cursor: Uint8Array | null;
  /** Keys of the committed state that were not deleted already. */
  readonly backend: number;
  /** `backend` and the written keys that had a value. */
  readonly unique: number;
  /** Keys of the committed state that were visited: what the older versions of the host functions return. */
  readonly loops: number;
};

export type RemovalLimits = {
  /** How many keys of the committed state may be visited; null = all. */
  readonly limit: number | null;
  /** Where to go on, inclusive. */
  readonly cursor: Uint8Array | null;
};

export const noRemoval: Removal = { cursor: null, backend: 0, unique: 0, loops: 0 };

/** Deletes the written keys under a prefix, then those of the committed state up to the limit. A miss changes nothing. */
export const removeUnder = (
  space: KeySpace,
  visitKeys: (range: KeyRange, visit: (key: Uint8Array) => boolean) => void,
  prefix: Uint8Array,
  { limit, cursor }: RemovalLimits,
): Removal => {
  const keys: Uint8Array[] = [];
  let left: Uint8Array | null = null;
  visitKeys({ prefix, start: cursor, inclusive: true }, (key) => {
    if (limit !== null && keys.length >= limit) {
      left = key;
      return false;
    }
    keys.push(key);
    return true;
  });
  const written = space.clearWritten(prefix);
  let backend = 0;
  for (const key of keys) if (space.clearBelow(key)) backend++;
  return { cursor: left, backend, unique: written + backend, loops: keys.length };
};
