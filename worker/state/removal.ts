import type { KeyRange } from './backend.ts';
import type { KeySpace } from './key-space.ts';

/**
 * The result of a prefix removal. Pallets store these numbers, so they are consensus-critical (sp-externalities,
 * `MultiRemovalResults`).
 */
export type Removal = {
  /** The first remaining key of the committed state; null if all were removed. */
  readonly cursor: Uint8Array | null;
  /** Number of keys of the committed state that were not already deleted. */
  readonly backend: number;
  /** `backend` plus the written keys that had a value. */
  readonly unique: number;
  /**
   * Number of keys of the committed state that were visited: the return value of the older host functions.
   */
  readonly loops: number;
};

export type RemovalLimits = {
  /** Maximum number of keys of the committed state to visit; null = all. */
  readonly limit: number | null;
  /** Where to continue, inclusive. */
  readonly cursor: Uint8Array | null;
};

export const noRemoval: Removal = { cursor: null, backend: 0, unique: 0, loops: 0 };

/**
 * Deletes the written keys under a prefix, then those of the committed state up to the limit. Changes nothing
 * on a miss.
 */
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
