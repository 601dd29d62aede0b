import { textToBytes } from '../bytes/bytes.ts';
import { checksum } from './checksum.ts';
import { recordDamage } from './damage.ts';
import { type Batch, checkBatch, type Database, type Range } from './database.ts';
import { type StoreName, storeNames, stores } from './stores.ts';

/** The stored bytes of a record. */
export type StoredBytes = (store: StoreName, key: Uint8Array, value: Uint8Array) => Uint8Array;

/**
 * The storage engine: IndexedDB, SQLite or memory. A batch only names stores of the list. The engine does not
 * know checksums: `write` requests the stored form of each record, and reads return it.
 */
export type Engine = Omit<Database, 'write'> & {
  write(batch: Batch, bytesOf: StoredBytes): Promise<void>;
  /**
   * The records next to a key's position, before and after. For engines in which damage can hide a record: a
   * key with a flipped bit is found next to the expected position.
   */
  beside?(store: StoreName, key: Uint8Array): readonly (readonly [key: Uint8Array, stored: Uint8Array])[];
};

const checksumSize = 4;

const seeds = /* @__PURE__ */ new Map<StoreName, number>(
  /* @__PURE__ */ storeNames.map((name) => [name, checksum(textToBytes(name), 0)]),
);

/** Covers store, key and value, so that no record can be mistaken for another. */
const checksumOf = (store: StoreName, key: Uint8Array, value: Uint8Array): number =>
  checksum(value, checksum(key, seeds.get(store) as number));

/** A record in stored form: the value, then the checksum if the store has one. */
export const sealRecord: StoredBytes = (store, key, value) => {
  if (stores[store].proof !== 'checksum') return value;
  const out = new Uint8Array(value.length + checksumSize);
  out.set(value);
  new DataView(out.buffer).setUint32(value.length, checksumOf(store, key, value));
  return out;
};

/** The value of a stored record. Throws `StorageBroken` if the record is damaged. */
export const openRecord = (store: StoreName, key: Uint8Array, stored: Uint8Array): Uint8Array => {
  if (stores[store].proof !== 'checksum') return stored;
  const end = stored.length - checksumSize;
  if (end < 0) throw recordDamage(store, key, 'was cut off');
  const value = stored.slice(0, end);
  const found = new DataView(stored.buffer, stored.byteOffset).getUint32(end);
  if (found !== checksumOf(store, key, value)) throw recordDamage(store, key, 'does not match its checksum');
  return value;
};

const writeTo =
  (engine: Engine, bytesOf: StoredBytes): Database['write'] =>
  async (batch) => {
    checkBatch(batch);
    await engine.write(batch, bytesOf);
  };

/** The engine without checksums: for migrations, and for memory, which no disk can damage. */
export const uncheckedDatabase = (engine: Engine): Database => ({
  ...engine,
  write: writeTo(engine, (_store, _key, value) => value),
});

/** The engine as used by the node: writes add checksums, reads verify them. */
export const checkedDatabase = (engine: Engine): Database => {
  const checkBeside = (store: StoreName, key: Uint8Array | undefined): void => {
    if (key === undefined || engine.beside === undefined) return;
    for (const [near, stored] of engine.beside(store, key)) openRecord(store, near, stored);
  };
  const read = (store: StoreName, key: Uint8Array, stored: Uint8Array | null): Uint8Array | null => {
    if (stored !== null) return openRecord(store, key, stored);
    checkBeside(store, key);
    return null;
  };
  const { getSync, getSome, fault } = engine;
  return {
    get: async (store, key) => read(store, key, await engine.get(store, key)),
    getMany: async (store, keys) => {
      const found = await engine.getMany(store, keys);
      return found.map((stored, at) => read(store, keys[at] as Uint8Array, stored));
    },
    ...(getSync === undefined ? {} : { getSync: (store, key) => read(store, key, getSync(store, key)) }),
    ...(getSome === undefined ? {} : { getSome }),
    hasMany: engine.hasMany,
    range: async (store, range: Range = {}) => {
      const found = await engine.range(store, range);
      for (const bound of range.isCounted === true ? [] : [range.from, range.to]) checkBeside(store, bound);
      return found.map(([key, stored]) => [key, openRecord(store, key, stored)]);
    },
    write: writeTo(engine, sealRecord),
    ...(fault === undefined ? {} : { fault }),
    sizeBytes: engine.sizeBytes,
    close: engine.close,
  };
};
