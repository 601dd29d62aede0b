import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey, concatBytes, textToBytes } from '../bytes/bytes.ts';
import { persistentKey } from '../chain/records.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import { createBackgroundWrites } from '../db/background-writes.ts';
import type { Batch, Database } from '../db/database.ts';
import { createQuota } from './quota.ts';

/**
 * The owner of a value: null for PERSISTENT, which is independent of forks; a block for LOCAL, whose values
 * are visible only to that block.
 */
export type Owner = BlockHash | null;

/** The offchain database, for workers (synchronous if the store is) and for JSON-RPC. */
export type OffchainStorage = {
  /** Undefined if it cannot be known without reading the disk: call `load` and try again. */
  peek(owner: Owner, key: Uint8Array): Uint8Array | null | undefined;
  load(owner: Owner, key: Uint8Array): Promise<Uint8Array | null>;
  /**
   * Null removes the value. Visible at once; resolves when it is on disk. If it rejects, the value is what it was.
   * Values set by a retracted block are dropped.
   */
  write(owner: Owner, key: Uint8Array, value: Uint8Array | null): Promise<void>;
  /**
   * The same for clients, whose values are bounded together with those of workers: they are safe calls of strangers.
   * Throws `LimitReached`.
   */
  set(owner: Owner, key: Uint8Array, value: Uint8Array): Promise<void>;
  /** Invalidates the cached values of keys that a block import wrote to PERSISTENT directly. */
  changed(keys: readonly Uint8Array[]): void;
  /** Invalidates the whole cache, because a snapshot was restored directly. */
  reload(): void;
  /** LOCAL values are removed with their block. */
  onBestMoved(enacted: readonly BlockHash[], retracted: readonly BlockHash[]): void;
  /** Resolves when all writes in progress are done; rejects if one of them fails. */
  flush(): Promise<void>;
};

const localPrefix = /* @__PURE__ */ textToBytes('local');
/** Number of blocks whose LOCAL values are kept. No later block can read them, so only the newest matter. */
const localBlocks = 64;
const retractedBlocks = 1024;
const cachedValues = 4096;

const localKey = (block: BlockHash): Uint8Array => concatBytes(localPrefix, blockHashToBytes(block));
const recordKey = (owner: Owner, key: Uint8Array): Uint8Array =>
  owner === null ? persistentKey(key) : concatBytes(localKey(owner), key);

/** The first key after all keys with a prefix. Not used with a prefix of 0xff bytes. */
const afterPrefix = (prefix: Uint8Array): Uint8Array => {
  const out = prefix.slice();
  let at = out.length - 1;
  while (at >= 0 && out[at] === 0xff) at--;
  out[at] = (out[at] ?? 0) + 1;
  return out.subarray(0, at + 1);
};

type Records = {
  peek(key: Uint8Array): Uint8Array | null | undefined;
  load(key: Uint8Array): Promise<Uint8Array | null>;
  keep(key: Uint8Array, value: Uint8Array | null): void;
  drop(keys: readonly Uint8Array[]): void;
  clear(): void;
};

/** For an asynchronous database (IndexedDB): a cache of the values read and written recently. */
const createCache = (db: Pick<Database, 'get'>): Records => {
  const values = createBoundedMap<string, Uint8Array | null>(cachedValues);
  let generation = 0;
  const keep = (key: Uint8Array, value: Uint8Array | null): void =>
    values.keep(bytesToKey(key), value?.slice() ?? null);
  return {
    peek: (key) => values.get(bytesToKey(key)),
    load: async (key) => {
      const before = generation;
      const value = await db.get('offchain', key);
      // Values written while the read was in progress are newer.
      if (before === generation && !values.has(bytesToKey(key))) keep(key, value);
      return value;
    },
    keep,
    drop: (keys) => {
      generation++;
      for (const key of keys) values.delete(bytesToKey(key));
    },
    clear: () => {
      generation++;
      values.clear();
    },
  };
};

/** SQLite and the memory database read synchronously, and see writes that have not been awaited. */
const createDirect = (getSync: NonNullable<Database['getSync']>): Records => ({
  peek: (key) => getSync('offchain', key),
  load: async (key) => getSync('offchain', key),
  keep: () => undefined,
  drop: () => undefined,
  clear: () => undefined,
});

/** The LOCAL values of blocks other than the best one are left over from an earlier run. */
const loadLocalBlocks = async (db: Database, best: BlockHash): Promise<Set<BlockHash>> => {
  const found = await db.range('offchain', { from: localPrefix, to: afterPrefix(localPrefix) });
  const start = localPrefix.length;
  const stale = found.filter(([key]) => bytesToBlockHash(key.subarray(start, start + 32)) !== best);
  if (stale.length > 0)
    await db.write({ puts: [], deletes: stale.map(([key]) => ['offchain', key] as const) });
  return new Set(found.length > stale.length ? [best] : []);
};

/** Opens the offchain database of a chain. */
export const openOffchainStorage = async (
  db: Database,
  best: BlockHash,
  onError: (error: unknown) => void,
): Promise<OffchainStorage> => {
  const { getSync } = db;
  const records = getSync === undefined ? createCache(db) : createDirect(getSync);
  const withLocals = await loadLocalBlocks(db, best);
  const retracted = createBoundedMap<BlockHash, true>(retractedBlocks);
  const writes = createBackgroundWrites(onError);
  const quota = createQuota(db, records.load);
  const forget = async (block: BlockHash): Promise<void> => {
    quota.forget();
    const from = localKey(block);
    const found = await db.range('offchain', { from, to: afterPrefix(from) });
    const keys = found.map(([key]) => key);
    records.drop(keys);
    await db.write({ puts: [], deletes: keys.map((key) => ['offchain', key] as const) });
  };
  const forgetAll = (blocks: Iterable<BlockHash>): void => {
    for (const block of blocks) {
      if (!withLocals.delete(block)) continue;
      // After a failure, they are removed with later ones.
      void writes.add(forget(block)).catch(() => withLocals.add(block));
    }
  };
  const write = (owner: Owner, key: Uint8Array, value: Uint8Array | null): Promise<void> => {
    if (owner !== null && retracted.has(owner)) return Promise.resolve();
    quota.forget();
    const record = recordKey(owner, key);
    records.keep(record, value);
    const batch: Batch =
      value === null
        ? { puts: [], deletes: [['offchain', record]] }
        : { puts: [['offchain', record, value]], deletes: [] };
    // The cache must not show a value that is not on disk.
    const written = db.write(batch).catch((error: unknown) => {
      quota.forget();
      records.drop([record]);
      throw error;
    });
    if (owner !== null) {
      withLocals.delete(owner);
      withLocals.add(owner);
      forgetAll([...withLocals].slice(0, -localBlocks));
    }
    return writes.add(written);
  };
  return {
    peek: (owner, key) => records.peek(recordKey(owner, key)),
    load: (owner, key) => records.load(recordKey(owner, key)),
    write,
    set: (owner, key, value) => quota.add(recordKey(owner, key), value, () => write(owner, key, value)),
    changed: (keys) => {
      quota.forget();
      records.drop(keys.map(persistentKey));
    },
    reload: () => {
      quota.forget();
      records.clear();
    },
    onBestMoved: (enacted, lost) => {
      for (const block of enacted) retracted.delete(block);
      for (const block of lost) retracted.keep(block, true);
      forgetAll(lost);
    },
    flush: writes.flush,
  };
};
