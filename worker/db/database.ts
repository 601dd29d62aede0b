import { NodeError } from '../../src/protocol/errors.ts';
import { type StoreName, stores } from './stores.ts';

/** Keys from `from` (inclusive) to `to` (exclusive), in byte order. `reverse` returns the last ones first. */
export type Range = {
  readonly from?: Uint8Array;
  readonly to?: Uint8Array;
  readonly reverse?: boolean;
  readonly limit?: number;
  /** The caller knows which keys must exist, so the engine need not check for damage that hides records. */
  readonly isCounted?: boolean;
};

/** The changes of one transaction. Deletes run first, then puts in order: the last put of a key wins. */
export type Batch = {
  readonly puts: readonly (readonly [store: StoreName, key: Uint8Array, value: Uint8Array])[];
  readonly deletes: readonly (readonly [store: StoreName, key: Uint8Array])[];
  /** Whether it must be on disk when the write resolves, whatever its stores ask for. Default: no. */
  readonly isStrict?: boolean;
};

/** A batch under construction. */
export type BatchBuilder = {
  readonly puts: Batch['puts'][number][];
  readonly deletes: Batch['deletes'][number][];
};

export const createBatch = (): BatchBuilder => ({ puts: [], deletes: [] });

/**
 * Ordered byte maps, one per store. Keys have at least one byte. Bytes are copied in
 * and out. A read issued after a write sees it, even if the write was not awaited. A read of a damaged record
 * rejects with `StorageBroken` (`proof` in stores.ts). So does every call after `close`.
 */
export type Database = {
  get(store: StoreName, key: Uint8Array): Promise<Uint8Array | null>;
  /** Results in the order of the keys. */
  getMany(store: StoreName, keys: readonly Uint8Array[]): Promise<(Uint8Array | null)[]>;
  /**
   * Which of the keys have a record, in order. Does not read the records, and does not search for damage when
   * it finds none.
   */
  hasMany(store: StoreName, keys: readonly Uint8Array[]): Promise<boolean[]>;
  /** Only if the store can return at once (memory, sqlite). */
  getSync?(store: StoreName, key: Uint8Array): Uint8Array | null;
  /**
   * The values of those keys that have a record, in any order: for a store whose keys are hashes of the values, which the
   * caller compares. Finds no damage. Only if one read of many takes less time than many.
   */
  getSome?(store: StoreName, keys: readonly Uint8Array[]): readonly Uint8Array[];
  range(store: StoreName, range?: Range): Promise<[Uint8Array, Uint8Array][]>;
  /**
   * One transaction, all or nothing. Durable when resolved, according to the stores' `durability`. Rejects
   * with `StorageQuota` or `StorageBroken`.
   */
  write(batch: Batch): Promise<void>;
  /** Why the database cannot be used, as far as it is known without using it; null if it can. */
  fault?(): NodeError | null;
  /** The size of the data, as far as the platform reports it. */
  sizeBytes(): Promise<number>;
  /** Waits for pending writes. Idempotent. */
  close(): Promise<void>;
};

/** Throws `StorageBroken` for a store that is not in the list (types are erased at a worker boundary). */
export const checkBatch = (batch: Batch): void => {
  for (const [store] of batch.puts) checkStore(store);
  for (const [store] of batch.deletes) checkStore(store);
};

export const checkStore = (store: StoreName): void => {
  if (!Object.hasOwn(stores, store)) throw new NodeError('StorageBroken', `There is no store "${store}"`);
};

/** Whether a batch touches a store that must be on disk when the write resolves. */
export const needsStrict = (batch: Batch): boolean =>
  batch.isStrict === true ||
  batch.puts.some(([store]) => stores[store].durability === 'strict') ||
  batch.deletes.some(([store]) => stores[store].durability === 'strict');

/** True if the range is empty (an engine may refuse such bounds). */
export const isEmptyRange = (range: Range, compare: (a: Uint8Array, b: Uint8Array) => number): boolean =>
  (range.limit !== undefined && range.limit <= 0) ||
  (range.to !== undefined && range.to.length === 0) ||
  (range.from !== undefined && range.to !== undefined && compare(range.from, range.to) >= 0);

export const closedError = (reason = 'The database is closed'): NodeError =>
  new NodeError('StorageBroken', reason);
