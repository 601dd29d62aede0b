import { describe, expect, it } from 'vitest';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { Database } from '../db/database.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import { encodeChainRecord, encodeNumberRecord, numberKey } from './records.ts';
import { chainKey, loadHashAt } from './store.ts';

const hash = bytesToBlockHash(new Uint8Array(32).fill(3)) as BlockHash;
const chainAt = (number: number): Uint8Array => {
  const ref = { hash, number };
  return encodeChainRecord({
    genesis: hash,
    identity: new Uint8Array(32),
    best: ref,
    finalized: ref,
    leaves: [hash],
  });
};

const openWith = async (best: number): Promise<Database> => {
  const db = createMemoryDatabase();
  const puts = [
    ['meta', chainKey, chainAt(best)],
    ['numbers', numberKey(1), encodeNumberRecord({ hash, weight: 0, isOwn: false })],
  ] as const;
  await db.write({ puts, deletes: [] });
  return db;
};

describe('the block at a height of the best chain', () => {
  it('is null if the head was moved below it meanwhile', async () => {
    const db = await openWith(1);
    expect(await loadHashAt(db, 1)).toBe(hash);
    expect(await loadHashAt(db, 2)).toBeNull();
  });

  it('is read again if a block was imported meanwhile', async () => {
    const db = await openWith(1);
    const late: Database = {
      ...db,
      get: async (store, key) => {
        const found = await db.get(store, key);
        if (store !== 'numbers' || found !== null) return found;
        await db.write({
          puts: [
            ['numbers', numberKey(2), encodeNumberRecord({ hash, weight: 0, isOwn: false })],
            ['meta', chainKey, chainAt(2)],
          ],
          deletes: [],
        });
        return found;
      },
    };
    expect(await loadHashAt(late, 2)).toBe(hash);
  });

  it('counts as damaged if the chain continues above it', async () => {
    const db = await openWith(3);
    await expect(loadHashAt(db, 2)).rejects.toMatchObject({
      code: 'StorageBroken',
      details: { store: 'numbers', key: '0x00000002' },
    });
  });
});
