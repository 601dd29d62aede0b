import { bytesToText, concatBytes, equalBytes, textToBytes } from '../bytes/bytes.ts';
import { openRecord, sealRecord } from './checked.ts';
import { damageError } from './damage.ts';
import type { Batch, Database } from './database.ts';
import { type StoreName, storeNames, stores } from './stores.ts';

/**
 * Key of the schema version in `meta`. Read and written in stored form, because the format of everything else
 * depends on it.
 */
export const schemaKey = /* @__PURE__ */ textToBytes('schema');

/** Versions 1 and 2 wrote four bytes without a checksum. */
const plainSize = 4;
const lastPlain = 2;

export const encodeVersion = (version: number): Uint8Array => {
  const out = new Uint8Array(plainSize);
  new DataView(out.buffer).setUint32(0, version);
  return sealRecord('meta', schemaKey, out);
};

/** Throws `StorageBroken`. A flipped bit cannot turn a later version into an older one. */
export const decodeVersion = (stored: Uint8Array): number => {
  const isPlain = stored.length === plainSize;
  const value = isPlain ? stored : openRecord('meta', schemaKey, stored);
  const version = value.length === plainSize ? new DataView(value.buffer, value.byteOffset).getUint32(0) : 0;
  if (version === 0 || (isPlain && version > lastPlain))
    throw damageError('its schema version cannot be read', { store: 'meta' });
  return version;
};

/** Progress: the store, a zero byte, the last key done. The last batch deletes it. */
const markKey = /* @__PURE__ */ textToBytes('sealing');

/** Records per transaction, which bounds the memory used. */
const batchSize = 64;

type Mark = { readonly store: StoreName; readonly last: Uint8Array | null };
type Row = readonly [key: Uint8Array, value: Uint8Array];

const putMark = ({ store, last }: Mark): Batch['puts'][number] => {
  const value = concatBytes(textToBytes(store), Uint8Array.of(0), last ?? new Uint8Array(0));
  return ['meta', markKey, sealRecord('meta', markKey, value)];
};

const loadMark = async (database: Database): Promise<Mark | null> => {
  const stored = await database.get('meta', markKey);
  if (stored === null) return null;
  const value = openRecord('meta', markKey, stored);
  const zero = value.indexOf(0);
  const last = value.slice(zero + 1);
  return { store: bytesToText(value.subarray(0, zero)) as StoreName, last: last.length === 0 ? null : last };
};

/** The progress mark and the version. Both have their own checksums from the first batch on. */
const isOurs = (store: StoreName, key: Uint8Array): boolean =>
  store === 'meta' && (equalBytes(key, markKey) || equalBytes(key, schemaKey));

const sealBatch = (store: StoreName, rows: readonly Row[]): Batch['puts'][number][] =>
  rows
    .filter(([key]) => !isOurs(store, key))
    .map(([key, value]) => [store, key, sealRecord(store, key, value)]);

/**
 * Writes the version in version 3's form before any record: an older node must not read a half-migrated
 * database.
 */
const begin = async (database: Database, store: StoreName): Promise<Mark> => {
  const mark: Mark = { store, last: null };
  await database.write({ puts: [['meta', schemaKey, encodeVersion(2)], putMark(mark)], deletes: [] });
  return mark;
};

/**
 * Version 2 → 3: appends a checksum to each record, a batch at a time. The mark moves in the same
 * transaction, so after a crash the work resumes there and no record gets two.
 */
export const sealStores = async (database: Database): Promise<Batch> => {
  const todo = storeNames.filter((name) => stores[name].proof === 'checksum');
  const begun = (await loadMark(database)) ?? (await begin(database, todo[0] as StoreName));
  for (const store of todo.slice(todo.indexOf(begun.store))) {
    let last = store === begun.store ? begun.last : null;
    for (;;) {
      // The smallest key greater than another is that key with a zero byte appended.
      const from = last === null ? {} : { from: concatBytes(last, Uint8Array.of(0)) };
      const rows = await database.range(store, { ...from, limit: batchSize });
      last = rows.at(-1)?.[0] ?? null;
      if (last === null) break;
      const puts = [...sealBatch(store, rows), putMark({ store, last })];
      await database.write({ puts, deletes: [] });
    }
  }
  return { puts: [], deletes: [['meta', markKey]] };
};
