import { NodeError } from '../../src/protocol/errors.ts';
import { maxDerivedSecrets } from '../../src/protocol/limits.ts';
import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey, concatBytes, equalBytes, keyToBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { KeyPair } from '../crypto/keys.ts';
import type { Batch, Database } from '../db/database.ts';
import type { KeyScheme, KeystoreHost } from '../executor/extensions.ts';
import { createSigning } from './signing.ts';

/** Public information about a key, without secrets. */
export type ListedKey = {
  readonly keyType: string;
  readonly scheme: KeyScheme | null;
  readonly publicKey: Uint8Array;
};

/**
 * The keystore as seen by one attempt of a runtime call. Generated keys are only kept if `apply` is called.
 */
export type KeystoreAttempt = { readonly host: KeystoreHost; apply(): void };

/**
 * The node's own keys, by key type (one character for each of its four bytes) and public key. Reads are
 * synchronous, because host functions are; additions are written in the background, and `flush` waits for
 * them.
 */
export type Keystore = KeystoreHost & {
  /** Loads the stored keys. Call it once, before use. */
  load(): Promise<void>;
  /** Derives the key and stores it, unless it is only for the lifetime of the process. Throws `BadKey`. */
  insertSuri(
    keyType: string,
    scheme: KeyScheme,
    suri: string,
    options?: { readonly isKept: boolean },
  ): Uint8Array;
  /**
   * Adds a key of a development account for the lifetime of the process. It is derived on first use of the
   * keystore, because that would take 10 ms of a start. The URI must be one that derives a key.
   */
  insertLater(keyType: string, scheme: KeyScheme, suri: string): void;
  /**
   * Stores a secret URI under a public key. Neither is validated (author_insertKey); a key that does not
   * match its URI is listed but never signs.
   */
  insert(keyType: string, suri: string, publicKey: Uint8Array): void;
  has(keyType: string, publicKey: Uint8Array): boolean;
  /** All keys in insertion order. `scheme` is null if the stored secret matches none. */
  list(): readonly ListedKey[];
  /** Copies of the key pairs of a key type, in insertion order. */
  pairs(keyType: string): KeyPair[];
  /** Create a new one for each attempt of a call that may be repeated. */
  attempt(): KeystoreAttempt;
  /**
   * Removes all stored keys except those of these names (key type, then public key). Keys that are not stored
   * are kept.
   */
  retain(names: readonly Uint8Array[]): void;
  /** Resolves when all keys added so far are on disk; rejects if one could not be written. */
  flush(): Promise<void>;
};

export type KeystoreDeps = {
  readonly crypto: Pick<Crypto, 'blake2b256' | 'sr25519Sign' | 'ed25519Sign' | 'ecdsaSign' | 'suriToPair'>;
  readonly db: Pick<Database, 'range' | 'write'> | null;
  /** Generates seeds for new keys. Defaults to the platform's generator. */
  readonly random?: (length: number) => Uint8Array;
};

/** `scheme` is null if no scheme derives the public key from the URI. */
type Entry = {
  readonly keyType: string;
  readonly publicKey: Uint8Array;
  readonly suri: string;
  readonly scheme: KeyScheme | null;
};

const schemes: readonly KeyScheme[] = ['sr25519', 'ed25519', 'ecdsa'];
const publicKeyLength = (scheme: KeyScheme): number => (scheme === 'ecdsa' ? 33 : 32);

const keyTypeBytes = (keyType: string): Uint8Array => {
  if (!/^[\0-\u00ff]{4}$/.test(keyType))
    throw new NodeError('BadKey', `A key type has four characters, "${keyType}" has not`);
  return keyToBytes(keyType);
};

const recordKey = (keyType: string, publicKey: Uint8Array): Uint8Array =>
  concatBytes(keyTypeBytes(keyType), publicKey);

const nameOf = (keyType: string, publicKey: Uint8Array): string => bytesToKey(recordKey(keyType, publicKey));

