import { bytesToKey, equalBytes } from '../bytes/bytes.ts';
import type { Batch } from './database.ts';

/**
 * What an opener knows of the `meta` store: every record that it has read or written, in stored form. The store names
 * the chain and its heads, which each block changes. So a database that still has these records is the same one, and
 * nobody else has written to it.
 */
export type Known = {
  read(key: Uint8Array, value: Uint8Array | null): void;
  /** Notes the changes of a write. Call the returned function with whether it has succeeded. */
  writing(batch: Batch): (isDone: boolean) => void;
  keys(): readonly Uint8Array[];
  /** Whether the record can have this value. Either one is possible while a write is pending. */
  fits(key: Uint8Array, value: Uint8Array | null): boolean;
};

type Value = Uint8Array | null;

const isSame = (one: Value, other: Value): boolean =>
  one === null || other === null ? one === other : equalBytes(one, other);

const changesOf = ({ puts, deletes }: Batch): [Uint8Array, Value][] => [
  ...deletes.flatMap(([store, key]): [Uint8Array, Value][] => (store === 'meta' ? [[key, null]] : [])),
  ...puts.flatMap(([store, key, value]): [Uint8Array, Value][] => (store === 'meta' ? [[key, value]] : [])),
];

const noop = (): void => undefined;

export const createKnown = (): Known => {
  const records = new Map<string, { readonly key: Uint8Array; readonly value: Value }>();
  const pending = new Set<readonly [Uint8Array, Value][]>();
  return {
    read: (key, value) => void records.set(bytesToKey(key), { key, value }),
    writing: (batch) => {
      const changes = changesOf(batch);
      if (changes.length === 0) return noop;
      pending.add(changes);
      return (isDone) => {
        pending.delete(changes);
        // A write that failed because the browser closed the database may have reached the disk all the same.
        for (const [key, value] of changes)
          if (isDone) records.set(bytesToKey(key), { key, value });
          else records.delete(bytesToKey(key));
      };
    },
    keys: () => [...records.values()].map(({ key }) => key),
    fits: (key, value) =>
      isSame(records.get(bytesToKey(key))?.value ?? null, value) ||
      [...pending].flat().some(([one, next]) => equalBytes(one, key) && isSame(next, value)),
  };
};
