import { describe, expect, it } from 'vitest';
import { NodeError } from '../../../src/protocol/errors.ts';
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

describe('nodes of an origin that has lost some', () => {
  const other = Uint8Array.from({ length: 60 }, (_, at) => at + 1);
  const lost = blake2b256(other);
  const open = async () => {
    const asked: number[] = [];
    const store = await openTrieStore(createMemoryDatabase(), {
      blake2b256,
      cacheBytes: 10_000,
      journalBytes: 10_000,
      onError: fail,
      origin: {
        stored: async (hashes) => hashes.map(() => null),
        prove: async (missing) => {
          asked.push(missing.length);
          if (missing.some((one) => bytesToHex(one.hash) === bytesToHex(lost)))
            throw new NodeError('NotCached', 'lost');
          return [[hash, node]];
        },
      },
    });
    const read = (wanted: Uint8Array) => (): Uint8Array => {
      const found = store.getNode(wanted);
      if (found !== null) return found;
      const miss = new MissingNodes([missingNode(wanted)]);
      miss.again = read(wanted);
      throw miss;
    };
    return { store, asked, read };
  };

  it('a run is not ended by the loss of what was only predicted', async () => {
    const { store, asked, read } = await open();
    expect(await store.run(read(hash), () => [read(lost)])).toEqual(node);
    expect(asked).toEqual([2, 1]);
  });

  it('a run whose predicted reads are always the same ends', async () => {
    const { store, asked, read } = await open();
    expect(await store.run(read(hash), () => [read(hash)])).toEqual(node);
    expect(asked).toHaveLength(1);
  });

  it('reads are predicted again on what was loaded, before the run is repeated', async () => {
    const { store } = await open();
    const calls: (readonly [number, boolean, boolean])[] = [];
    let runs = 0;
    const read = () => {
      if (store.getNode(hash) === null) throw new MissingNodes([missingNode(hash)]);
    };
    await store.run(
      () => {
        runs++;
        read();
      },
      (misses, guesses) => {
        calls.push([misses, guesses, store.getNode(hash) !== null]);
        return [];
      },
    );
    expect(runs).toBe(2);
    expect(calls).toEqual([
      [1, false, false],
      [2, true, true],
    ]);
  });

  it('a run is ended by the loss of what it needs', async () => {
    const { store, read } = await open();
    await expect(store.run(read(lost), () => [read(hash)])).rejects.toMatchObject({ code: 'NotCached' });
  });
});
