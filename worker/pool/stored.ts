import { NodeError } from '../../src/protocol/errors.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { bytesToExtrinsicHash, type ExtrinsicHash, extrinsicHashToBytes } from '../codec/identity.ts';
import { createBatch, type Database } from '../db/database.ts';
import type { Pool } from './pool.ts';
import type { PoolEntry, PoolTransaction, TransactionSource } from './transaction.ts';

/** The pool's transactions on disk, so that a restart, or a reload of the tab, does not lose them. */
export type StoredPool = {
  /**
   * Submits the stored transactions in their order. Resolves after the first ones, so that a client that connects
   * after a start finds them; thousands more follow in the background.
   */
  restore(): Promise<void>;
  /** Stops following the pool, and writes what has changed. */
  close(): Promise<void>;
};

export type StoredPoolDeps = {
  readonly db: Pick<Database, 'range' | 'write'>;
  readonly pool: Pick<Pool, 'get' | 'hashOf' | 'fill' | 'onChange'>;
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

/** A start waits for this many transactions: about 50 ms. */
const awaited = 64;

/**
 * Records of transactions that have left the pool are deleted together, with the next write or after this time: a
 * record too many does no harm, because the runtime refuses its transaction at the next start.
 */
const deleteAfterMs = 1000;

/** Value: u32 order of arrival, u8 source, the extrinsic. */
const encodeRecord = (order: number, { extrinsic, source }: PoolEntry): Uint8Array =>
  new Writer(extrinsic.length + 5).u32(order).u8(source).raw(extrinsic).finish();

const decodeRecord = (value: Uint8Array): PoolEntry & { readonly order: number } => {
  const reader = new Reader(value);
  const [order, source] = [reader.u32(), reader.u8()];
  return { order, source: source as TransactionSource, extrinsic: value.subarray(5) };
};

/** Follows every key of the store that has the same beginning. */
const afterAll = new Uint8Array(33).fill(0xff);
/** Among the pool's records, two bytes of the hash leave hardly any other beside a damaged one. */
const longestPrefix = 2;

/** The intact records whose keys begin with `prefix`. Those that share a damaged one's beginning are left out, and reported. */
const readIntact = async (
  db: Pick<Database, 'range'>,
  onDamage: (error: NodeError) => void,
  prefix: readonly number[] = [],
): Promise<[Uint8Array, Uint8Array][]> => {
  const range = { from: Uint8Array.from(prefix), to: Uint8Array.of(...prefix, ...afterAll), isCounted: true };
  try {
    return await db.range('pool', prefix.length === 0 ? {} : range);
  } catch (error) {
    if (!(error instanceof NodeError) || error.code !== 'StorageBroken') throw error;
    if (prefix.length === longestPrefix) {
      onDamage(error);
      return [];
    }
  }
  const records: [Uint8Array, Uint8Array][] = [];
  for (let byte = 0; byte < 256; byte++) records.push(...(await readIntact(db, onDamage, [...prefix, byte])));
  return records;
};

type Changed = Map<ExtrinsicHash, PoolTransaction | null>;

/** The records on disk. Writes one batch at a time; what changes meanwhile goes into the next. */
const createRecords = ({ db, pool, onError }: Omit<StoredPoolDeps, 'schedule'>) => {
  const stored = new Set<ExtrinsicHash>();
  /** What has entered or left since the last write. */
  let changed: Changed = new Map();
  let order = 0;
  let writing: Promise<void> | null = null;

  const isMissing = (hash: ExtrinsicHash): boolean => !stored.has(hash) && pool.get(hash) !== null;
  const draft = (taken: Changed) => {
    const batch = createBatch();
    for (const [hash, transaction] of taken) {
      const key = extrinsicHashToBytes(hash);
      if (stored.has(hash) && pool.get(hash) === null) batch.deletes.push(['pool', key]);
      else if (transaction !== null && isMissing(hash))
        batch.puts.push(['pool', key, encodeRecord(order++, transaction)]);
    }
    return batch;
  };
  const writeOnce = async (): Promise<void> => {
    const taken = changed;
    changed = new Map();
    const batch = draft(taken);
    if (batch.puts.length + batch.deletes.length === 0) return;
    try {
      await db.write(batch);
    } catch (error) {
      // The next write tries again.
      for (const [hash, transaction] of taken)
        if (!changed.has(hash) && (stored.has(hash) || isMissing(hash))) changed.set(hash, transaction);
      throw error;
    }
    for (const [, key] of batch.deletes) stored.delete(bytesToExtrinsicHash(key));
    for (const [, key] of batch.puts) stored.add(bytesToExtrinsicHash(key));
  };
  const writeAll = async (): Promise<void> => {
    // What one call adds is written together.
    await null;
    try {
      do await writeOnce();
      while ([...changed.keys()].some(isMissing));
    } finally {
      // In the same turn: what changes in the next one needs a write of its own.
      writing = null;
    }
  };
  return {
    isMissing,
    change: (hash: ExtrinsicHash, transaction: PoolTransaction | null): void =>
      void changed.set(hash, transaction),
    write: (): Promise<void> => {
      writing ??= writeAll();
      return writing;
    },
    /** The stored transactions in their order of arrival. A damaged record is reported and left for a repair. */
    load: async (): Promise<PoolEntry[]> => {
      const records = (await readIntact(db, onError)).map(([, value]) => decodeRecord(value));
      records.sort((a, b) => a.order - b.order);
      order = (records.at(-1)?.order ?? -1) + 1;
      for (const { extrinsic } of records) stored.add(pool.hashOf(extrinsic));
      return records;
    },
  };
};

/** Follows the pool. Call `restore` once, before anything is submitted. */
export const storePool = (deps: StoredPoolDeps): StoredPool => {
  const { pool, schedule, onError } = deps;
  const records = createRecords(deps);
  let cancel: (() => void) | null = null;
  let isClosed = false;
  const write = (): void => {
    cancel = null;
    records.write().catch(onError);
  };
  const note = (hash: ExtrinsicHash, transaction: PoolTransaction | null): void => {
    records.change(hash, transaction);
    if (records.isMissing(hash)) records.write().catch(onError);
    else cancel ??= schedule(deleteAfterMs, write);
  };
  const stop = pool.onChange((transaction) => note(transaction.hash, transaction));
  /** Submits them; those that the pool does not keep lose their records. */
  const fill = async (entries: readonly PoolEntry[]): Promise<void> => {
    await pool.fill(entries);
    if (isClosed) return;
    for (const { extrinsic } of entries) {
      const hash = pool.hashOf(extrinsic);
      if (pool.get(hash) === null) note(hash, null);
    }
  };
  return {
    restore: async () => {
      const entries = await records.load();
      if (entries.length === 0) return;
      await fill(entries.slice(0, awaited)).catch(onError);
      fill(entries.slice(awaited)).catch(onError);
    },
    close: async () => {
      isClosed = true;
      stop();
      cancel?.();
      await records.write().catch(() => undefined);
      await records.write();
    },
  };
};
