import { openDB } from 'idb';
import { describe, expect, it, vi } from 'vitest';
import { databaseCompliance } from './compliance.fixture.ts';
import type { Database } from './database.ts';
import { openIdbDatabase, openIdbEngine } from './idb.ts';
import { proofCompliance } from './proof-compliance.fixture.ts';
import { schemaVersion } from './stores.ts';

// In a browser the real one runs; Node.js has none. The name is a variable so that no bundler looks for it.
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

  it('gives way to a newer version and tells', async () => {
    const name = freshName();
    const onLost = vi.fn();
    const database = await openIdbDatabase(name, { onLost });
    const newer = await openDB(name, schemaVersion + 1);
    expect(onLost).toHaveBeenCalledOnce();
    await expect(database.get('nodes', key)).rejects.toMatchObject({ code: 'StorageBroken' });
    newer.close();
    await expect(openIdbDatabase(name)).rejects.toMatchObject({ code: 'StorageBroken' });
  });

  it('answers ChainInUse when an older tab does not let go', async () => {
    const name = freshName();
    // An older version without a `blocking` handler, which therefore keeps the database.
    const older = await openDB(name, 1);
    const opening = openIdbDatabase(name, { blockedTimeoutMs: 20, version: 2 });
    await expect(opening).rejects.toMatchObject({ code: 'ChainInUse' });
    older.close();
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

  it('waits for the disk only where the store says so', async () => {
    const database = await openIdbDatabase(freshName());
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await database.write({ puts: [['nodes', key, key]], deletes: [] });
    await database.write({ puts: [['keystore', key, key]], deletes: [] });
    expect(spy.mock.calls.map(([, , options]) => options?.durability)).toEqual(['relaxed', 'strict']);
    spy.mockRestore();
    await database.close();
  });
});
