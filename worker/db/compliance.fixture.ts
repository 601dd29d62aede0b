import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToKey, compareBytes } from '../bytes/bytes.ts';
import type { Batch, Database, Range } from './database.ts';
import { type StoreName, storeNames } from './stores.ts';

/** `open` creates an empty database. `reopen` opens the same one again, if data outlives the object. */
export type ComplianceOptions = {
  readonly open: () => Promise<Database>;
  readonly reopen?: (database: Database) => Promise<Database>;
};

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const put = (store: StoreName, key: Uint8Array, value: Uint8Array): Batch => ({
  puts: [[store, key, value]],
  deletes: [],
});

const recordTests = ({ open }: ComplianceOptions): void => {
  it('returns null for a missing key in each store', async () => {
    const db = await open();
    for (const store of storeNames) expect(await db.get(store, bytes(9, 9))).toBeNull();
    await db.close();
  });

  it('keeps stores apart', async () => {
    const db = await open();
    await db.write({ puts: storeNames.map((store, i) => [store, bytes(1), bytes(i)] as const), deletes: [] });
    for (const [i, store] of storeNames.entries()) expect(await db.get(store, bytes(1))).toEqual(bytes(i));
    await db.close();
  });

  it('accepts empty values and long keys', async () => {
    const db = await open();
    const long = new Uint8Array(300).fill(1);
    await db.write(put('nodes', long, bytes(7)));
    await db.write(put('nodes', bytes(0), bytes()));
    expect(await db.get('nodes', long)).toEqual(bytes(7));
    expect(await db.get('nodes', bytes(0))).toEqual(bytes());
    expect(await db.range('nodes')).toEqual([
      [bytes(0), bytes()],
      [long, bytes(7)],
    ]);
    await db.close();
  });

  it('runs deletes before puts and lets the last put win', async () => {
    const db = await open();
    await db.write(put('nodes', bytes(1), bytes(1)));
    await db.write({
      puts: [
        ['nodes', bytes(1), bytes(2)],
        ['nodes', bytes(1), bytes(3)],
      ],
      deletes: [
        ['nodes', bytes(1)],
        ['nodes', bytes(5)],
      ],
    });
    expect(await db.get('nodes', bytes(1))).toEqual(bytes(3));
    await db.write({ puts: [], deletes: [['nodes', bytes(1)]] });
    expect(await db.get('nodes', bytes(1))).toBeNull();
    await db.close();
  });
};

const readTests = ({ open }: ComplianceOptions): void => {
  it('returns many values in the order of their keys', async () => {
    const db = await open();
    await db.write({
      puts: [
        ['headers', bytes(1), bytes(10)],
        ['headers', bytes(2), bytes(20)],
      ],
      deletes: [],
    });
    expect(await db.getMany('headers', [bytes(2), bytes(3), bytes(1), bytes(2)])).toEqual([
      bytes(20),
      null,
      bytes(10),
      bytes(20),
    ]);
    expect(await db.getMany('headers', [])).toEqual([]);
    expect(await db.hasMany('headers', [bytes(2), bytes(3), bytes(1)])).toEqual([true, false, true]);
    await db.close();
  });

  it('reads synchronously if it can', async () => {
    const db = await open();
    const { getSync } = db;
    if (getSync !== undefined) {
      await db.write(put('nodes', bytes(1), bytes(2)));
      expect(getSync('nodes', bytes(1))).toEqual(bytes(2));
      expect(getSync('nodes', bytes(2))).toBeNull();
    }
    const { getSome } = db;
    if (getSome !== undefined) {
      const many = Array.from({ length: 300 }, (_, at) => bytes(9, at & 255, at >> 8));
      await db.write({ puts: many.map((key) => ['nodes', key, key] as const), deletes: [] });
      const found = getSome('nodes', [...many, bytes(2)]).map(bytesToKey);
      expect(found.toSorted()).toEqual(many.map(bytesToKey).toSorted());
      expect(getSome('nodes', [bytes(2)])).toEqual([]);
      expect(getSome('nodes', [])).toEqual([]);
    }
    await db.close();
  });
};

