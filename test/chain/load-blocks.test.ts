import { afterEach, expect, test } from 'vitest';
import type { Database } from '../../worker/db/database.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
afterEach(() => dev.stop());

/** Counts the reads of a database, by method. */
const counting = (db: Database) => {
  const reads: string[] = [];
  const counted: Database = {
    ...db,
    get: (store, key) => {
      reads.push(`get ${store}`);
      return db.get(store, key);
    },
    getMany: (store, keys) => {
      reads.push(`getMany ${store}`);
      return db.getMany(store, keys);
    },
  };
  return { reads, db: counted };
};

test('blocks are read in batches, with the proofs of finality, as one by one', async () => {
  const { db, reads } = counting(lastingDatabase());
  const first = await startDevNode({ db, changes: { finality: { kind: 'grandpa' } } });
  for (let count = 0; count < 5; count++) await first.call('engine_createBlock', true, false);
  await expect.poll(() => first.finalized().number, { timeout: 20_000 }).toBe(5);
  await first.stop();
  dev = await startDevNode({ db, changes: { finality: { kind: 'manual' } } });
  const { chain } = dev.node.parts;
  const unknown = `0x${'ab'.repeat(32)}` as const;
  reads.length = 0;
  const hashes = await chain.loadHashesAt(1, 9);
  const blocks = await chain.loadBlocks([...hashes, unknown as never]);
  expect(reads.sort()).toEqual(
    ['getMany bodies', 'getMany headers', 'getMany justifications', 'getMany numbers', 'get headers'].sort(),
  );
  expect(blocks.map((one) => one?.header.number ?? null)).toEqual([1, 2, 3, 4, 5, null]);
  expect(blocks.some((one) => one?.justifications != null)).toBe(true);
  for (const [index, hash] of hashes.entries()) expect(blocks[index]).toEqual(await chain.loadBlock(hash));
  expect(await chain.loadHashesAt(6, 5)).toEqual([]);
});
