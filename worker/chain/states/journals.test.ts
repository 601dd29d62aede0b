import { describe, expect, it } from 'vitest';
import { bytesToKey } from '../../bytes/bytes.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createBatch, type Database } from '../../db/database.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import { createNodeList } from '../../trie/build-trie.ts';
import { openPacked } from '../../trie/node-pack.ts';
import type { NodeBatch } from '../../trie/node-source.ts';
import { type Journals, type Mover, openJournals } from './journals.ts';
import { createMover } from './move-journals.ts';
import { createSettler } from './settle-journals.ts';

const { blake2b256 } = await loadCrypto();

/** Nodes that differ from those of every other seed. */
const nodesOf = (seed: number, count: number, length = 60): NodeBatch =>
  Array.from({ length: count }, (_, at) => {
    const bytes = new Uint8Array(length);
    new DataView(bytes.buffer).setUint32(0, seed);
    new DataView(bytes.buffer).setUint32(4, at);
    return [blake2b256(bytes), bytes] as const;
  });

const fail = (error: unknown): never => {
  throw error;
};
type Moved = Journals & Mover;
const open = async (
  db: Database,
  limit: number,
  onError: (error: unknown) => void = fail,
): Promise<Moved> => {
  const journals = await openJournals(db);
  return { ...journals, ...createMover(db, journals, { limit, onError }) };
};

const commit = async (db: Database, journals: Moved, nodes: NodeBatch): Promise<void> => {
  const draft = createBatch();
  journals.stage(nodes, draft);
  await db.write(draft);
  journals.accept(nodes);
  journals.begin();
  await journals.settle();
};

/** Refuses to write trie nodes until it is released. */
const createFullDisk = (disk: Database) => {
  let isFull = true;
  const db: Database = {
    ...disk,
    write: async (batch) => {
      if (isFull && batch.puts.some(([store]) => store === 'nodes')) throw new Error('quota');
      await disk.write(batch);
    },
  };
  const free = (): void => {
    isFull = false;
  };
  return { db, free };
};

/** Every node is readable, from a journal or from the store. */
const checkAll = async (db: Database, journals: Journals, all: readonly NodeBatch[]): Promise<void> => {
  for (const [hash, bytes] of all.flat())
    expect(journals.get(bytesToKey(hash)) ?? (await db.get('nodes', hash))).toEqual(bytes);
};

/** A database that records how many nodes each transaction writes. */
const countSlices = () => {
  const disk = createMemoryDatabase();
  const slices: number[] = [];
  const db: Database = {
    ...disk,
    write: async (batch) => {
      slices.push(batch.puts.filter(([store]) => store === 'nodes').length);
      await disk.write(batch);
    },
  };
  return { disk, db, slices };
};

