import { deleteDB, openDB } from 'idb';
import { chainLock, sharedNodes } from '../../../src/protocol/chain-id.ts';
import { type ChainEntry, type ChainPayload, chainId, isEntry } from './chain-entry.ts';
import { forgetKept, readListCopy } from './list-copy.ts';
import { pairDatabase } from './pair-database.ts';

/** The page's own database, separate from those of the chains. */
export const ownDatabase = 'tabnode-devtools';
const payloads = 'payloads';
/** The list of chains: one record for each, which all tabs change in transactions. */
const entries = 'entries';

const openOwn = () =>
  openDB(ownDatabase, 3, {
    upgrade: (db, oldVersion, _newVersion, transaction) => {
      if (oldVersion < 1) db.createObjectStore(payloads);
      if (oldVersion < 2) db.createObjectStore(entries);
      if (oldVersion >= 3) return;
      // A new visitor's first chain, or the list of a browser that kept it in local storage.
      for (const entry of readListCopy()) void transaction.objectStore(entries).put(entry, entry.id);
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

const inOrder = (records: readonly unknown[]): readonly ChainEntry[] =>
  records.filter(isEntry).sort((one, other) => one.createdMs - other.createdMs);

/** The list of chains, the oldest first, with those that are being deleted. */
export const readEntries = (): Promise<readonly ChainEntry[]> =>
  useOwn(async (db) => inOrder(await db.getAll(entries)));

/**
 * Changes entries of the list of chains, or adds some, in one transaction, so that no change of another tab is lost. Resolves to
 * the new list. `change` may be called twice.
 */
export const changeEntries = (
  change: (all: readonly ChainEntry[]) => readonly ChainEntry[],
): Promise<readonly ChainEntry[]> =>
  useOwn(async (db) => {
    const { store, done } = db.transaction(entries, 'readwrite');
    const before = inOrder(await store.getAll());
    const after = change(before);
    const changed = after.filter((entry) => !before.includes(entry));
    await Promise.all([...changed.map((entry) => store.put(entry, entry.id)), done]);
    return after;
  });

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
export const whileClosed = async <T>(id: string, work: () => Promise<T>, waits = true): Promise<T> => {
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

/** The names of the databases; null if the browser does not list them. */
export const databaseNames = async (): Promise<readonly string[] | null> => {
  try {
    return (await indexedDB.databases?.())?.flatMap(({ name }) => name ?? []) ?? null;
  } catch {
    return null;
  }
};

/** Databases that are no chain of the list, whether they exist yet or not. */
export const otherDatabases: readonly string[] = [ownDatabase, pairDatabase, sharedNodes];

/** Ids that a new chain cannot have: those of entries, of databases, and of copies that are not whole. */
const takenIds = async (): Promise<readonly string[]> => {
  const keys = await useOwn((db) => Promise.all([db.getAllKeys(entries), db.getAllKeys(payloads)])).catch(
    () => [],
  );
  return [...otherDatabases, ...keys.flat().map(String), ...((await databaseNames()) ?? [])];
};

/**
 * Runs one creation of a chain at a time in all tabs, because two could take the same id. The work gets the ids that are taken.
 * If another tab takes too long, it is no longer waited for.
 */
export const inTurn = async <T>(work: (taken: readonly string[]) => Promise<T>): Promise<T> => {
  let hasBegun = false;
  const begin = async (): Promise<T> => {
    hasBegun = true;
    return work(await takenIds());
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

/** Deletes what is stored of a chain if its entry allows it, once no tab runs its node. */
const erase = (id: string, mayErase: (entry: Partial<ChainEntry> | undefined) => boolean, waits = true) =>
  whileClosed(
    id,
    async () => {
      if (!mayErase(await useOwn((db) => db.get(entries, id)))) return;
      await new Promise<void>((resolve, reject) => {
        deleteDB(id, { blocked: () => reject(inUse()) }).then(resolve, reject);
      });
      await useOwn((db) => Promise.all([db.delete(payloads, id), db.delete(entries, id)]));
      forgetKept(id);
    },
    waits,
  );

/**
 * Deletes a chain that is marked as deleted in the list, if another tab has not done so yet. Rejects if a tab does not release it
 * in time, or, unless this one `waits`, if one has it open.
 */
export const deleteChain = (id: string, waits = true): Promise<void> =>
  erase(id, (entry) => entry?.isDeleted === true, waits);

/** Deletes what is stored under an id that is not in the list, and which no tab is giving to a new chain. */
export const deleteUnlisted = (id: string): Promise<void> => erase(id, (entry) => entry === undefined);

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
  if (Math.abs(Date.now() - copyBegunMs) > copyLimitMs) await deleteUnlisted(id).catch(() => undefined);
  return true;
};

/** Copies a chain's database record by record, in batches, and its payload. */
const copyTo = async (from: string, to: string): Promise<void> => {
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

/** Copies a chain, which must not be running. Returns the id of the copy. */
export const copyChain = async (from: string, name: string): Promise<string> => {
  const id = await inTurn(async (taken) => {
    const free = chainId(name, taken);
    const begun: Unfinished = { copyBegunMs: Date.now() };
    await useOwn((db) => db.put(payloads, begun, free));
    return free;
  });
  try {
    await whileClosed(from, () => whileClosed(id, () => copyTo(from, id)));
    return id;
  } catch (fault) {
    await deleteUnlisted(id).catch(() => undefined);
    throw fault;
  }
};
