import { NodeError } from '../../src/protocol/errors.ts';
import { maxDerivedSecrets } from '../../src/protocol/limits.ts';
import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToKey, equalBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { KeyPair } from '../crypto/keys.ts';
import type { Database } from '../db/database.ts';
import type { KeyScheme, KeystoreHost } from '../executor/extensions.ts';
import { createChanges, decodeRecord, type Entry, nameOf, schemes } from './entries.ts';
import { createSigning } from './signing.ts';

/** The key type of the node's network key. */
export const nodeKeyType = 'node';

/** Public information about a key, without secrets. */
export type ListedKey = {
  readonly keyType: string;
  readonly scheme: KeyScheme | null;
  readonly publicKey: Uint8Array;
};

/**
 * The keystore as seen by one attempt of a runtime call. Generated keys are only kept if `apply` is called.
 */
export type KeystoreAttempt = {
  readonly host: KeystoreHost;
  /** Adds the generated keys. Resolves when all of them are on disk; if it rejects, none was added. */
  apply(): Promise<unknown>;
};

/**
 * The node's own keys, by key type (one character for each of its four bytes) and public key. Reads are
 * synchronous, because host functions are; additions are written in the background, and `flush` waits for
 * them. A key that could not be written is removed again, so that none is used that a restart would lose.
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
   * match its URI is listed but never signs. Resolves when it is on disk; if it rejects, it was not added.
   */
  insert(keyType: string, suri: string, publicKey: Uint8Array): Promise<unknown>;
  has(keyType: string, publicKey: Uint8Array): boolean;
  /** All keys in insertion order. `scheme` is null if the stored secret matches none. */
  list(): readonly ListedKey[];
  /** Copies of the key pairs of a key type, in insertion order. */
  pairs(keyType: string): KeyPair[];
  /** Create a new one for each attempt of a call that may be repeated. */
  attempt(): KeystoreAttempt;
  /**
   * Removes all stored keys except those of these names (key type, then public key), and the node's network key, by
   * which its peers know it. Keys that are not stored are kept. Resolves when they are removed from the disk; if it rejects, none was.
   */
  retain(names: readonly Uint8Array[]): Promise<void>;
  /** Resolves when all keys being written are on disk; rejects if one of them cannot be. */
  flush(): Promise<void>;
};

export type KeystoreDeps = {
  readonly crypto: Pick<Crypto, 'blake2b256' | 'sr25519Sign' | 'ed25519Sign' | 'ecdsaSign' | 'suriToPair'>;
  readonly db: Pick<Database, 'get' | 'range' | 'write'> | null;
  /** Receives the error of each write that failed. */
  readonly onError?: (error: unknown) => void;
  /** Generates seeds for new keys. Defaults to the platform's generator. */
  readonly random?: (length: number) => Uint8Array;
};

const publicKeyLength = (scheme: KeyScheme): number => (scheme === 'ecdsa' ? 33 : 32);

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

const toEntry = (derive: Derive, keyType: string, scheme: KeyScheme, suri: string): Entry => ({
  keyType,
  publicKey: derive(suri, scheme).publicKey.slice(),
  suri,
  scheme,
});

/** A key whose secret matches no scheme may be of any scheme with its public key length. */
const couldBe = (entry: Entry, scheme: KeyScheme): boolean =>
  entry.scheme === null ? entry.publicKey.length === publicKeyLength(scheme) : entry.scheme === scheme;

const platformRandom = (length: number): Uint8Array =>
  globalThis.crypto.getRandomValues(new Uint8Array(length));

type Made = readonly [keyType: string, scheme: KeyScheme, suri: string];

/** New keys are kept in a separate layer over the existing ones. */
const beginAttempt = (
  base: Keystore,
  newSeed: () => string,
  made: Keystore,
  addAll: (made: readonly Made[]) => Promise<unknown>,
): KeystoreAttempt => {
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
    apply: () => addAll(generated),
  };
};

const listed = ({ keyType, scheme, publicKey }: Entry): ListedKey => ({
  keyType,
  scheme,
  publicKey: publicKey.slice(),
});

/** The names of the stored keys that are not to be kept; never that of the network key. */
const findLost = (entries: ReadonlyMap<string, Entry>, kept: ReadonlySet<string>): string[] =>
  [...entries].flatMap(([name, { keyType }]) => (kept.has(name) || keyType === nodeKeyType ? [] : [name]));

/** Creates a keystore. With `db` null, the keys are lost with the object. */
export const createKeystore = (deps: KeystoreDeps): Keystore => {
  const { crypto, db, onError = () => undefined, random = platformRandom } = deps;
  const entries = new Map<string, Entry>();
  const later: (readonly [keyType: string, scheme: KeyScheme, suri: string])[] = [];
  const derive = createDerive(crypto);
  const changes = createChanges(entries, db, onError);
  /** The operator's keys, which last as long as the process and are independent of snapshots. */
  const configured = new Set<string>();
  const all = (): Map<string, Entry> => {
    for (const key of later.splice(0)) insertSuri(...key, { isKept: false });
    return entries;
  };
  const ofType = (keyType: string): Entry[] =>
    [...all().values()].filter((entry) => entry.keyType === keyType);

  const newSeed = (): string => bytesToHex(random(32));
  const insertSuri: Keystore['insertSuri'] = (keyType, scheme, suri, { isKept } = { isKept: true }) => {
    const known = ofType(keyType).find((entry) => entry.suri === suri && entry.scheme === scheme);
    if (known !== undefined) return known.publicKey.slice();
    const entry = toEntry(derive, keyType, scheme, suri);
    // A failure is reported to `onError`.
    if (isKept) changes.add([entry]).catch(() => undefined);
    else configured.add(changes.addInMemory(entry));
    return entry.publicKey.slice();
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
    insert: (keyType, suri, publicKey) => {
      all();
      const scheme = findScheme(derive, suri, publicKey);
      return changes.add([{ keyType, publicKey: publicKey.slice(), suri, scheme }]);
    },
    has: (keyType, publicKey) => all().has(nameOf(keyType, publicKey)),
    list: () => [...all().values()].map(listed),
    pairs: (keyType) =>
      ofType(keyType).flatMap(({ scheme, suri }) =>
        scheme === null ? [] : [copyPair(derive(suri, scheme))],
      ),
    publicKeys: (keyType, scheme) =>
      ofType(keyType)
        .filter((entry) => couldBe(entry, scheme))
        .map(({ publicKey }) => publicKey.slice()),
    generate: (keyType, scheme, suri) => insertSuri(keyType, scheme, suri ?? newSeed()),
    ...createSigning(crypto, (keyType, scheme, publicKey) => {
      const entry = all().get(nameOf(keyType, publicKey));
      return entry?.scheme === scheme ? derive(entry.suri, scheme) : null;
    }),
    attempt: () =>
      beginAttempt(keystore, newSeed, createKeystore({ crypto, db: null }), (made) => {
        // The keys that are derived on first use were inserted earlier than the generated ones.
        all();
        return changes.add(made.map((key) => toEntry(derive, ...key)));
      }),
    retain: (names) => changes.remove(findLost(all(), new Set([...names.map(bytesToKey), ...configured]))),
    flush: changes.flush,
  };
  return keystore;
};
