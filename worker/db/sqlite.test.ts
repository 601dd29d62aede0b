import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { databaseCompliance } from './compliance.ts';
import type { Database } from './database.ts';
import { openSqliteDatabase } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-db-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const paths = new WeakMap<Database, string>();
let count = 0;
const openAt = async (path: string): Promise<Database> => {
  const database = await openSqliteDatabase(path);
  paths.set(database, path);
  return database;
};

databaseCompliance('sqlite', {
  open: () => openAt(join(folder, `chain-${count++}.db`)),
  reopen: (database) => openAt(paths.get(database) as string),
});

describe('openSqliteDatabase', () => {
  const key = Uint8Array.of(1);

  it('keeps a second opener out', async () => {
    const path = join(folder, 'exclusive.db');
    const first = await openSqliteDatabase(path);
    await expect(openSqliteDatabase(path)).rejects.toMatchObject({ code: 'ChainInUse' });
    await first.close();
    await (await openSqliteDatabase(path)).close();
  });

  it('refuses a file that is no database', async () => {
    const path = join(folder, 'text.db');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      path,
      'this is not a database, it is only some text that is long enough to be looked at'.repeat(20),
    );
    await expect(openSqliteDatabase(path)).rejects.toMatchObject({ code: 'StorageBroken' });
  });

  it('writes strict batches too', async () => {
    const database = await openSqliteDatabase(':memory:');
    await database.write({ puts: [['keystore', key, key]], deletes: [] });
    expect(await database.get('keystore', key)).toEqual(key);
    await database.close();
  });
});
