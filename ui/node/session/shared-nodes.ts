import { deleteDB, openDB } from 'idb';
import { sharedNodes } from '../../../src/protocol/chain-id.ts';

/** The bytes of what all forks have read, as the nodes count them (worker/db/node-store-idb.ts). Null: there is nothing. */
export const sharedBytes = async (): Promise<number | null> => {
  const db = await openDB(sharedNodes, undefined, {
    // It does not exist: abort, so that opening it does not create it.
    upgrade: (_db, _from, _to, transaction) => {
      transaction.done.catch(() => undefined);
      transaction.abort();
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  }).catch(() => null);
  if (db === null) return null;
  try {
    return Number((await db.get('totals', 'bytes')) ?? 0);
  } catch {
    return 0;
  } finally {
    db.close();
  }
};

/** Forks that run go on with what they have, and read the rest from their endpoints. */
export const deleteShared = (): Promise<void> => deleteDB(sharedNodes);
