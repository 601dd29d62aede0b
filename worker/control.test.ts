import { describe, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../test/rigs/platform.ts';
import { createControl } from './control.ts';
import type { Database } from './db/database.ts';
import { createMemoryDatabase } from './db/memory.ts';
import { createNode, type Platform } from './node.ts';

const config = testConfig('development');

/** A platform that counts the resources acquired and released. */
const createCounting = (open: () => Database = createMemoryDatabase) => {
  const held = { locks: 0, databases: 0, timers: 0 };
  const plain = createTestPlatform();
  const platform = {
    ...plain,
    lock: async () => {
      held.locks += 1;
      return () => {
        held.locks -= 1;
      };
    },
    openDatabase: async () => {
      held.databases += 1;
      const db = open();
      const close = async (): Promise<void> => {
        held.databases -= 1;
        await db.close();
      };
      return { ...db, close };
    },
    schedule: (ms: number, run: () => void) => {
      const timer = {};
      waiting.add(timer);
      held.timers = waiting.size;
      const done = (): void => {
        waiting.delete(timer);
        held.timers = waiting.size;
      };
      const cancel = plain.schedule(ms, () => {
        done();
        run();
      });
      return () => {
        done();
        cancel();
      };
    },
  } satisfies Platform;
  const waiting = new Set<object>();
  return { platform, held };
};

const nothingHeld = { locks: 0, databases: 0, timers: 0 };
const noRoom = (): Promise<never> => Promise.reject(new Error('no room'));

describe('the life cycle of a node', () => {
  it('refuses the second of two simultaneous starts, and runs one node', async () => {
    const { platform, held } = createCounting();
    const control = createControl(platform);
    const [first, second] = await Promise.all([control.start(config), control.start(config)]);
    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({
      ok: false,
      error: { code: 'Unsupported', message: 'The node is starting: it cannot be started again' },
    });
    expect(held).toMatchObject({ locks: 1, databases: 1 });
    expect(await control.start(config)).toMatchObject({ ok: false, error: { code: 'Unsupported' } });
    await control.stop();
    expect(held).toEqual(nothingHeld);
  });

  it('loads before a start what it needs, and nothing twice', async () => {
    const { platform, held } = createCounting();
    let loaded = 0;
    const loadRuntime = () => {
      loaded += 1;
      return platform.loadRuntime();
    };
    const control = createControl({ ...platform, loadRuntime });
    await control.prepare('development');
    expect(loaded).toBe(1);
    expect(held).toEqual(nothingHeld);
    expect(await control.start(config)).toMatchObject({ ok: true });
    expect(loaded).toBe(1);
    await control.stop();
  });

  it('a stop during a start waits for it, and no node runs afterwards', async () => {
    const { platform, held } = createCounting();
    const control = createControl(platform);
    const starting = control.start(config);
    const stopping = control.stop();
    expect(await control.start(config)).toMatchObject({ ok: false, error: { code: 'Unsupported' } });
    await stopping;
    expect(await starting).toMatchObject({ ok: true });
    expect(await control.status()).toMatchObject({ ok: false, error: { code: 'Disconnected' } });
    expect(held).toEqual(nothingHeld);
  });

  it('a stopped node can be started again; a second stop does nothing', async () => {
    const { platform, held } = createCounting();
    const control = createControl(platform);
    await control.stop();
    for (let round = 0; round < 2; round++) {
      expect(await control.start(config)).toMatchObject({ ok: true });
      await Promise.all([control.stop(), control.stop()]);
      expect(held).toEqual(nothingHeld);
    }
  });

  it('a repair and a node exclude each other; a stop waits for the repair', async () => {
    const { platform, held } = createCounting();
    const control = createControl(platform);
    const repairing = control.repair(config, { apply: true });
    expect(await control.start(config)).toMatchObject({
      ok: false,
      error: { code: 'Unsupported', message: 'The node is being repaired: it cannot be started again' },
    });
    await control.stop();
    expect(await repairing).toMatchObject({ ok: true, value: { head: { number: 0 } } });
    expect(held).toEqual(nothingHeld);
    expect(await control.start(config)).toMatchObject({ ok: true });
    expect(await control.repair(config, { apply: true })).toMatchObject({
      ok: false,
      error: { code: 'Unsupported', message: 'The node is running: it cannot be repaired' },
    });
    await control.stop();
    expect(held).toEqual(nothingHeld);
  });

  it('a failed start can be retried', async () => {
    const { platform } = createCounting();
    const control = createControl(platform);
    expect(await control.start(testConfig({ specJson: '{' }))).toMatchObject({ ok: false });
    expect(await control.start(config)).toMatchObject({ ok: true });
    await control.stop();
  });
});

const timed = { ...config, seal: { kind: 'interval', ms: 60_000 } } as const;

describe('a node releases its resources', () => {
  it('even if the last write fails: the error is reported, and database and lock are released', async () => {
    const db = createMemoryDatabase();
    let isFull = false;
    const { platform, held } = createCounting(() => ({
      ...db,
      write: (batch) => (isFull ? noRoom() : db.write(batch)),
    }));
    const node = await createNode(platform, timed);
    isFull = true;
    node.parts.keystore.insertSuri('test', 'sr25519', '//Bob');
    await expect(node.close()).rejects.toThrow('no room');
    expect(held).toEqual(nothingHeld);
  });

  it('a failed stop is reported to its caller and logged, and the node can be started again', async () => {
    const { platform, held } = createCounting(() => ({ ...createMemoryDatabase(), close: noRoom }));
    const control = createControl(platform);
    expect(await control.start(config)).toMatchObject({ ok: true });
    await expect(control.stop()).rejects.toThrow('no room');
    expect(platform.errors).toEqual([expect.objectContaining({ message: 'no room' })]);
    expect(await control.status()).toMatchObject({ ok: false, error: { code: 'Disconnected' } });
    expect(held).toEqual(nothingHeld);
    expect(await control.start(config)).toMatchObject({ ok: true });
  });

  it('if its start fails midway: timers, database and lock', async () => {
    const db = createMemoryDatabase();
    const { platform, held } = createCounting(() => ({
      ...db,
      range: (store, range) => (store === 'offchain' ? noRoom() : db.range(store, range)),
    }));
    await expect(createNode(platform, timed)).rejects.toThrow('no room');
    expect(held).toEqual(nothingHeld);
  });

  it('if closing fails after a failed start: both errors are reported', async () => {
    const { platform, held } = createCounting(() => ({ ...createMemoryDatabase(), close: noRoom }));
    const failing = { ...platform, loadCrypto: () => Promise.reject(new Error('no crypto')) };
    await expect(createNode(failing, config)).rejects.toThrow('no crypto');
    expect(platform.errors).toContainEqual(expect.objectContaining({ message: 'no room' }));
    expect(held).toEqual(nothingHeld);
  });
});
