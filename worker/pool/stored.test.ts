import { describe, expect, it, vi } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { checkedDatabase } from '../db/checked.ts';
import type { Database } from '../db/database.ts';
import { createMemoryDatabase, createMemoryEngine } from '../db/memory.ts';
import { createWorld } from './made-up-chain.fixture.ts';
import type { PoolOptions } from './pool.ts';
import { storePool } from './stored.ts';

/** A pool on a database. `later` runs what was scheduled. */
const start = (db: Database, options: PoolOptions = {}, nonces: Iterable<readonly [string, number]> = []) => {
  const world = createWorld(options);
  for (const [name, nonce] of nonces) world.nonces.set(name, nonce);
  const onError = vi.fn();
  const due: (() => void)[] = [];
  const schedule = (_ms: number, run: () => void) => {
    due.push(run);
    return () => void due.splice(due.indexOf(run), 1);
  };
  const stored = storePool({ db, pool: world.pool, schedule, onError });
  const later = () => due.splice(0).forEach((run) => void run());
  return { ...world, stored, onError, later };
};

const records = async (db: Database): Promise<number> => (await db.range('pool')).length;
const has = (db: Database, count: number) => vi.waitFor(async () => expect(await records(db)).toBe(count));

describe('a stored pool', () => {
  it('is the same after a restart, in the order of arrival, also where few may wait for others', async () => {
    const db = createMemoryDatabase();
    const limits = { future: { count: 2, bytes: 1000 } };
    const first = start(db, { limits });
    for (let nonce = 0; nonce < 200; nonce++) await first.submit(`a:${nonce}:1`);
    await first.submit('b:1:5');
    await has(db, 201);
    // Nothing is closed: what the pool accepted is stored.
    const second = start(db, { limits });
    await second.stored.restore();
    await vi.waitFor(() => expect(second.pool.readyCount()).toBe(200));
    await vi.waitFor(() => expect(second.pool.futureCount()).toBe(1));
    expect(second.order()).toEqual(first.order());
    await second.submit('b:0:9');
    expect(second.order().slice(0, 2)).toEqual(['b:0:9', 'b:1:5']);
    await second.stored.close();
    expect(await records(db)).toBe(202);
    const third = start(db, { limits });
    await third.stored.restore();
    await vi.waitFor(() => expect(third.order()).toEqual(second.order()));
  });

  it('forgets what left the pool, some time later or when it is closed', async () => {
    const db = createMemoryDatabase();
    const { submit, block, later, stored } = start(db);
    for (const text of ['a:0:1', 'a:1:1', 'b:0:1']) await submit(text);
    await has(db, 3);
    await block('one', ['a:0:1']);
    later();
    await has(db, 2);
    await block('two', ['a:1:1', 'b:0:1']);
    await stored.close();
    expect(await records(db)).toBe(0);
  });

  it('drops the records of what the runtime refuses at the next start', async () => {
    const db = createMemoryDatabase();
    const first = start(db);
    for (const text of ['a:0:1', 'a:1:1']) await first.submit(text);
    await has(db, 2);
    const second = start(db, {}, [['a', 1]]);
    await second.stored.restore();
    expect(second.order()).toEqual(['a:1:1']);
    second.later();
    await has(db, 1);
  });

  it('loses only the record that is damaged, and reports it', async () => {
    const db = createMemoryDatabase();
    const first = start(db);
    for (let nonce = 0; nonce < 100; nonce++) await first.submit(`a${nonce}:0:1`);
    await has(db, 100);
    const engine = createMemoryEngine();
    const checked = checkedDatabase(engine);
    const values = (await db.range('pool')).map(([, value]) => value);
    // Keys that differ in their first bytes, as hashes do.
    const puts = values.map((value, at) => ['pool', Uint8Array.of(at, 255, 255), value] as const);
    await checked.write({ puts, deletes: [] });
    await engine.write({ puts: puts.slice(50, 51), deletes: [] }, (_store, _key, value) => value.fill(1, 9));
    const second = start(checked);
    await second.stored.restore();
    await vi.waitFor(() => expect(second.pool.readyCount()).toBe(99));
    expect(second.onError.mock.calls).toEqual([[expect.objectContaining({ code: 'StorageBroken' })]]);
  });

  it('lets the worker do other work while many are submitted', async () => {
    const db = createMemoryDatabase();
    const first = start(db);
    for (let at = 0; at < 300; at++) await first.submit(`a${at}:0:1`);
    await has(db, 300);
    let now = 0;
    // Each submission takes longer than a slice.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
    const second = start(db);
    await second.stored.restore();
    let turns = 0;
    while (second.pool.readyCount() < 300) {
      await new Promise(setImmediate);
      turns++;
    }
    clock.mockRestore();
    expect(turns).toBeGreaterThan(100);
  });

  it('writes again what could not be written, and reports it', async () => {
    const db = createMemoryDatabase();
    let isFull = true;
    const write: Database['write'] = (batch) =>
      isFull ? Promise.reject(new NodeError('StorageQuota')) : db.write(batch);
    const { submit, onError } = start({ ...db, write });
    expect(await submit('a:0:1')).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1));
    isFull = false;
    await submit('b:0:1');
    await has(db, 2);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('writes what comes while a write is under way, in one more write', async () => {
    const db = createMemoryDatabase();
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const write = vi.fn<Database['write']>(async (batch) => {
      await gate;
      await db.write(batch);
    });
    const { submit, stored } = start({ ...db, write });
    await submit('a:0:1');
    await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
    for (let nonce = 1; nonce < 50; nonce++) await submit(`a:${nonce}:1`);
    open();
    await has(db, 50);
    expect(write).toHaveBeenCalledTimes(2);
    await stored.close();
  });

  it('submits no more of the old ones once the pool was replaced', async () => {
    const db = createMemoryDatabase();
    const first = start(db);
    for (let nonce = 0; nonce < 150; nonce++) await first.submit(`a:${nonce}:1`);
    await has(db, 150);
    const second = start(db);
    await second.stored.restore();
    await second.pool.replace([{ extrinsic: second.extrinsic('z:0:1'), source: 1 }]);
    await second.pool.idle();
    expect(second.order()).toEqual(['z:0:1']);
    await second.stored.close();
    expect(await records(db)).toBe(1);
  });
});
