import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import type { NodeError } from '../../src/protocol/errors.ts';
import { createRandom } from '../../test/rigs/random.ts';
import { databaseCompliance } from './compliance.fixture.ts';
import type { Database } from './database.ts';
import { proofCompliance } from './proof-compliance.fixture.ts';
import { openSqliteDatabase, openSqliteEngine } from './sqlite.ts';

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
proofCompliance('sqlite', async () => openSqliteEngine(join(folder, `engine-${count++}.db`)));

describe('openSqliteDatabase', () => {
  const key = Uint8Array.of(1);

  it('refuses a second opener', async () => {
    const path = join(folder, 'exclusive.db');
    const first = await openSqliteDatabase(path);
    await expect(openSqliteDatabase(path)).rejects.toMatchObject({ code: 'ChainInUse' });
    await first.close();
    await (await openSqliteDatabase(path)).close();
  });

  it('refuses a file that is not a database', async () => {
    const path = join(folder, 'text.db');
    writeFileSync(
      path,
      'this is not a database, it is only some text that is long enough to be looked at'.repeat(20),
    );
    await expect(openSqliteDatabase(path)).rejects.toMatchObject({ code: 'StorageBroken' });
  });

  it('reports no record as missing if a key has a flipped bit', async () => {
    const path = join(folder, 'keys.db');
    const database = await openSqliteDatabase(path);
    const random = createRandom(11);
    const newKey = (): Uint8Array => Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
    const keys = Array.from({ length: 500 }, newKey);
    await database.write({ puts: keys.map((at) => ['headers', at, Uint8Array.of(1)] as const), deletes: [] });
    await database.close();
    const whole = readFileSync(path);
    for (let round = 0; round < 60; round++) {
      const lost = keys[Math.floor(random() * keys.length)] as Uint8Array;
      const bytes = Buffer.from(whole);
      const [offset, bit] = [Math.floor(random() * random() * 32), Math.floor(random() * 8)];
      // Split pages keep old copies that are never read.
      for (let place = whole.indexOf(lost); place >= 0; place = whole.indexOf(lost, place + 1))
        bytes[place + offset] = (bytes[place + offset] as number) ^ (1 << bit);
      writeFileSync(path, bytes);
      const damaged = await openSqliteDatabase(path);
      await expect(damaged.get('headers', lost)).rejects.toMatchObject({ code: 'StorageBroken' });
      await expect(damaged.range('headers')).rejects.toMatchObject({ code: 'StorageBroken' });
      for (const at of keys) {
        const value = await damaged.get('headers', at).catch((error: NodeError) => error.code);
        expect([Uint8Array.of(1), 'StorageBroken']).toContainEqual(value);
      }
      await damaged.close();
    }
  });

  it("reports no record as missing if a page's record count is wrong", async () => {
    const path = join(folder, 'count.db');
    const database = await openSqliteDatabase(path);
    const keys = Array.from({ length: 8 }, (_, at) => Uint8Array.of(at + 1));
    await database.write({ puts: keys.map((at) => ['headers', at, at] as const), deletes: [] });
    await database.close();
    const file = new DatabaseSync(path);
    const row = file.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'headers'").get();
    file.close();
    const bytes = readFileSync(path);
    // The low byte of the number of records in the only page of the store: 8 becomes 0.
    bytes[(Number(row?.['rootpage']) - 1) * 4096 + 4] = 0;
    writeFileSync(path, bytes);
    const damaged = await openSqliteDatabase(path);
    const error = { code: 'StorageBroken', details: { store: 'headers' } };
    await expect(damaged.get('headers', Uint8Array.of(3))).rejects.toMatchObject(error);
    await expect(damaged.range('headers')).rejects.toMatchObject(error);
    expect(await damaged.range('bodies')).toEqual([]);
    await damaged.close();
  });

  it.each([
    ['lost a table', "DELETE FROM sqlite_schema WHERE name = 'justifications'"],
    [
      'has one table in the place of another',
      "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'auxiliary') WHERE name = 'justifications'",
    ],
    [
      'forgot a column of a table',
      "UPDATE sqlite_schema SET sql = replace(sql, 'value', 'valve') WHERE name = 'justifications'",
    ],
  ])('refuses a file that %s, and does not replace it', async (_, change) => {
    const path = join(folder, `table-${count++}.db`);
    const database = await openSqliteDatabase(path);
    await database.write({ puts: [['justifications', key, key]], deletes: [] });
    await database.close();
    const file = new DatabaseSync(path, { defensive: false });
    file.exec(`PRAGMA writable_schema = ON; ${change}`);
    file.close();
    await expect(openSqliteDatabase(path)).rejects.toMatchObject({
      code: 'StorageBroken',
      message: expect.stringContaining('The database is damaged'),
    });
  });

  it.each(['value', 'key'])('reports a %s that became text', async (column) => {
    const path = join(folder, `text-${column}.db`);
    const database = await openSqliteDatabase(path);
    await database.write({ puts: [['nodes', key, key]], deletes: [] });
    await database.close();
    const file = new DatabaseSync(path);
    file.exec(`UPDATE nodes SET ${column} = CAST(${column} AS TEXT)`);
    file.close();
    const damaged = await openSqliteDatabase(path);
    await expect(damaged.get('nodes', key)).rejects.toMatchObject({ code: 'StorageBroken' });
    await expect(damaged.range('nodes')).rejects.toMatchObject({ code: 'StorageBroken' });
    await damaged.close();
  });

  it('also writes strict batches', async () => {
    const database = await openSqliteDatabase(':memory:');
    await database.write({ puts: [['keystore', key, key]], deletes: [] });
    expect(await database.get('keystore', key)).toEqual(key);
    await database.close();
  });
});
