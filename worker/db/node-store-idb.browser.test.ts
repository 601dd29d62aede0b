import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import { describe, expect, it } from 'vitest';
import { sharedNodes } from '../../src/protocol/chain-id.ts';
import { describeNodeStore } from './node-store.fixture.ts';
import { createNodeStore } from './node-store.ts';
import { openIdbNodeStore } from './node-store-idb.ts';

// Browsers have the real IndexedDB; Node.js has none. The name is a variable so that no bundler resolves it.
const fake = 'fake-indexeddb/auto';
if (globalThis.indexedDB === undefined) await import(/* @vite-ignore */ fake);

const key = new Uint8Array(32).fill(1);
const put = { puts: [{ key, value: key, replaces: false }], used: [], usedAt: 1 };

describe('a store of nodes in the browser', () => {
  describeNodeStore(openIdbNodeStore, () => deleteDB(sharedNodes));

  it('lets others delete it while it is open, and begins again', async () => {
    await deleteDB(sharedNodes);
    const engine = await openIdbNodeStore();
    expect(await engine.write(put)).toBe(32);
    // Rejects or hangs if the connection stays open.
    await deleteDB(sharedNodes, {
      blocked: () => {
        throw new Error('blocked');
      },
    });
    expect(await engine.read([key])).toEqual([null]);
    expect(await engine.write(put)).toBe(32);
    await engine.close();
    await deleteDB(sharedNodes);
  });

  it.each([
    ['of another version', 2, 'records'],
    ['that something else created', 1, 'chains'],
  ])('does without a database %s, says so once, and does not change it', async (_what, version, store) => {
    await deleteDB(sharedNodes);
    const create = { upgrade: (db: IDBPDatabase) => void db.createObjectStore(store) };
    (await openDB(sharedNodes, version, create)).close();
    const errors: Error[] = [];
    const schedule = (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    };
    const onError = (error: unknown) => void errors.push(error as Error);
    const nodes = createNodeStore({ open: openIdbNodeStore, now: Date.now, schedule, onError }, 1e6);
    for (let read = 0; read < 5; read++) expect(await nodes.read([key])).toEqual([null]);
    nodes.add(key, key);
    await nodes.close();
    const reported = /^The database tabnode-nodes is not used: .*\. Delete it to begin a new one\.$/;
    expect(errors).toEqual([
      expect.objectContaining({ code: 'StorageBroken', message: expect.stringMatching(reported) }),
    ]);
    const left = await openDB(sharedNodes);
    expect([left.version, ...left.objectStoreNames]).toEqual([version, store]);
    left.close();
    await deleteDB(sharedNodes);
  });

  it('stores the bytes of a view, not those of its buffer', async () => {
    await deleteDB(sharedNodes);
    const engine = await openIdbNodeStore();
    const value = new Uint8Array(1000).fill(3).subarray(10, 50);
    await engine.write({ puts: [{ key: key.subarray(0), value, replaces: false }], used: [], usedAt: 1 });
    const [found] = await engine.read([key]);
    expect(found?.value).toEqual(value);
    expect(found?.value.buffer.byteLength).toBe(40);
    await engine.close();
    await deleteDB(sharedNodes);
  });
});
