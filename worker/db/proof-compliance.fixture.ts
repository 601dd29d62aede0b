import { describe, expect, it } from 'vitest';
// A chain of 24 blocks with a transfer, a proof, a snapshot, a key and an offchain value, as stored by
// version 2 (in part).
import version2 from '../../test/databases/version-2.json' with { type: 'json' };
import { equalBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { checkedDatabase, type Engine, uncheckedDatabase } from './checked.ts';
import type { Database } from './database.ts';
import { loadSchemaVersion, openChecked } from './migrate.ts';
import { type StoreName, schemaVersion, storeNames, stores } from './stores.ts';

type OpenEngine = () => Promise<Engine>;

const proven = storeNames.filter((name) => stores[name].proof === 'checksum');
const key = Uint8Array.of(1, 2, 3);
const value = Uint8Array.of(10, 20, 30, 40, 50);

const put = (database: Database, store: StoreName, at: Uint8Array, bytes: Uint8Array): Promise<void> =>
  database.write({ puts: [[store, at, bytes]], deletes: [] });

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, at) => (at === bit >>> 3 ? byte ^ (1 << (bit & 7)) : byte));

const reads = (database: Database, store: StoreName): readonly (() => unknown)[] => [
  () => database.get(store, key),
  () => database.getMany(store, [key]),
  () => database.range(store),
  ...(database.getSync === undefined ? [] : [() => database.getSync?.(store, key)]),
];

const expectBroken = async (database: Database, store: StoreName): Promise<void> => {
  const error = { code: 'StorageBroken', details: { store, key: bytesToHex(key) } };
  for (const read of reads(database, store))
    await expect((async () => read())(), store).rejects.toMatchObject(error);
};

const damageTests = (open: OpenEngine): void => {
  it('is reported by every read, whichever bit of a record is flipped', async () => {
    const engine = await open();
    const [database, raw] = [checkedDatabase(engine), uncheckedDatabase(engine)];
    for (const store of proven) {
      await put(database, store, key, value);
      const stored = (await raw.get(store, key)) as Uint8Array;
      for (let bit = 0; bit < stored.length * 8; bit++) {
        await put(raw, store, key, flipped(stored, bit));
        await expectBroken(database, store);
      }
      await put(raw, store, key, stored);
      expect(await database.get(store, key)).toEqual(value);
    }
    await engine.close();
  });

  it('is reported if a record is truncated, or has another key or store', async () => {
    const engine = await open();
    const [database, raw] = [checkedDatabase(engine), uncheckedDatabase(engine)];
    const other = Uint8Array.of(1, 2, 4);
    for (const store of proven) {
      await put(database, store, other, value);
      await put(raw, store, key, (await raw.get(store, other)) as Uint8Array);
      await expectBroken(database, store);
      await put(raw, store, key, Uint8Array.of(1, 2, 3));
      await expectBroken(database, store);
    }
    await put(database, 'headers', key, value);
    await put(raw, 'bodies', key, (await raw.get('headers', key)) as Uint8Array);
    await expectBroken(database, 'bodies');
    await engine.close();
  });
};

const oldRecords = Object.entries(version2).flatMap(([store, records]) =>
  Object.entries(records).map(
    ([at, stored]) => [store as StoreName, hexToBytes(`0x${at}`), hexToBytes(`0x${stored}`)] as const,
  ),
);

const isVersion = ([store, at]: readonly [StoreName, Uint8Array, Uint8Array]): boolean =>
  store === 'meta' && equalBytes(at, new TextEncoder().encode('schema'));

/** A version 2 database with more records in a store than one batch of the upgrade handles. */
const openOld = async (open: OpenEngine): Promise<{ engine: Engine; records: typeof oldRecords }> => {
  const engine = await open();
  const more = Array.from(
    { length: 150 },
    (_, at) => ['offchain', Uint8Array.of(1, at), Uint8Array.of(at)] as const,
  );
  await uncheckedDatabase(engine).write({ puts: [...oldRecords, ...more], deletes: [] });
  return { engine, records: [...oldRecords.filter((record) => !isVersion(record)), ...more] };
};

const expectUpgraded = async (engine: Engine, records: typeof oldRecords): Promise<void> => {
  const database = checkedDatabase(engine);
  for (const [store, at, bytes] of records) expect(await database.get(store, at)).toEqual(bytes);
  expect(await loadSchemaVersion(uncheckedDatabase(engine))).toBe(schemaVersion);
  // The version and the records, without the upgrade's own progress record.
  const inMeta = records.filter(([store]) => store === 'meta').length;
  expect(await uncheckedDatabase(engine).range('meta')).toHaveLength(inMeta + 1);
};

const upgradeTests = (open: OpenEngine): void => {
  it('keeps every record of version 2', async () => {
    const { engine, records } = await openOld(open);
    await openChecked(engine);
    await expectUpgraded(engine, records);
    await engine.close();
  });

  it('resumes after a failure of any write, and makes older nodes refuse the database meanwhile', async () => {
    for (let allowed = 0; ; allowed++) {
      const { engine, records } = await openOld(open);
      let left = allowed;
      const failing: Engine = {
        ...engine,
        close: async () => undefined,
        write: async (...given) => {
          if (left-- <= 0) throw new Error('power cut');
          await engine.write(...given);
        },
      };
      const done = await openChecked(failing).then(
        () => true,
        () => false,
      );
      // A node of version 2 accepts exactly four bytes.
      const version = await engine.get('meta', new TextEncoder().encode('schema'));
      expect(version?.length).toBe(allowed === 0 ? 4 : 8);
      await openChecked(engine);
      await expectUpgraded(engine, records);
      await engine.close();
      if (done) return;
    }
  });

  it('refuses a database without its version, or with an altered one', async () => {
    const schema = new TextEncoder().encode('schema');
    for (const lost of [null, Uint8Array.of(0, 0, 0, 0), Uint8Array.of(0, 0, 0, 3), Uint8Array.of(2)]) {
      const { engine, records } = await openOld(open);
      const puts = lost === null ? [] : [['meta', schema, lost] as const];
      await uncheckedDatabase(engine).write({ puts, deletes: [['meta', schema]] });
      const kept: Engine = { ...engine, close: async () => undefined };
      await expect(openChecked(kept)).rejects.toMatchObject({ code: 'StorageBroken' });
      const [store, at, bytes] = records[0] as (typeof oldRecords)[number];
      expect(await engine.get(store, at)).toEqual(bytes);
      await engine.close();
    }
  });
};

/** How an engine and the layer over it handle damaged records, and those of version 2. */
export const proofCompliance = (name: string, open: OpenEngine): void => {
  describe(`records with proofs: ${name}`, () => {
    describe('damage', () => damageTests(open));
    describe('upgrade', () => upgradeTests(open));
  });
};
