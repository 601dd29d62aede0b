import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey, keyToBytes } from '../bytes/bytes.ts';

/** A record as it is stored, and when it was last used, in seconds since 1970. */
export type UsedRecord = { readonly value: Uint8Array; readonly usedAt: number };

export type NodeStoreBatch = {
  /** Records to add. One that is there keeps its value, unless it `replaces`, and counts as used. */
  readonly puts: readonly {
    readonly key: Uint8Array;
    readonly value: Uint8Array;
    readonly replaces: boolean;
  }[];
  /** Records that were read. */
  readonly used: readonly Uint8Array[];
  /** In seconds since 1970. */
  readonly usedAt: number;
};

/**
 * Where a store of nodes keeps its records: a file or a database of the browser that several processes or tabs use at
 * once. Each call is one transaction.
 */
export type NodeStoreEngine = {
  read(keys: readonly Uint8Array[]): Promise<readonly (UsedRecord | null)[]>;
  /** Resolves to the number of bytes of all values afterwards. */
  write(batch: NodeStoreBatch): Promise<number>;
  /**
   * Deletes the records that were not used for longest: as many as have `bytes` together, but at most `most`. Resolves as
   * `write` does.
   */
  removeOldest(most: number, bytes: number): Promise<number>;
  close(): Promise<void>;
};

/**
 * Records that all forks of one browser or base path share: verified trie nodes by their hash, and a few others. It is a
 * cache: nothing that goes wrong with it is an error of the fork.
 */
export type NodeStore = {
  readonly limitBytes: number;
  /** Null for each key without a record, or if the store cannot be read. Never rejects. */
  read(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | null)[]>;
  /** Adds a record later. `replaces`: also if there is one with this key. */
  add(key: Uint8Array, value: Uint8Array, replaces?: boolean): void;
  /** Writes what waits, within a time limit. */
  close(): Promise<void>;
};

export type NodeStoreDeps = {
  /** Opens it when it is first used. Throws what keeps it from being used. */
  open(): Promise<NodeStoreEngine>;
  /** Milliseconds since 1970. */
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  onError(error: unknown): void;
};

/** Of one transaction, so that it does not hold up a block. */
const sliceBytes = 256 * 1024;
const sliceRecords = 256;
/** Between the first record that waits and the write. */
const writeAfterMs = 100;
/** What waits for a disk that is slower than the network; more is not stored. */
const mostWaitingBytes = 32 * 1024 * 1024;
/** The use of a record is noted once in so many seconds, because that writes it again. */
const noteUseAfter = 3600;
const mostNoted = 4096;
/** Records that are deleted in one transaction. */
const removedAtOnce = 256;
/** Above the limit, so much of it is kept, so that records are not deleted again at once. */
const keptShare = 0.9;
/** A read or write that takes longer is not waited for. */
const patienceMs = 3000;
/** After so many failures in a row, the store is not used any more. */
const mostFailures = 3;

/** Resolves as the work does, or rejects once it has taken too long. */
const inTime = async <T>(work: Promise<T>, schedule: NodeStoreDeps['schedule']): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const cancel = schedule(patienceMs, () => late.reject(new Error('The store of nodes does not respond')));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
};

/** The engine, opened once, until it has failed too often. The last of the failures is reported. */
const createUse = ({ open, schedule, onError }: NodeStoreDeps) => {
  let opening: Promise<NodeStoreEngine | null> | null = null;
  let failures = 0;
  const begin = async (): Promise<NodeStoreEngine | null> => {
    try {
      return await inTime(open(), schedule);
    } catch (error) {
      failures = mostFailures;
      onError(error);
      return null;
    }
  };
  return {
    isUsable: (): boolean => failures < mostFailures,
    /** Null: it failed, or is not used any more. */
    use: async <T>(work: (engine: NodeStoreEngine) => Promise<T>): Promise<T | null> => {
      if (failures >= mostFailures) return null;
      opening ??= begin();
      const engine = await opening;
      if (engine === null) return null;
      try {
        const result = await inTime(work(engine), schedule);
        failures = 0;
        return result;
      } catch (error) {
        failures += 1;
        if (failures === mostFailures) onError(error);
        return null;
      }
    },
    close: async (): Promise<void> => {
      failures = mostFailures;
      await (await opening)?.close().catch(() => undefined);
    },
  };
};

