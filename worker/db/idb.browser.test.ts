import { deleteDB, openDB } from 'idb';
import { describe, expect, it, vi } from 'vitest';
import { databaseCompliance } from './compliance.fixture.ts';
import type { Database } from './database.ts';
import { openIdbDatabase, openIdbEngine } from './idb.ts';
import { proofCompliance } from './proof-compliance.fixture.ts';
import { schemaVersion } from './stores.ts';

// Browsers have the real IndexedDB; Node.js has none. The name is a variable so that no bundler resolves it.
const fake = 'fake-indexeddb/auto';
if (globalThis.indexedDB === undefined) await import(/* @vite-ignore */ fake);

const names = new WeakMap<Database, string>();
let count = 0;
const freshName = (): string => `tabnode-test-${Date.now()}-${count++}`;
const openNamed = async (name: string): Promise<Database> => {
  const database = await openIdbDatabase(name);
  names.set(database, name);
  return database;
};

databaseCompliance('IndexedDB', {
  open: () => openNamed(freshName()),
  reopen: (database) => openNamed(names.get(database) as string),
});
proofCompliance('IndexedDB', () => openIdbEngine(freshName()));

describe('openIdbDatabase', () => {
  const key = Uint8Array.of(1);

  it('closes for a newer version and reports it', async () => {
    const name = freshName();
    const onLost = vi.fn();
    const database = await openIdbDatabase(name, { onLost });
    const newer = await openDB(name, schemaVersion + 1);
    expect(onLost).toHaveBeenCalledOnce();
    await expect(database.get('nodes', key)).rejects.toMatchObject({ code: 'StorageBroken' });
    newer.close();
    await expect(openIdbDatabase(name)).rejects.toMatchObject({ code: 'StorageBroken' });
  });

  it('closes for its deletion and says so', async () => {
    const name = freshName();
    const onLost = vi.fn();
    await openIdbDatabase(name, { onLost });
    await deleteDB(name);
    expect(onLost).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: 'This chain was deleted' }),
    );
  });

  it('never writes again once another tab has seized the chain', async () => {
    const name = freshName();
    const onLost = vi.fn();
    const frozen = await openIdbDatabase(name, { onLost });
    const write = (database: Database, value: number) =>
      database.write({ puts: [['nodes', key, Uint8Array.of(value)]], deletes: [] });
    await write(frozen, 1);
    const second = await openIdbDatabase(name, { seizes: true });
    await expect(write(frozen, 2)).rejects.toMatchObject({ code: 'ChainInUse' });
    expect(onLost).toHaveBeenCalledOnce();
    await expect(frozen.get('nodes', key)).rejects.toMatchObject({ code: 'ChainInUse' });
    expect(await second.get('nodes', key)).toEqual(Uint8Array.of(1));
    await write(second, 3);
    // The next one to open it continues from there, and can be seized in turn.
    const third = await openIdbDatabase(name);
    await write(third, 4);
    const fourth = await openIdbDatabase(name, { seizes: true });
    await expect(write(third, 5)).rejects.toMatchObject({ code: 'ChainInUse' });
    await expect(write(second, 6)).rejects.toMatchObject({ code: 'ChainInUse' });
    expect(await fourth.get('nodes', key)).toEqual(Uint8Array.of(4));
    await fourth.close();
  });

  it('is seized by one of several tabs', async () => {
    const name = freshName();
    await (await openIdbDatabase(name)).close();
    const tries = Array.from({ length: 5 }, () => openIdbDatabase(name, { seizes: true }));
    const opened = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    const writes = opened.map(async (one) => {
      if (one.status === 'fulfilled') await one.value.write({ puts: [['nodes', key, key]], deletes: [] });
    });
    const written = (await Promise.allSettled(writes)).filter(({ status }) => status === 'fulfilled');
    expect(written).toHaveLength(1);
  });

  it('answers ChainInUse when an older tab does not let go', async () => {
    const name = freshName();
    // An older version without a `blocking` handler, which keeps the database open.
    const older = await openDB(name, 1);
    const opening = openIdbDatabase(name, { blockedTimeoutMs: 20, version: 2 });
    await expect(opening).rejects.toMatchObject({ code: 'ChainInUse' });
    older.close();
  });

  it('tells that the browser lets the page store nothing, in the words of each', async () => {
    const refuse = (name: string) => () => {
      throw new DOMException('The user denied permission to access the database.', name);
    };
    const names = ['SecurityError', 'InvalidStateError', 'UnknownError'];
    for (const factory of [undefined, ...names.map((name) => ({ open: refuse(name) }))]) {
      vi.stubGlobal('indexedDB', factory);
      await expect(openIdbDatabase(freshName())).rejects.toMatchObject({ code: 'StorageDenied' });
    }
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('Internal error opening backing store.', 'UnknownError');
      },
    });
    await expect(openIdbDatabase(freshName())).rejects.toMatchObject({ code: 'StorageBroken' });
    vi.unstubAllGlobals();
  });

  it('maps a refused write to StorageQuota', async () => {
    const database = await openIdbDatabase(freshName());
    const original = IDBObjectStore.prototype.put;
    const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore) {
      original.call(this, Uint8Array.of(9), Uint8Array.of(9));
      throw new DOMException('no room', 'QuotaExceededError');
    });
    await expect(database.write({ puts: [['nodes', key, key]], deletes: [] })).rejects.toMatchObject({
      code: 'StorageQuota',
    });
    spy.mockRestore();
    expect(await database.get('nodes', Uint8Array.of(9))).toBeNull();
    await database.close();
  });

  it('tells that the disk is full, also once the browser has closed the database for that', async () => {
    const database = await openIdbDatabase(freshName());
    const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('Connection is closing because of: IO error: 3.log: FILE_ERROR_NO_SPACE');
    });
    const full = { code: 'StorageQuota', message: expect.stringMatching(/disk is full.*reload the page/) };
    await expect(database.write({ puts: [['nodes', key, key]], deletes: [] })).rejects.toMatchObject(full);
    spy.mockRestore();
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('Internal error: FILE_ERROR_NO_SPACE');
    });
    await expect(database.get('nodes', key)).rejects.toMatchObject(full);
    expect(database.fault?.()).toMatchObject(full);
    vi.restoreAllMocks();
    expect(await database.get('nodes', key)).toBeNull();
    expect(database.fault?.()).toBeNull();
    await database.close();
  }, 60_000);

  it('waits for the disk only if the store requires it', async () => {
    const database = await openIdbDatabase(freshName());
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await database.write({ puts: [['nodes', key, key]], deletes: [] });
    await database.write({ puts: [['keystore', key, key]], deletes: [] });
    expect(spy.mock.calls.map(([, , options]) => options?.durability)).toEqual(['relaxed', 'strict']);
    spy.mockRestore();
    await database.close();
  });
});
