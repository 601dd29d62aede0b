import { deleteDB, openDB } from 'idb';
import { chainLock } from '../../../src/protocol/chain-id.ts';
import { type ChainEntry, type ChainPayload, chainId } from './chain-entry.ts';

/** The page's own database, separate from those of the chains. */
export const ownDatabase = 'tabnode-devtools';
const payloads = 'payloads';
/** A second copy of the chain list, because local storage is lost more easily. */
const entries = 'entries';

const openOwn = () =>
  openDB(ownDatabase, 2, {
    upgrade: (db, oldVersion) => {
      if (oldVersion < 1) db.createObjectStore(payloads);
      if (oldVersion < 2) db.createObjectStore(entries);
    },
  });

type Work<T> = (db: Awaited<ReturnType<typeof openOwn>>) => Promise<T>;

const useOnce = async <T>(work: Work<T>): Promise<T> => {
  const db = await openOwn();
  try {
    return await work(db);
  } finally {
    db.close();
  }
};

/** Errors of requests that the browser ended because it closed the database, as it may at any moment. */
const interruptions: ReadonlySet<string> = new Set(['AbortError', 'InvalidStateError']);

/** `work` is done once more if the browser has closed the database during it; it must be repeatable. */
const useOwn = <T>(work: Work<T>): Promise<T> =>
  useOnce(work).catch((fault: unknown) => {
    if (!interruptions.has((fault as Error).name)) throw fault;
    return useOnce(work);
  });

/** Stores these chain entries; entries of other chains are kept. */
export const saveEntries = (list: readonly ChainEntry[]): Promise<void> =>
  useOwn(async (db) => {
    const { store, done } = db.transaction(entries, 'readwrite');
    for (const entry of list) void store.put(entry, entry.id);
    await done;
  });

/** The stored entries, not validated. */
export const loadEntries = (): Promise<readonly unknown[]> => useOwn((db) => db.getAll(entries));

/** Stores the chain spec or runtime of a chain. */
export const savePayload = (id: string, payload: ChainPayload): Promise<void> =>
  useOwn(async (db) => {
    await db.put(payloads, payload, id);
  });

export const loadPayload = (id: string): Promise<ChainPayload | null> =>
  useOwn(async (db) => ((await db.get(payloads, id)) as ChainPayload | undefined) ?? null);

/** Longer than a tab needs to shut down its node. */
const closeMs = 15_000;

const inUse = (): Error => new Error('The chain is open in another tab. Close it there first.');

/**
 * Does something with a chain's database once no node uses it; none can be started before it is done. Rejects if a tab does
 * not release the chain in time, or, unless it `waits`, if one has it open. Pages that are not secure have no locks.
 */
const whileClosed = async <T>(id: string, work: () => Promise<T>, waits = true): Promise<T> => {
  if (navigator.locks === undefined) return work();
  const late = AbortSignal.timeout(closeMs);
  const options = waits ? { signal: late } : { ifAvailable: true };
  try {
    return await navigator.locks.request(chainLock(id), options, (lock) =>
      lock === null ? Promise.reject(inUse()) : work(),
    );
  } catch (fault) {
    throw fault === late.reason ? inUse() : fault;
  }
};

/** The names of the databases, as far as the browser lists them. */
const databaseNames = async (): Promise<readonly string[]> => {
  try {
    return ((await indexedDB.databases?.()) ?? []).flatMap(({ name }) => name ?? []);
  } catch {
    return [];
  }
};

/**
 * Runs one creation of a chain at a time in all tabs, because two could take the same id. The work gets the ids that have a
 * database. If another tab takes too long, it is no longer waited for.
 */
export const inTurn = async <T>(work: (taken: readonly string[]) => Promise<T>): Promise<T> => {
  let hasBegun = false;
  const begin = async (): Promise<T> => {
    hasBegun = true;
    // Another tab's list may arrive later than its lock.
    return work(await databaseNames());
  };
  if (navigator.locks === undefined) return begin();
  const options = { signal: AbortSignal.timeout(closeMs) };
  try {
    return await navigator.locks.request('tabnode-new-chain', options, begin);
  } catch (fault) {
    if (hasBegun) throw fault;
    return begin();
  }
};

/**
 * Deletes a chain's database, payload and entry, once the tab that runs its node has stopped it; rejects if that takes too
 * long, or at once unless it `waits`. `onDeleted` is called before another node can create the database anew.
 */
export const deleteChain = (
  id: string,
  onDeleted: () => void = () => undefined,
  waits = true,
): Promise<void> =>
  whileClosed(
    id,
    async () => {
      await new Promise<void>((resolve, reject) => {
        deleteDB(id, { blocked: () => reject(inUse()) }).then(resolve, reject);
      });
      await useOwn((db) => Promise.all([db.delete(payloads, id), db.delete(entries, id)]));
      onDeleted();
    },
    waits,
  );

const batchSize = 500;

/** Stands in place of the payload until a copy is whole: a reload may have ended it. */
type Unfinished = { readonly copyBegunMs: number };
/** After this time, no tab still makes the copy. */
const copyLimitMs = 3_600_000;

/** Whether the chain is a copy that is not whole. Deletes one that was given up. */
export const isUnfinishedCopy = async (id: string): Promise<boolean> => {
  const { copyBegunMs } = ((await loadPayload(id)) ?? {}) as Partial<Unfinished>;
  if (copyBegunMs === undefined) return false;
  // The clock may have been set back since.
  if (Math.abs(Date.now() - copyBegunMs) > copyLimitMs) await deleteChain(id).catch(() => undefined);
  return true;
};

/** Copies a chain's database record by record, in batches, and its payload. */
const copyTo = async (from: string, to: string): Promise<void> => {
  const begun: Unfinished = { copyBegunMs: Date.now() };
  await useOwn((db) => db.put(payloads, begun, to));
  const source = await openDB(from);
  const names = [...source.objectStoreNames];
  const target = await openDB(to, source.version, {
    upgrade: (db) => {
      for (const name of names) {
        const { keyPath, autoIncrement } = source.transaction(name).store;
        db.createObjectStore(name, { keyPath, autoIncrement });
      }
    },
  });
  try {
    for (const name of names) {
      let after: IDBKeyRange | null = null;
      for (;;) {
        const keys = await source.getAllKeys(name, after, batchSize);
        const values = await source.getAll(name, after, batchSize);
        const last = keys.at(-1);
        if (last === undefined) break;
        const { store: into, done } = target.transaction(name, 'readwrite');
        keys.forEach((key, index) => void into.put(values[index], into.keyPath === null ? key : undefined));
        await done;
        after = IDBKeyRange.lowerBound(last, true);
      }
    }
  } finally {
    source.close();
    target.close();
  }
  const payload = await loadPayload(from);
  if (payload !== null) await savePayload(to, payload);
  else await useOwn((db) => db.delete(payloads, to));
};

/** Copies a chain, which must not be running. Returns the id of the copy, which is not one of `taken`. */
export const copyChain = async (from: string, name: string, taken: readonly string[]): Promise<string> => {
  const others = [...taken];
  let id = chainId(name, others);
  for (; await isUnfinishedCopy(id); id = chainId(name, others)) others.push(id);
  try {
    await whileClosed(from, () => copyTo(from, id));
    return id;
  } catch (fault) {
    await deleteChain(id).catch(() => undefined);
    throw fault;
  }
};