const copyTests = ({ open }: ComplianceOptions): void => {
  it('copies its input: later changes of the given bytes have no effect', async () => {
    const db = await open();
    const key = bytes(1);
    const value = bytes(2);
    const writing = db.write(put('nodes', key, value));
    key[0] = 8;
    value[0] = 9;
    await writing;
    expect(await db.get('nodes', bytes(1))).toEqual(bytes(2));
    await db.close();
  });

  it('copies its output: changes of a result are not stored', async () => {
    const db = await open();
    await db.write(put('nodes', bytes(1), bytes(2)));
    for (const read of [
      async () => (await db.get('nodes', bytes(1))) as Uint8Array,
      async () => (await db.getMany('nodes', [bytes(1)]))[0] as Uint8Array,
      async () => (await db.range('nodes'))[0]?.[1] as Uint8Array,
    ]) {
      const answer = await read();
      expect(answer).toEqual(bytes(2));
      answer[0] = 7;
    }
    expect(await db.get('nodes', bytes(1))).toEqual(bytes(2));
    await db.close();
  });

  it('never stores the whole buffer behind a view', async () => {
    const db = await open();
    const large = new Uint8Array(1 << 16).fill(5);
    await db.write(put('nodes', large.subarray(10, 12), large.subarray(100, 103)));
    const [record] = await db.range('nodes');
    expect(record).toEqual([bytes(5, 5), bytes(5, 5, 5)]);
    expect(record?.[0].buffer.byteLength).toBe(2);
    expect(record?.[1].buffer.byteLength).toBe(3);
    // A page that is not cross-origin isolated has none.
    if (typeof SharedArrayBuffer === 'undefined') return db.close();
    const shared = new Uint8Array(new SharedArrayBuffer(4)).fill(6);
    await db.write(put('nodes', shared.subarray(1), shared));
    expect(await db.get('nodes', bytes(6, 6, 6))).toEqual(bytes(6, 6, 6, 6));
    await db.close();
  });
};

const transactionTests = ({ open }: ComplianceOptions): void => {
  it('shows a write to a read issued after it, and preserves the order of writes', async () => {
    const db = await open();
    const writes = [1, 2, 3].map((value) => db.write(put('meta', bytes(1), bytes(value))));
    expect(await db.get('meta', bytes(1))).toEqual(bytes(3));
    await Promise.all(writes);
    await db.close();
  });

  it('writes all or nothing', async () => {
    const db = await open();
    await db.write(put('nodes', bytes(1), bytes(1)));
    const bad = {
      puts: [
        ['nodes', bytes(1), bytes(2)],
        ['nosuch', bytes(1), bytes(1)],
      ],
      deletes: [],
    } as unknown as Batch;
    await expect(db.write(bad)).rejects.toMatchObject({ code: 'StorageBroken' });
    // A value that no engine can copy, after a valid one.
    const worse = {
      puts: [
        ['nodes', bytes(1), bytes(3)],
        ['nodes', bytes(2), null],
      ],
      deletes: [],
    } as unknown as Batch;
    await db.write(worse).catch(() => undefined);
    const found = await db.get('nodes', bytes(1));
    expect([bytes(1), bytes(3)]).toContainEqual(found);
    if (found?.[0] === 3) expect(await db.get('nodes', bytes(2))).not.toBeNull();
    else expect(await db.get('nodes', bytes(2))).toBeNull();
    await db.close();
  });
};

