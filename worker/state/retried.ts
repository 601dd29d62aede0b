import { concatBytes } from '../bytes/bytes.ts';
import { locateMiss, MissingNodes } from '../trie/missing-nodes.ts';
import type { VisitKey } from '../trie/trie.ts';

/** A read whose misses lie on the path of `key`, in the main trie (`child` null) or a child's, unless they say otherwise. */
export const located = <T>(read: () => T, key: Uint8Array | null, child: Uint8Array | null): T => {
  try {
    return read();
  } catch (error) {
    locateMiss(error, key, child);
    throw error;
  }
};

const copied = (value: unknown): unknown => (value instanceof Uint8Array ? value.slice() : value);

/**
 * Attaches the failed read to a miss, and its place. The arguments may be views of memory that changes. `placeOf` returns
 * the child's name and the key that a read is about, as far as there is one.
 */
export const retried =
  <A extends unknown[], T>(
    read: (...args: A) => T,
    placeOf: (...args: A) => readonly [child: Uint8Array | null, key: Uint8Array | null],
  ) =>
  (...args: A): T => {
    try {
      return read(...args);
    } catch (error) {
      if (error instanceof MissingNodes) {
        const own = args.map(copied) as A;
        const [child, key] = placeOf(...own);
        locateMiss(error, key, child);
        error.again = () => located(() => read(...own), key, child);
      }
      throw error;
    }
  };

export const inMain = (key: Uint8Array): readonly [null, Uint8Array] => [null, key];
export const inChild = (name: Uint8Array, key: Uint8Array): readonly [Uint8Array, Uint8Array] => [name, key];
/** For reads that need a key's node but not its value, which may be large: the proof of a longer key has all but it. */
const without = (key: Uint8Array): Uint8Array => concatBytes(key, Uint8Array.of(0xff));
export const nodeInMain = (key: Uint8Array): readonly [null, Uint8Array] => [null, without(key)];
export const nodeInChild = (name: Uint8Array, key: Uint8Array): readonly [Uint8Array, Uint8Array] => [
  name,
  without(key),
];

/** A walk that missed is retried as a search for its next key. */
export const retriedWalk =
  <R extends { readonly prefix: Uint8Array; readonly start: Uint8Array | null }>(
    walk: (range: R, visit: VisitKey) => void,
    nextKey: (key: Uint8Array) => unknown,
  ): ((range: R, visit: VisitKey) => void) =>
  (range, visit) => {
    let last = range.start ?? range.prefix;
    try {
      walk(range, (key, inlineLength) => {
        last = key;
        return visit(key, inlineLength);
      });
    } catch (error) {
      if (error instanceof MissingNodes) nextKey(last);
      throw error;
    }
  };