/** A stored record: the scheme's index (3 if none matches), then the secret URI as a SCALE string. */
const encodeRecord = ({ scheme, suri }: Entry): Uint8Array =>
  new Writer()
    .u8(scheme === null ? schemes.length : schemes.indexOf(scheme))
    .vecBytes(textToBytes(suri))
    .finish();

const decodeRecord = (key: Uint8Array, value: Uint8Array): Entry => {
  const reader = new Reader(value);
  const scheme = schemes[reader.u8()] ?? null;
  const suri = reader.text();
  reader.end();
  return { keyType: bytesToKey(key.subarray(0, 4)), publicKey: key.slice(4), suri, scheme };
};

type Derive = (suri: string, scheme: KeyScheme) => KeyPair;

/**
 * Caches derived keys: stretching a phrase takes milliseconds, and one URI is often used for several key
 * types.
 */
const createDerive = ({ suriToPair }: KeystoreDeps['crypto']): Derive => {
  const known = createBoundedMap<string, KeyPair>(maxDerivedSecrets);
  return (suri, scheme) => {
    const name = `${scheme} ${suri}`;
    const found = known.get(name) ?? suriToPair(suri, scheme);
    known.keep(name, found);
    return found;
  };
};

const copyPair = ({ scheme, publicKey, secret }: KeyPair): KeyPair => ({
  scheme,
  publicKey: publicKey.slice(),
  secret: secret.slice(),
});

/**
 * The scheme in which a URI derives a public key; null for a text that is not a URI. A native node stores
 * even that (recorded in fixtures/sdk-node/static.jsonl).
 */
const findScheme = (derive: Derive, suri: string, publicKey: Uint8Array): KeyScheme | null => {
  for (const scheme of schemes) {
    if (publicKeyLength(scheme) !== publicKey.length) continue;
    try {
      if (equalBytes(derive(suri, scheme).publicKey, publicKey)) return scheme;
    } catch (error) {
      if (error instanceof NodeError && error.code === 'BadKey') return null;
      throw error;
    }
  }
  return null;
};

/** A key whose secret matches no scheme may be of any scheme with its public key length. */
const mayBe = (entry: Entry, scheme: KeyScheme): boolean =>
  entry.scheme === null ? entry.publicKey.length === publicKeyLength(scheme) : entry.scheme === scheme;

const platformRandom = (length: number): Uint8Array =>
  globalThis.crypto.getRandomValues(new Uint8Array(length));

type Made = readonly [keyType: string, scheme: KeyScheme, suri: string];

/** New keys are kept in a separate layer over the existing ones. */
const beginAttempt = (base: Keystore, newSeed: () => string, made: Keystore): KeystoreAttempt => {
  const generated: Made[] = [];
  return {
    host: {
      publicKeys: (keyType, scheme) => {
        const stored = base.publicKeys(keyType, scheme);
        const isNew = (key: Uint8Array): boolean => !stored.some((other) => equalBytes(other, key));
        return [...stored, ...made.publicKeys(keyType, scheme).filter(isNew)];
      },
      generate: (keyType, scheme, suri) => {
        const secret = suri ?? newSeed();
        generated.push([keyType, scheme, secret]);
        return made.generate(keyType, scheme, secret);
      },
      sign: (keyType, scheme, publicKey, message) =>
        made.sign(keyType, scheme, publicKey, message) ?? base.sign(keyType, scheme, publicKey, message),
      signPrehashed: (keyType, publicKey, digest) =>
        made.signPrehashed(keyType, publicKey, digest) ?? base.signPrehashed(keyType, publicKey, digest),
    },
    apply: () => {
      for (const [keyType, scheme, suri] of generated) base.insertSuri(keyType, scheme, suri);
    },
  };
};

const listed = ({ keyType, scheme, publicKey }: Entry): ListedKey => ({
  keyType,
  scheme,
  publicKey: publicKey.slice(),
});

