import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import type { NodeError } from '../../src/protocol/errors.ts';
import { createRandom } from '../../test/random.ts';
import { databaseCompliance } from './compliance.ts';
import type { Database } from './database.ts';
import { proofCompliance } from './proof-compliance.ts';
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

  it('keeps a second opener out', async () => {
    const path = join(folder, 'exclusive.db');
    const first = await openSqliteDatabase(path);
    await expect(openSqliteDatabase(path)).rejects.toMatchObject({ code: 'ChainInUse' });
    await first.close();
    await (await openSqliteDatabase(path)).close();
  });

  it('refuses a file that is no database', async () => {
    const path = join(folder, 'text.db');
    writeFileSync(
      path,
      'this is not a database, it is only some text that is long enough to be looked at'.repeat(20),
    );
    await expect(openSqliteDatabase(path)).rejects.toMatchObject({ code: 'StorageBroken' });
  });

  it('says of no record that it is missing because a key lost a bit', async () => {
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
      // Pages that were split keep old copies, which nobody reads.
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

  it('says in words that its file is damaged, and makes no table anew that was lost', async () => {
    const path = join(folder, 'table.db');
    const database = await openSqliteDatabase(path);
    await database.write({ puts: [['justifications', key, key]], deletes: [] });
    await database.close();
    const bytes = readFileSync(path);
    const at = bytes.indexOf('CREATE TABLE "justifications"');
    for (const place of [at + 15, at + 60]) {
      const altered = Buffer.from(bytes);
      altered[place] = (altered[place] as number) ^ 4;
      writeFileSync(path, altered);
      const opening = openSqliteDatabase(path);
      await expect(opening, `byte ${place}`).rejects.toMatchObject({ code: 'StorageBroken' });
    }
  });

  it.each(['value', 'key'])('tells a %s that became text', async (column) => {
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

  it('writes strict batches too', async () => {
    const database = await openSqliteDatabase(':memory:');
    await database.write({ puts: [['keystore', key, key]], deletes: [] });
    expect(await database.get('keystore', key)).toEqual(key);
    await database.close();
  });
});
