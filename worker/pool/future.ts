import type { ExtrinsicHash } from '../codec/identity.ts';
import { createSortedList } from './sorted-list.ts';
import { compareForEviction, type OnChange, type PoolTransaction } from './transaction.ts';

/** The transactions that wait for a tag, in order of arrival. Several may provide the same tag. */
export type FutureQueue = {
  readonly size: number;
  readonly bytes: number;
  get(hash: ExtrinsicHash): PoolTransaction | undefined;
  insert(transaction: PoolTransaction): void;
  /** Returns whether it was present. */
  remove(transaction: PoolTransaction): boolean;
  /** The transactions that require, or provide, one of the tags, oldest first. */
  requiring(tags: Iterable<string>): PoolTransaction[];
  providing(tags: Iterable<string>): PoolTransaction[];
  oldest(): PoolTransaction | undefined;
  /** The first one to be evicted for a better one, or the n-th after it. */
  worst(after: number): PoolTransaction | undefined;
  values(): IterableIterator<PoolTransaction>;
};

type TagIndex = {
  add(tags: readonly string[], transaction: PoolTransaction): void;
  remove(tags: readonly string[], transaction: PoolTransaction): void;
  find(tags: Iterable<string>): PoolTransaction[];
};

const createTagIndex = (): TagIndex => {
  const index = new Map<string, Set<PoolTransaction>>();
  return {
    add: (tags, transaction) => {
      for (const tag of tags) {
        const found = index.get(tag);
        if (found === undefined) index.set(tag, new Set([transaction]));
        else found.add(transaction);
      }
    },
    remove: (tags, transaction) => {
      for (const tag of tags) {
        const found = index.get(tag);
        if (found?.delete(transaction) === true && found.size === 0) index.delete(tag);
      }
    },
    find: (tags) => {
      const found = new Set<PoolTransaction>();
      for (const tag of tags) for (const transaction of index.get(tag) ?? []) found.add(transaction);
      return [...found].sort((a, b) => a.insertionId - b.insertionId);
    },
  };
};

/** Creates an empty future queue. */
export const createFutureQueue = (onChange: OnChange = () => undefined): FutureQueue => {
  const byAge = createSortedList<PoolTransaction>((a, b) => a.insertionId - b.insertionId);
  const worst = createSortedList<PoolTransaction>(compareForEviction);
  const all = new Map<ExtrinsicHash, PoolTransaction>();
  const required = createTagIndex();
  const provided = createTagIndex();
  let bytes = 0;
  return {
    get size() {
      return all.size;
    },
    get bytes() {
      return bytes;
    },
    get: (hash) => all.get(hash),
    insert: (transaction) => {
      all.set(transaction.hash, transaction);
      byAge.insert(transaction);
      worst.insert(transaction);
      required.add(transaction.requires, transaction);
      provided.add(transaction.provides, transaction);
      bytes += transaction.extrinsic.length;
      onChange(transaction);
    },
    remove: ({ hash }) => {
      const transaction = all.get(hash);
      if (transaction === undefined) return false;
      all.delete(hash);
      byAge.remove(transaction);
      worst.remove(transaction);
      required.remove(transaction.requires, transaction);
      provided.remove(transaction.provides, transaction);
      bytes -= transaction.extrinsic.length;
      onChange(transaction);
      return true;
    },
    requiring: required.find,
    providing: provided.find,
    oldest: byAge.first,
    worst: worst.at,
    values: () => byAge.snapshot().values(),
  };
};
