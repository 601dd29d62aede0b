import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, concatBytes, keyToBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { createBackgroundWrites } from '../db/background-writes.ts';
import { type Batch, createBatch, type Database } from '../db/database.ts';
import type { KeyScheme } from '../executor/extensions.ts';

/** `scheme` is null if no scheme derives the public key from the URI. */
export type Entry = {
  readonly keyType: string;
  readonly publicKey: Uint8Array;
  readonly suri: string;
  readonly scheme: KeyScheme | null;
};

export const schemes: readonly KeyScheme[] = ['sr25519', 'ed25519', 'ecdsa'];
const keyTypeBytes = (keyType: string): Uint8Array => {
  if (!/^[\0-\u00ff]{4}$/.test(keyType))
    throw new NodeError('BadKey', `A key type has four characters, "${keyType}" has not`);
  return keyToBytes(keyType);
};

const recordKey = (keyType: string, publicKey: Uint8Array): Uint8Array =>
  concatBytes(keyTypeBytes(keyType), publicKey);

export const nameOf = (keyType: string, publicKey: Uint8Array): string =>
  bytesToKey(recordKey(keyType, publicKey));

/** A stored record: the scheme's index (3 if none matches), then the secret URI as a SCALE string. */
const encodeRecord = ({ scheme, suri }: Entry): Uint8Array =>
  new Writer()
    .u8(scheme === null ? schemes.length : schemes.indexOf(scheme))
    .vecBytes(textToBytes(suri))
    .finish();

export const decodeRecord = (key: Uint8Array, value: Uint8Array): Entry => {
  const reader = new Reader(value);
  const scheme = schemes[reader.u8()] ?? null;
  const suri = reader.text();
  reader.end();
  return { keyType: bytesToKey(key.subarray(0, 4)), publicKey: key.slice(4), suri, scheme };
};

/** After a failed write: reads the keys again that nothing else has changed since. */
const restore = async (
  entries: Map<string, Entry>,
  db: Pick<Database, 'get'>,
  names: ReadonlyMap<string, Entry | undefined>,
): Promise<void> => {
  for (const [name, written] of names) {
    const key = keyToBytes(name);
    const value = await db.get('keystore', key).catch(() => null);
    if (entries.get(name) !== written) continue;
    if (value === null) entries.delete(name);
    else entries.set(name, decodeRecord(key, value));
  }
};

/** Adds and removes entries, in memory at once and on disk in the background, all of them or none. */
export const createChanges = (
  entries: Map<string, Entry>,
  db: Pick<Database, 'get' | 'write'> | null,
  onError: (error: unknown) => void,
) => {
  const writes = createBackgroundWrites(onError);
  const write = async (batch: Batch, names: ReadonlyMap<string, Entry | undefined>): Promise<void> => {
    if (db === null) return;
    try {
      await db.write(batch);
    } catch (error) {
      await restore(entries, db, names);
      throw error;
    }
  };
  /** The writes of keys that are not yet on disk. */
  const underWay = new Map<string, Promise<void>>();
  const begin = (batch: Batch, names: ReadonlyMap<string, Entry | undefined>): Promise<void> => {
    const written = writes.add(write(batch, names));
    for (const name of names.keys()) underWay.set(name, written);
    const done = (): void => {
      for (const name of names.keys()) if (underWay.get(name) === written) underWay.delete(name);
    };
    written.then(done, done);
    return written;
  };
  return {
    /** Returns its name. */
    addInMemory: (entry: Entry): string => {
      const name = nameOf(entry.keyType, entry.publicKey);
      entries.set(name, entry);
      return name;
    },
    /** Resolves when they are on disk. Throws `BadKey` at once. */
    add: (added: readonly Entry[]): Promise<unknown> => {
      const { puts, deletes } = createBatch();
      const names = new Map<string, Entry>();
      const others: (Promise<void> | undefined)[] = [];
      for (const entry of added) {
        const key = recordKey(entry.keyType, entry.publicKey);
        const name = bytesToKey(key);
        const before = entries.get(name);
        if (before?.suri === entry.suri && before.scheme === entry.scheme) others.push(underWay.get(name));
        else {
          entries.set(name, entry);
          names.set(name, entry);
          puts.push(['keystore', key, encodeRecord(entry)]);
        }
      }
      if (puts.length > 0) others.push(begin({ puts, deletes }, names));
      return Promise.all(others);
    },
    remove: (names: readonly string[]): Promise<void> => {
      if (names.length === 0) return Promise.resolve();
      for (const name of names) entries.delete(name);
      const deletes = names.map((name) => ['keystore', keyToBytes(name)] as const);
      return begin({ puts: [], deletes }, new Map(names.map((name) => [name, undefined])));
    },
    flush: writes.flush,
  };
};