/** Writes in the background. */
const createWrites = (db: KeystoreDeps['db']) => {
  let writes: Promise<void> = Promise.resolve();
  return {
    begin: (batch: Batch): void => {
      if (db === null) return;
      writes = Promise.all([writes, db.write(batch)]).then(() => undefined);
      // Prevents an unhandled rejection, which would end the process; `flush` reports the error.
      writes.catch(() => undefined);
    },
    flush: (): Promise<void> => writes,
  };
};

/** Creates a keystore. With `db` null, the keys are lost with the object. */
export const createKeystore = ({ crypto, db, random = platformRandom }: KeystoreDeps): Keystore => {
  const entries = new Map<string, Entry>();
  const later: (readonly [keyType: string, scheme: KeyScheme, suri: string])[] = [];
  const derive = createDerive(crypto);
  const writes = createWrites(db);
  /** The operator's keys, which last as long as the process and are independent of snapshots. */
  const configured = new Set<string>();
  const all = (): Map<string, Entry> => {
    for (const key of later.splice(0)) insertSuri(...key, { isKept: false });
    return entries;
  };
  const ofType = (keyType: string): Entry[] =>
    [...all().values()].filter((entry) => entry.keyType === keyType);

  const add = (entry: Entry, isKept = true): void => {
    const key = recordKey(entry.keyType, entry.publicKey);
    const name = bytesToKey(key);
    const before = all().get(name);
    entries.set(name, entry);
    if (!isKept) configured.add(name);
    if (!isKept || (before?.suri === entry.suri && before.scheme === entry.scheme)) return;
    writes.begin({ puts: [['keystore', key, encodeRecord(entry)]], deletes: [] });
  };
  const newSeed = (): string => bytesToHex(random(32));
  const insertSuri: Keystore['insertSuri'] = (keyType, scheme, suri, { isKept } = { isKept: true }) => {
    const known = ofType(keyType).find((entry) => entry.suri === suri && entry.scheme === scheme);
    const publicKey = known?.publicKey ?? derive(suri, scheme).publicKey;
    if (known === undefined) add({ keyType, publicKey: publicKey.slice(), suri, scheme }, isKept);
    return publicKey.slice();
  };

  const keystore: Keystore = {
    load: async () => {
      if (db === null) return;
      for (const [key, value] of await db.range('keystore')) {
        const name = bytesToKey(key);
        if (!entries.has(name)) entries.set(name, decodeRecord(key, value));
      }
    },
    insertSuri,
    insertLater: (...key) => void later.push(key),
    insert: (keyType, suri, publicKey) =>
      add({ keyType, publicKey: publicKey.slice(), suri, scheme: findScheme(derive, suri, publicKey) }),
    has: (keyType, publicKey) => all().has(nameOf(keyType, publicKey)),
    list: () => [...all().values()].map(listed),
    pairs: (keyType) =>
      ofType(keyType).flatMap(({ scheme, suri }) =>
        scheme === null ? [] : [copyPair(derive(suri, scheme))],
      ),
    publicKeys: (keyType, scheme) =>
      ofType(keyType)
        .filter((entry) => mayBe(entry, scheme))
        .map(({ publicKey }) => publicKey.slice()),
    generate: (keyType, scheme, suri) => insertSuri(keyType, scheme, suri ?? newSeed()),
    ...createSigning(crypto, (keyType, scheme, publicKey) => {
      const entry = all().get(nameOf(keyType, publicKey));
      return entry?.scheme === scheme ? derive(entry.suri, scheme) : null;
    }),
    attempt: () => beginAttempt(keystore, newSeed, createKeystore({ crypto, db: null })),
    retain: (names) => {
      const kept = new Set(names.map(bytesToKey));
      const lost = [...all().keys()].filter((name) => !kept.has(name) && !configured.has(name));
      if (lost.length === 0) return;
      for (const name of lost) entries.delete(name);
      writes.begin({ puts: [], deletes: lost.map((name) => ['keystore', keyToBytes(name)] as const) });
    },
    flush: writes.flush,
  };
  return keystore;
};
