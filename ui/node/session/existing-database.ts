import { type IDBPDatabase, openDB } from 'idb';

/** Opens a database of which nothing is known, without creating it, and never in the way of its deletion. Null: there is none. */
export const openExisting = (name: string): Promise<IDBPDatabase | null> =>
  openDB(name, undefined, {
    // The database does not exist: abort, so that opening it does not create it.
    upgrade: (_db, _from, _to, transaction) => {
      transaction.done.catch(() => undefined);
      transaction.abort();
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  }).catch(() => null);