const lifeTests = ({ open, reopen }: ComplianceOptions): void => {
  it('refuses work after close, which is idempotent and waits for writes', async () => {
    const db = await open();
    const writing = db.write(put('nodes', bytes(1), bytes(2)));
    await db.close();
    await db.close();
    await writing;
    for (const promise of [
      db.get('nodes', bytes(1)),
      db.write(put('nodes', bytes(1), bytes(1))),
      db.range('nodes'),
      db.getMany('nodes', [bytes(1)]),
    ])
      await expect(promise).rejects.toMatchObject({ name: 'NodeError', code: 'StorageBroken' });
    if (reopen === undefined) return;
    const again = await reopen(db);
    expect(await again.get('nodes', bytes(1))).toEqual(bytes(2));
    await again.close();
  });

  it('reports its size', async () => {
    const db = await open();
    await db.write(put('nodes', bytes(1), new Uint8Array(1000)));
    expect(await db.sizeBytes()).toBeGreaterThan(0);
    await db.close();
  });

  it('writes an import of a hundred records and a large one', async () => {
    const db = await open();
    const puts = Array.from(
      { length: 100 },
      (_, i) => ['nodes', bytes(i), new Uint8Array(200).fill(i)] as const,
    );
    await db.write({ puts: [...puts, ['journals', bytes(0), new Uint8Array(1 << 20).fill(3)]], deletes: [] });
    expect((await db.range('nodes')).length).toBe(100);
    expect(await db.get('journals', bytes(0))).toEqual(new Uint8Array(1 << 20).fill(3));
    await db.close();
  });
};

const shortBytes = fc.uint8Array({ minLength: 1, maxLength: 3 });
const rangeOf: fc.Arbitrary<Range> = fc.record(
  { from: shortBytes, to: shortBytes, reverse: fc.boolean(), limit: fc.nat({ max: 5 }) },
  { requiredKeys: [] },
) as fc.Arbitrary<Range>;

/** The range computed by the simplest model: filter, sort, slice. */
const modelRange = (
  model: ReadonlyMap<string, [Uint8Array, Uint8Array]>,
  range: Range,
): [Uint8Array, Uint8Array][] => {
  const found = [...model.values()]
    .filter(([key]) => range.from === undefined || compareBytes(key, range.from) >= 0)
    .filter(([key]) => range.to === undefined || compareBytes(key, range.to) < 0)
    .sort(([a], [b]) => compareBytes(a, b));
  if (range.reverse === true) found.reverse();
  return found.slice(0, range.limit ?? found.length);
};

const rangeTests = ({ open }: ComplianceOptions): void => {
  it('ranges like a sorted map', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), shortBytes, shortBytes), { maxLength: 20 }),
        fc.array(rangeOf, { minLength: 1, maxLength: 6 }),
        async (changes, ranges) => {
          const db = await open();
          const model = new Map<string, [Uint8Array, Uint8Array]>();
          for (const [isPut, key, value] of changes) {
            if (isPut) {
              model.set(bytesToKey(key), [key, value]);
              await db.write(put('numbers', key, value));
            } else {
              model.delete(bytesToKey(key));
              await db.write({ puts: [], deletes: [['numbers', key]] });
            }
          }
          for (const range of ranges)
            expect(await db.range('numbers', range)).toEqual(modelRange(model, range));
          await db.close();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('reflects changes between ranges', async () => {
    const db = await open();
    await db.write(put('journals', bytes(2), bytes(2)));
    expect((await db.range('journals')).map(([key]) => key[0])).toEqual([2]);
    await db.write({ puts: [['journals', bytes(1), bytes(1)]], deletes: [] });
    expect((await db.range('journals', { limit: 1 })).map(([key]) => key[0])).toEqual([1]);
    await db.write({ puts: [], deletes: [['journals', bytes(1)]] });
    expect((await db.range('journals', { reverse: true, limit: 1 })).map(([key]) => key[0])).toEqual([2]);
    await db.close();
  });
};

/** The contract of every `Database`. Runs in Node.js and, in a browser, inside a worker. */
export const databaseCompliance = (name: string, options: ComplianceOptions): void => {
  describe(`database compliance: ${name}`, () => {
    describe('records', () => recordTests(options));
    describe('reads', () => readTests(options));
    describe('copies', () => copyTests(options));
    describe('transactions', () => transactionTests(options));
    describe('life cycle', () => lifeTests(options));
    describe('ranges', () => rangeTests(options));
  });
};
