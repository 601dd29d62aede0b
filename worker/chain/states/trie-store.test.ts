import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../bytes/hex.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createBatch, type Database } from '../../db/database.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import { MissingNodes, missingNode } from '../../trie/missing-nodes.ts';
import { openTrieStore } from './trie-store.ts';

const { blake2b256 } = await loadCrypto();
const node = Uint8Array.from({ length: 60 }, (_, at) => at);
const hash = blake2b256(node);

const fail = (error: unknown): never => {
  throw error;
};

const readNode = async (db: Database): Promise<Uint8Array> => {
  const store = await openTrieStore(db, {
    blake2b256,
    cacheBytes: 10_000,
    journalBytes: 10_000,
    onError: fail,
  });
  return store.run(() => {
    const found = store.getNode(hash);
    if (found === null) throw new MissingNodes([missingNode(hash)]);
    return found;
  });
};

describe.each([
  ['at once', (db: Database): Database => db],
  // Behaves like IndexedDB.
  ['late', ({ getSync: _, ...late }: Database): Database => late],
])('a trie node of a database that responds %s', (_, over) => {
  const broken = { code: 'StorageBroken', details: { store: 'nodes', key: bytesToHex(hash) } };

  it('is compared with its hash', async () => {
    const db = over(createMemoryDatabase());
    await db.write({ puts: [['nodes', hash, node]], deletes: [] });
    expect(await readNode(db)).toEqual(node);
    for (let bit = 0; bit < node.length * 8; bit++) {
      const damaged = node.map((byte, at) => (at === bit >>> 3 ? byte ^ (1 << (bit & 7)) : byte));
      await db.write({ puts: [['nodes', hash, damaged]], deletes: [] });
      await expect(readNode(db)).rejects.toMatchObject(broken);
    }
  });

  it('counts as damaged if it is missing', async () => {
    await expect(readNode(over(createMemoryDatabase()))).rejects.toMatchObject(broken);
  });
});

describe('a node as large as the code of a runtime', () => {
  const large = new Uint8Array(100_000).fill(7);
  const largeHash = blake2b256(large);
  const stage = async (statePruning: 'archive' | 16) => {
    const db = createMemoryDatabase();
    const options = { blake2b256, cacheBytes: 10_000, journalBytes: 1_000_000, onError: fail };
    const store = await openTrieStore(db, { ...options, statePruning });
    const batch = createBatch();
    const nodes = [
      [hash, node],
      [largeHash, large],
    ] as const;
    store.stage(nodes, batch);
    await db.write(batch);
    store.accept(nodes);
    const found = await store.run(() => [store.getNode(hash), store.getNode(largeHash)]);
    expect(found).toEqual([node, large]);
    return db;
  };

  it('is not in a journal of an archive, which every start reads', async () => {
    const db = await stage('archive');
    expect(await db.range('nodes')).toEqual([[largeHash, large]]);
    const [[, journal] = [hash, hash]] = await db.range('journals', {});
    expect(journal.length).toBeLessThan(200);
  });

  it('is in the journal where states are pruned, which counts its places', async () => {
    const db = await stage(16);
    expect(await db.range('nodes')).toEqual([]);
    expect((await db.range('journals', {}))[0]?.[1].length).toBeGreaterThan(100_000);
  });
});
