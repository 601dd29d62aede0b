import { deleteDB } from 'idb';
import { sharedNodes } from '../../../src/protocol/chain-id.ts';
import { openExisting } from './existing-database.ts';

/** The bytes of what all forks have read, as the nodes count them (worker/db/node-store-idb.ts). Null: there is nothing. */
export const sharedBytes = async (): Promise<number | null> => {
  const db = await openExisting(sharedNodes);
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