type Waiting = { readonly value: Uint8Array; readonly replaces: boolean };

/** What is to be written, oldest first. */
const createWaiting = () => {
  const records = new Map<string, Waiting>();
  const used = new Map<string, Uint8Array>();
  let bytes = 0;
  return {
    isEmpty: (): boolean => records.size === 0 && used.size === 0,
    add: (key: Uint8Array, value: Uint8Array, replaces: boolean): void => {
      const id = bytesToKey(key);
      const old = records.get(id);
      if (bytes - (old?.value.length ?? 0) + value.length > mostWaitingBytes) return;
      bytes += value.length - (old?.value.length ?? 0);
      records.set(id, { value, replaces });
    },
    noteUse: (key: Uint8Array): void => {
      if (used.size < mostNoted) used.set(bytesToKey(key), key);
    },
    /** The next records, which wait no more. */
    take: (usedAt: number): NodeStoreBatch => {
      const puts: NodeStoreBatch['puts'][number][] = [];
      let size = 0;
      for (const [id, { value, replaces }] of records) {
        if (puts.length >= sliceRecords || size >= sliceBytes) break;
        records.delete(id);
        bytes -= value.length;
        size += value.length;
        puts.push({ key: keyToBytes(id), value, replaces });
      }
      const touched = [...used.values()].slice(0, sliceRecords);
      for (const key of touched) used.delete(bytesToKey(key));
      return { puts, used: touched, usedAt };
    },
  };
};

/** Keys whose records were added or found in the last time, and need not be written again. */
const keptKeys = 16_384;

export const createNodeStore = (deps: NodeStoreDeps, limitBytes: number): NodeStore => {
  const { now, schedule } = deps;
  const { use, isUsable, close } = createUse(deps);
  const waiting = createWaiting();
  const known = createBoundedMap<string, true>(keptKeys);
  const seconds = (): number => Math.floor(now() / 1000);
  let rest: (() => void) | null = null;
  let writing: Promise<void> | null = null;
  let isClosed = false;

  const shrink = async (stored: number): Promise<void> => {
    if (stored <= limitBytes) return;
    known.clear();
    const goal = Math.floor(limitBytes * keptShare);
    for (let bytes = stored; bytes > goal; ) {
      const tooMany = bytes - goal;
      const left = await use((engine) => engine.removeOldest(removedAtOnce, tooMany));
      // It failed, or the total is wrong.
      if (left === null || left >= bytes) return;
      bytes = left;
    }
  };
  const writeAll = async (): Promise<void> => {
    while (!waiting.isEmpty() && isUsable()) {
      const stored = await use((engine) => engine.write(waiting.take(seconds())));
      if (stored !== null) await shrink(stored);
    }
  };
  const write = (): Promise<void> => {
    rest?.();
    rest = null;
    writing ??= writeAll().finally(() => {
      writing = null;
    });
    return writing;
  };
  const writeSoon = (): void => {
    if (!isClosed && writing === null) rest ??= schedule(writeAfterMs, () => void write());
  };
  return {
    limitBytes,
    read: async (keys) => {
      const nothing = keys.map(() => null);
      if (isClosed || keys.length === 0) return nothing;
      const found = await use((engine) => engine.read(keys));
      if (found === null) return nothing;
      const due = seconds() - noteUseAfter;
      for (const [index, record] of found.entries()) {
        if (record === null) continue;
        const key = keys[index] as Uint8Array;
        known.keep(bytesToKey(key), true);
        if (record.usedAt <= due) waiting.noteUse(key);
      }
      if (!waiting.isEmpty()) writeSoon();
      return found.map((record) => record?.value ?? null);
    },
    add: (key, value, replaces = false) => {
      const id = bytesToKey(key);
      if (isClosed || !isUsable() || value.length > limitBytes || (!replaces && known.has(id))) return;
      known.keep(id, true);
      waiting.add(key, value, replaces);
      writeSoon();
    },
    close: async () => {
      if (isClosed) return;
      await inTime(write(), schedule).catch(() => undefined);
      isClosed = true;
      rest?.();
      await close();
    },
  };
};
