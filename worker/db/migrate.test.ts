import { describe, expect, it } from 'vitest';
import { textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { decodeHeaderRecord, decodeNumberRecord, numberKey } from '../chain/records.ts';
import { checkedDatabase, uncheckedDatabase } from './checked.ts';
import { createMemoryDatabase, createMemoryEngine } from './memory.ts';
import { loadSchemaVersion, type Migration, migrate, migrations } from './migrate.ts';
import { schemaVersion, stores } from './stores.ts';

const key = Uint8Array.of(1);
const steps: Migration[] = [
  {
    to: 2,
    run: async (db) => ({
      deletes: [],
      puts: [['nodes', key, Uint8Array.of(((await db.get('nodes', key))?.[0] ?? 0) * 2)]],
    }),
  },
  {
    to: 3,
    run: async (db) => ({
      deletes: [],
      puts: [['nodes', key, Uint8Array.of(((await db.get('nodes', key))?.[0] ?? 0) + 1)]],
    }),
  },
];

describe('migrate', () => {
  it('stamps a new database without running a step', async () => {
    const db = createMemoryDatabase();
    expect(await migrate(db, steps, 3)).toBeNull();
    expect(await loadSchemaVersion(db)).toBe(3);
    expect(await db.get('nodes', key)).toBeNull();
  });

  it('runs the steps between two versions, in order, once', async () => {
    const db = createMemoryDatabase();
    await migrate(db, [], 1);
    await db.write({ puts: [['nodes', key, Uint8Array.of(5)]], deletes: [] });
    expect(await migrate(db, steps, 3)).toBe(1);
    expect(await db.get('nodes', key)).toEqual(Uint8Array.of(11));
    expect(await migrate(db, steps, 3)).toBe(3);
    expect(await db.get('nodes', key)).toEqual(Uint8Array.of(11));
  });

  it('resumes where a failed step stopped', async () => {
    const db = createMemoryDatabase();
    await migrate(db, [], 1);
    await db.write({ puts: [['nodes', key, Uint8Array.of(5)]], deletes: [] });
    const failing = [
      steps[0] as Migration,
      { to: 3, run: async () => Promise.reject(new Error('power cut')) },
    ];
    await expect(migrate(db, failing, 3)).rejects.toThrow('power cut');
    expect(await loadSchemaVersion(db)).toBe(2);
    await migrate(db, steps, 3);
    expect(await db.get('nodes', key)).toEqual(Uint8Array.of(11));
  });

  it('refuses a newer or damaged database', async () => {
    const db = createMemoryDatabase();
    await migrate(db, [], 7);
    await expect(migrate(db, steps, 3)).rejects.toMatchObject({ code: 'StorageBroken' });
    await db.write({ puts: [['meta', textToBytes('schema'), key]], deletes: [] });
    await expect(migrate(db, steps, 3)).rejects.toMatchObject({ code: 'StorageBroken' });
  });

  it('keeps the number records of version 1, and makes a node of version 1 refuse the database', async () => {
    const engine = createMemoryEngine();
    const raw = uncheckedDatabase(engine);
    const hash = new Uint8Array(32).fill(7);
    const puts = [
      ['meta', textToBytes('schema'), Uint8Array.of(0, 0, 0, 1)],
      ['numbers', numberKey(3), hash],
    ] as const;
    await raw.write({ puts, deletes: [] });
    expect(await migrate(raw)).toBe(1);
    expect(await checkedDatabase(engine).get('numbers', numberKey(3))).toEqual(hash);
    expect(decodeNumberRecord(hash).meta).toBeNull();
    await expect(migrate(raw, [], 1)).rejects.toMatchObject({ code: 'StorageBroken' });
  });

  it('reads version 2 headers and numbers as foreign blocks, and makes a node of version 2 refuse the database', async () => {
    const engine = createMemoryEngine();
    const raw = uncheckedDatabase(engine);
    const hash = '07'.repeat(32);
    // A weight of 9, after the hash in a number record, or before an empty header of block 3.
    const number = hexToBytes(`0x${hash}09000000`);
    const header = hexToBytes(`0x09000000${hash}0c${'00'.repeat(64)}00`);
    const puts = [
      ['meta', textToBytes('schema'), Uint8Array.of(0, 0, 0, 2)],
      ['numbers', numberKey(3), number],
      ['headers', numberKey(3), header],
    ] as const;
    await raw.write({ puts, deletes: [] });
    expect(await migrate(raw)).toBe(2);
    const db = checkedDatabase(engine);
    const meta = { weight: 9, isOwn: false };
    expect(decodeNumberRecord((await db.get('numbers', numberKey(3))) as Uint8Array)).toEqual({
      hash: `0x${hash}`,
      meta,
    });
    const read = decodeHeaderRecord((await db.get('headers', numberKey(3))) as Uint8Array);
    expect(read).toMatchObject({ header: { number: 3 }, meta });
    await expect(migrate(raw, [], 2)).rejects.toMatchObject({ code: 'StorageBroken' });
  });

  it('has a step for each version after the first, and no store of a later version', () => {
    expect(migrations.map(({ to }) => to)).toEqual(
      Array.from({ length: schemaVersion - 1 }, (_, i) => i + 2),
    );
    for (const { since } of Object.values(stores)) expect(since).toBeLessThanOrEqual(schemaVersion);
  });
});
