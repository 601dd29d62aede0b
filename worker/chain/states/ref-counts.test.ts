import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesToKey, keyToBytes } from '../../bytes/bytes.ts';
import { createBatch, type Database } from '../../db/database.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import { decodeCount } from './pruning-records.ts';
import { openRefCounts, type RefCountDeltas } from './ref-counts.ts';

const hashOf = (node: number): Uint8Array => new Uint8Array(32).fill(node + 1);
const keys = Array.from({ length: 8 }, (_, node) => bytesToKey(hashOf(node)));

/** The places of each node by the two stores. */
const readPlaces = async (db: Database): Promise<number[]> =>
  Promise.all(
    keys.map(async (key) => {
      const isStored = (await db.hasMany('nodes', [keyToBytes(key)]))[0] === true;
      const isCounted = (await db.hasMany('nodeCounts', [keyToBytes(key)]))[0] === true;
      const count = isCounted ? await db.get('nodeCounts', keyToBytes(key)) : null;
      expect(isStored || count === null).toBe(true);
      if (count !== null) expect(decodeCount(count)).toBeGreaterThan(1);
      return count === null ? Number(isStored) : decodeCount(count);
    }),
  );

const step = fc.record({
  changes: fc.array(fc.tuple(fc.nat(keys.length - 1), fc.integer({ min: -3, max: 3 })), { maxLength: 8 }),
  fails: fc.boolean(),
  reopens: fc.boolean(),
});

it.each([20_000, 2, 0])('places add up, whatever fails and however many names are held: %s', async (most) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const db = createMemoryDatabase();
      let counts = await openRefCounts(db, most);
      const model = keys.map(() => 0);
      for (const { changes, fails, reopens } of steps) {
        if (reopens) counts = await openRefCounts(db, most);
        const places = new Map<number, number>();
        for (const [node, by] of changes) places.set(node, Math.max(-(model[node] ?? 0), by));
        const deltas: RefCountDeltas = [...places].map(([node, by]) => [
          keys[node] as string,
          { refCount: by, bytes: hashOf(node) },
        ]);
        const batch = createBatch();
        await counts.draft(batch, deltas);
        if (fails) continue;
        await db.write(batch);
        for (const [node, by] of places) model[node] = (model[node] ?? 0) + by;
        expect(await readPlaces(db)).toEqual(model);
      }
    }),
    { numRuns: 200 },
  );
});

it('a usual node is looked up once when it comes and not when it goes', async () => {
  const db = createMemoryDatabase();
  const asked: string[] = [];
  const hasMany: Database['hasMany'] = (store, hashes) => {
    asked.push(...hashes.map(() => store));
    return db.hasMany(store, hashes);
  };
  const counts = await openRefCounts({ ...db, hasMany });
  for (const refCount of [1, -1]) {
    const batch = createBatch();
    await counts.draft(batch, [[keys[0] as string, { refCount, bytes: hashOf(0) }]]);
    await db.write(batch);
  }
  expect(asked).toEqual(['nodes']);
  expect(await readPlaces(db)).toEqual(keys.map(() => 0));
});
