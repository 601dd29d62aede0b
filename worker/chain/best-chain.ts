import type { BlockHash } from '../codec/identity.ts';
import { recordDamage } from '../db/damage.ts';
import type { Database } from '../db/database.ts';
import { decodeChainRecord, decodeNumberRecord, numberKey } from './records.ts';
import { chainKey } from './store.ts';

/** The stored hash of the best chain's block at a height, or null if there is no record. */
export const readHashAt = async (db: Database, number: number): Promise<BlockHash | null> => {
  const bytes = await db.get('numbers', numberKey(number));
  return bytes === null ? null : decodeNumberRecord(bytes).hash;
};

/**
 * The same for a height that was recently on the best chain. A head move may delete the record during the
 * read; the chain record, written in the same transaction, shows that. Throws `StorageBroken` if the record
 * is lost.
 */
export const loadHashAt = async (db: Database, number: number): Promise<BlockHash | null> => {
  const hash = await readHashAt(db, number);
  if (hash !== null) return hash;
  const record = await db.get('meta', chainKey);
  if (record !== null && decodeChainRecord(record).best.number < number) return null;
  const again = await readHashAt(db, number);
  if (again === null) throw recordDamage('numbers', numberKey(number), 'is missing');
  return again;
};