describe('journals', () => {
  it('never exceed their limit, and are moved in short transactions alongside the blocks', async () => {
    const { disk, db, slices } = countSlices();
    const limit = 400_000;
    const journals = await open(db, limit);
    const all: NodeBatch[] = [];
    for (let block = 0; block < 60; block++) {
      all.push(nodesOf(block, 100));
      await commit(db, journals, all.at(-1) as NodeBatch);
      expect(journals.bytes()).toBeLessThanOrEqual(limit);
    }
    expect(Math.max(...slices)).toBeLessThanOrEqual(256);
    expect(slices.filter((count) => count > 0).length).toBeGreaterThan(10);
    await checkAll(db, journals, all);
    await journals.flush();
    expect(journals.bytes()).toBe(0);
    expect(await disk.range('journals', {})).toEqual([]);
    expect((await disk.range('nodes', {})).length).toBe(6000);
  });

  it('are moved in whole slices, however quickly blocks follow each other', async () => {
    const { db, slices } = countSlices();
    const journals = await open(db, 400_000);
    for (let block = 0; block < 300; block++) await commit(db, journals, nodesOf(block, 20));
    const moved = slices.filter((count) => count > 0);
    expect(moved.length).toBeGreaterThan(10);
    expect(Math.min(...moved)).toBeGreaterThan(100);
  });

  it('lose nothing if the process dies at any transaction of a move, even with a large journal', async () => {
    for (let deadline = 0; deadline < 12; deadline++) {
      const disk = createMemoryDatabase();
      const all = [nodesOf(1, 30), nodesOf(2, 1500), nodesOf(3, 20), nodesOf(4, 1, 400_000), nodesOf(5, 700)];
      const first = await open(disk, Number.POSITIVE_INFINITY);
      for (const nodes of all) await commit(disk, first, nodes);
      let writes = 0;
      const dying: Database = {
        ...disk,
        write: async (batch) => {
          if (writes++ >= deadline) throw new Error('dead');
          await disk.write(batch);
        },
      };
      await (await open(dying, Number.POSITIVE_INFINITY)).flush().catch(() => undefined);
      const reborn = await open(disk, Number.POSITIVE_INFINITY);
      await checkAll(disk, reborn, all);
      await commit(disk, reborn, nodesOf(6, 10));
      await reborn.flush();
      expect(await disk.range('journals', {})).toEqual([]);
      expect((await disk.range('nodes', {})).length).toBe(2261);
    }
  });

  it('continue after a failed move, which is reported', async () => {
    const disk = createMemoryDatabase();
    const errors: unknown[] = [];
    const { db, free } = createFullDisk(disk);
    const journals = await open(db, 50_000, (error) => errors.push(error));
    const all = [nodesOf(1, 200), nodesOf(2, 200)];
    for (const nodes of all) await commit(db, journals, nodes);
    expect(errors.length).toBeGreaterThan(0);
    await checkAll(db, journals, all);
    free();
    all.push(nodesOf(3, 1));
    await commit(db, journals, all[2] as NodeBatch);
    expect(journals.bytes()).toBeLessThanOrEqual(50_000);
    await checkAll(db, journals, all);
  });

  it.each([null, { mode: 4, base: 0, through: 0 }])(
    'refuse more once twice the limit is waiting and nothing can be moved',
    async (record) => {
      const disk = createMemoryDatabase();
      const { db, free } = createFullDisk(disk);
      const journals = await openJournals(db);
      const options = { limit: 50_000, onError: () => undefined };
      const mover =
        record === null
          ? createMover(db, journals, options)
          : await createSettler(db, journals, record, options);
      const add = async (seed: number): Promise<void> => {
        mover.checkRoom();
        await commit(db, { ...journals, ...mover }, nodesOf(seed, 100));
      };
      let count = 0;
      await expect(
        (async () => {
          for (; count < 20; count++) await add(count);
        })(),
      ).rejects.toThrow('quota');
      expect(count).toBeGreaterThan(2);
      expect(journals.bytes()).toBeLessThan(3 * options.limit);
      free();
      // The next block is refused too, but what waits is moved again.
      await expect(add(98)).rejects.toThrow('quota');
      await mover.settle();
      await mover.settle();
      await add(99);
    },
  );
});

describe('a journal of one array', () => {
  const nodes = nodesOf(7, 12_000, 90);
  const list = createNodeList(blake2b256);
  for (const [, bytes] of nodes) list.add(bytes);
  const packed = openPacked(list.finish());
  const some = nodes.filter((_, at) => at % 500 === 0);

  it('is read from memory, from the database, and from the store of nodes', async () => {
    const db = createMemoryDatabase();
    const before = nodesOf(8, 3);
    const first = await openJournals(db);
    const draft = createBatch();
    first.stage(packed, draft);
    await db.write(draft);
    first.accept(packed);
    for (const [hash, bytes] of some) expect(first.get(bytesToKey(hash))).toEqual(bytes);
    expect(first.get(bytesToKey((before[0] as NodeBatch[number])[0]))).toBeUndefined();
    const again = await open(db, 1);
    for (const [hash, bytes] of some) expect(again.get(bytesToKey(hash))).toEqual(bytes);
    await commit(db, again, before);
    await again.flush();
    expect(again.waiting()).toEqual([]);
    expect(again.bytes()).toBe(0);
    for (const [hash] of some) expect(again.get(bytesToKey(hash))).toBeUndefined();
    expect(await db.range('journals')).toEqual([]);
    expect(await db.range('nodes')).toHaveLength(nodes.length + before.length);
    for (const [hash, bytes] of [...some, ...before]) expect(await db.get('nodes', hash)).toEqual(bytes);
  });

  it('that was cut off is refused', async () => {
    const db = createMemoryDatabase();
    const record = packed.record.slice(0, -1);
    await db.write({ puts: [['journals', Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1), record]], deletes: [] });
    await expect(openJournals(db)).rejects.toMatchObject({ code: 'BadScale' });
  });
});
