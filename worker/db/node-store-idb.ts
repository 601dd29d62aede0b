import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { sharedNodes } from '../../src/protocol/chain-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { NodeStoreEngine, UsedRecord } from './node-store.ts';

type Stored = UsedRecord & { readonly size: number };

interface Schema extends DBSchema {
  records: { key: ArrayBuffer; value: Stored; indexes: { byUse: [usedAt: number, size: number] } };
  totals: { key: string; value: number };
}
type Db = IDBPDatabase<Schema>;

/** Only a database that is not ours, or not of this version, is of use again once it is deleted. */
const foreign: readonly string[] = ['VersionError', 'NotFoundError'];

const unusable = (cause: unknown): NodeError => {
  const { name, message } = cause as Error;
  const advice = foreign.includes(name) ? ' Delete it to begin a new one.' : '';
  return new NodeError(
    'StorageBroken',
    `The database ${sharedNodes} is not used: ${message}. Forks work without it, and read more from their endpoints.${advice}`,
    { cause },
  );
};

/** The only key of `totals`: the number of bytes of all values. */
const bytesKey = 'bytes';

/** Of its own, because a view has another buffer, and a structured clone stores the whole of it. */
const keyOf = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

const connect = (onClosed: () => void): Promise<Db> =>
  openDB<Schema>(sharedNodes, 1, {
    upgrade: (db) => {
      db.createObjectStore('records').createIndex('byUse', ['usedAt', 'size']);
      db.createObjectStore('totals');
    },
    // Somebody deletes it: the next use creates it again.
    blocking: (_from, _to, event) => {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });

const beginWrite = (db: Db) => db.transaction(['records', 'totals'], 'readwrite', { durability: 'relaxed' });
type Writing = ReturnType<typeof beginWrite>;

/** Runs the work, which resolves to how many bytes the values grow by. It may only await requests of the transaction. */
const write = async (db: Db, work: (tx: Writing) => Promise<number>): Promise<number> => {
  const tx = beginWrite(db);
  // A request that fails aborts the transaction as well.
  tx.done.catch(() => undefined);
  const growth = await work(tx);
  const totals = tx.objectStore('totals');
  const bytes = ((await totals.get(bytesKey)) ?? 0) + growth;
  await totals.put(bytes, bytesKey);
  await tx.done;
  return bytes;
};

const removeOldest = async (tx: Writing, most: number, bytes: number): Promise<number> => {
  const records = tx.objectStore('records');
  let removed = 0;
  let cursor = await records.index('byUse').openKeyCursor();
  for (let count = 0; cursor !== null && count < most && removed < bytes; count++) {
    removed += cursor.key[1];
    void records.delete(cursor.primaryKey);
    cursor = await cursor.continue();
  }
  return -removed;
};

/** Opens or creates the database, which all tabs use at once. The browser may close it at any moment. */
export const openIdbNodeStore = async (): Promise<NodeStoreEngine> => {
  let db: Promise<Db> | null = null;
  const forget = (): void => {
    db = null;
  };
  const use = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    db ??= connect(forget);
    try {
      return await work(await db);
    } catch (error) {
      forget();
      throw unusable(error);
    }
  };
  return {
    read: (keys) =>
      use(async (opened) => {
        const { store, done } = opened.transaction('records');
        done.catch(() => undefined);
        const found = await Promise.all(keys.map((key) => store.get(keyOf(key))));
        return found.map((record) => record ?? null);
      }),
    write: ({ puts, used, usedAt }) =>
      use((opened) =>
        write(opened, async (tx) => {
          const records = tx.objectStore('records');
          let growth = 0;
          const puttings = puts.map(async ({ key, value, replaces }) => {
            const old = await records.get(keyOf(key));
            const kept = replaces ? undefined : old?.value;
            const next = kept ?? value.slice();
            growth += next.length - (old?.size ?? 0);
            await records.put({ value: next, usedAt, size: next.length }, keyOf(key));
          });
          const touches = used.map(async (key) => {
            const old = await records.get(keyOf(key));
            if (old !== undefined) await records.put({ ...old, usedAt }, keyOf(key));
          });
          await Promise.all([...puttings, ...touches]);
          return growth;
        }),
      ),
    removeOldest: (most, bytes) => use((opened) => write(opened, (tx) => removeOldest(tx, most, bytes))),
    close: async () => {
      const opened = await db?.catch(() => null);
      opened?.close();
    },
  };
};
