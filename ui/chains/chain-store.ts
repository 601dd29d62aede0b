import { deleteDB, openDB } from 'idb';
import type { ChainPayload } from './chain-entry.ts';

const database = 'tabnode-devtools';
const store = 'payloads';

const openPayloads = () =>
  openDB(database, 1, {
    upgrade: (db) => {
      db.createObjectStore(store);
    },
  });

/** Keeps the specification or the runtime of a chain. */
export const savePayload = async (id: string, payload: ChainPayload): Promise<void> => {
  const db = await openPayloads();
  try {
    await db.put(store, payload, id);
  } finally {
    db.close();
  }
};

export const loadPayload = async (id: string): Promise<ChainPayload | null> => {
  const db = await openPayloads();
  try {
    return ((await db.get(store, id)) as ChainPayload | undefined) ?? null;
  } finally {
    db.close();
  }
};

/** Forgets a chain: its payload and its whole database. Rejects while a tab has it open. */
export const deleteChain = async (id: string): Promise<void> => {
  const db = await openPayloads();
  try {
    await db.delete(store, id);
  } finally {
    db.close();
  }
  await new Promise<void>((resolve, reject) => {
    const inUse = () => reject(new Error('The chain is open in another tab: close it there first.'));
    deleteDB(id, { blocked: inUse }).then(resolve, reject);
  });
};

const batchSize = 500;

/** Copies a chain's database, record by record in batches, and its payload. The chain must not be running. */
export const copyChain = async (from: string, to: string): Promise<void> => {
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
};
