import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../worker/db/checked.ts';
import { openIdbEngine } from '../../worker/db/idb.ts';
import { createMemoryEngine } from '../../worker/db/memory.ts';
import { type Salvage, salvageInPlace } from '../../worker/db/salvage.ts';
import { openSqliteEngine } from '../../worker/db/sqlite.ts';
import { openSqliteSalvage } from '../../worker/db/sqlite-salvage.ts';
import { storeNames } from '../../worker/db/stores.ts';

export type Backend = 'memory' | 'sqlite' | 'idb';

/** A storage that outlives the process that uses it. */
export type Disk = {
  open(): Promise<Engine>;
  /** What a new process finds after the previous one was killed. */
  copy(): Promise<Disk>;
  salvage(hash: (bytes: Uint8Array) => Uint8Array): Promise<Salvage>;
  drop(): Promise<void>;
};

const copyRows = async (from: Engine, to: Engine): Promise<void> => {
  for (const store of storeNames) {
    const rows = await from.range(store);
    const puts = rows.map(([key, stored]) => [store, key, stored] as const);
    if (puts.length > 0) await to.write({ puts, deletes: [] }, (_store, _key, stored) => stored);
  }
};

const memoryDisk = (engine: Engine): Disk => {
  const lasting = { ...engine, close: async () => undefined };
  return {
    open: async () => lasting,
    copy: async () => {
      const next = createMemoryEngine();
      await copyRows(engine, next);
      return memoryDisk(next);
    },
    salvage: async () => salvageInPlace(lasting),
    drop: engine.close,
  };
};

const sqliteDisk = (base: string, count: { next: number }): Disk => {
  const folder = join(base, String(count.next++));
  mkdirSync(folder);
  const path = join(folder, 'chain.sqlite');
  return {
    open: async () => openSqliteEngine(path),
    copy: async () => {
      const next = sqliteDisk(base, count);
      const to = join(base, String(count.next - 1), 'chain.sqlite');
      for (const end of ['', '-wal'])
        if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${to}${end}`);
      return next;
    },
    salvage: (hash) => openSqliteSalvage(path, hash),
    drop: async () => rmSync(folder, { recursive: true }),
  };
};

const idbDisk = (count: { next: number }): Disk => {
  const name = `kill-${process.pid}-${count.next++}`;
  const open = (): Promise<Engine> => openIdbEngine(name);
  return {
    open,
    copy: async () => {
      const next = idbDisk(count);
      const [from, to] = [await open(), await next.open()];
      await copyRows(from, to);
      await Promise.all([from.close(), to.close()]);
      return next;
    },
    salvage: async () => salvageInPlace(await open()),
    drop: async () => void indexedDB.deleteDatabase(name),
  };
};

// The module has no types; the variable also hides it from bundlers.
const fakeIdb = 'fake-indexeddb/auto';

/** Creates empty disks of one kind; `end` removes them. IndexedDB is fake-indexeddb, in memory. */
export const createDisks = async (backend: Backend) => {
  const count = { next: 0 };
  switch (backend) {
    case 'memory':
      return { empty: (): Disk => memoryDisk(createMemoryEngine()), end: (): void => undefined };
    case 'sqlite': {
      const base = mkdtempSync(join(tmpdir(), 'tabnode-kill-'));
      return { empty: () => sqliteDisk(base, count), end: () => rmSync(base, { recursive: true }) };
    }
    case 'idb':
      await import(fakeIdb);
      return { empty: () => idbDisk(count), end: () => undefined };
    default:
      return backend satisfies never;
  }
};
