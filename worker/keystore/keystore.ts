import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey, bytesToText, concatBytes, equalBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { type KeyPair, suriToPair } from '../crypto/keys.ts';
import type { Database } from '../db/database.ts';
import type { KeyScheme, KeystoreHost } from '../executor/extensions.ts';

/**
 * The node's own keys, by key type (four characters) and public key. Reads are synchronous, as host functions are; what
 * is added is written behind and `flush` waits for it.
 */
export type Keystore = KeystoreHost & {
  /** Reads the stored keys; to be called once, before use. */
  load(): Promise<void>;
  /** Derives the key and stores it. Throws `BadKey`. */
  insertSuri(keyType: string, scheme: KeyScheme, suri: string): Uint8Array;
  /** Stores a secret URI under a public key that is not checked, nor is the URI (author_insertKey, RPC.md §1.5): a wrong one is listed and never signs. */
  insert(keyType: string, suri: string, publicKey: Uint8Array): void;
  has(keyType: string, publicKey: Uint8Array): boolean;
  /** Copies of the pairs of a key type, in order of insertion. */
  pairs(keyType: string): KeyPair[];
  /** Resolves when all keys added so far are on the disk; rejects when one could not be written. */
  flush(): Promise<void>;
};

export type KeystoreDeps = {
  readonly crypto: Pick<Crypto, 'blake2b256' | 'sr25519Sign' | 'ed25519Sign' | 'ecdsaSign'>;
  readonly db: Pick<Database, 'range' | 'write'> | null;
  /** Seeds of generated keys; the platform's generator by default. */
  readonly random?: (length: number) => Uint8Array;
};

/** `pair` is null when no scheme leads from the URI to the public key. */
type Entry = {
  readonly keyType: string;
  readonly publicKey: Uint8Array;
  readonly suri: string;
  readonly pair: KeyPair | null;
};

const schemes: readonly KeyScheme[] = ['sr25519', 'ed25519', 'ecdsa'];
const publicKeyLength = (scheme: KeyScheme): number => (scheme === 'ecdsa' ? 33 : 32);

const keyTypeBytes = (keyType: string): Uint8Array => {
  const bytes = textToBytes(keyType);
  if (bytes.length !== 4)
    throw new NodeError('BadKey', `A key type has four characters, "${keyType}" has not`);
  return bytes;
};

const recordKey = (keyType: string, publicKey: Uint8Array): Uint8Array =>
  concatBytes(keyTypeBytes(keyType), publicKey);

/** Value of the keystore store: the scheme's index (3 = none fits), then the secret URI as a SCALE string. */
const encodeRecord = ({ pair, suri }: Entry): Uint8Array =>
  new Writer()
    .u8(pair === null ? schemes.length : schemes.indexOf(pair.scheme))
    .vecBytes(textToBytes(suri))
    .finish();

const decodeRecord = (key: Uint8Array, value: Uint8Array): Entry => {
  const reader = new Reader(value);
  const scheme = schemes[reader.u8()];
  const suri = bytesToText(reader.vecBytes());
  reader.end();
  const publicKey = key.slice(4);
  return {
    keyType: bytesToText(key.subarray(0, 4)),
    publicKey,
    suri,
    pair: scheme === undefined ? null : pairOrNull(suri, scheme),
  };
};

const copyPair = ({ scheme, publicKey, secret }: KeyPair): KeyPair => ({
  scheme,
  publicKey: publicKey.slice(),
  secret: secret.slice(),
});

/** Null when the URI is not one: a native node stores even that (recorded in fixtures/sdk-node/static.jsonl). */
const pairOrNull = (suri: string, scheme: KeyScheme): KeyPair | null => {
  try {
    return suriToPair(suri, scheme);
  } catch {
    return null;
  }
};

/** The pair of a URI whose public key is the given one, by whichever scheme leads there. */
const findPair = (suri: string, publicKey: Uint8Array): KeyPair | null => {
  for (const scheme of schemes) {
    if (publicKeyLength(scheme) !== publicKey.length) continue;
    const pair = pairOrNull(suri, scheme);
    if (pair !== null && equalBytes(pair.publicKey, publicKey)) return pair;
  }
  return null;
};

const sign = (crypto: KeystoreDeps['crypto'], pair: KeyPair, message: Uint8Array): Uint8Array => {
  switch (pair.scheme) {
    case 'sr25519':
      return crypto.sr25519Sign(pair.secret, message);
    case 'ed25519':
      return crypto.ed25519Sign(pair.secret, message);
    case 'ecdsa':
      return crypto.ecdsaSign(pair.secret, crypto.blake2b256(message));
    default:
      throw new NodeError('BadKey', `Unknown scheme ${pair.scheme satisfies never}`);
  }
};

const platformRandom = (length: number): Uint8Array =>
  globalThis.crypto.getRandomValues(new Uint8Array(length));

/** Creates a keystore; with `db` null the keys live as long as the object. */
export const createKeystore = ({ crypto, db, random = platformRandom }: KeystoreDeps): Keystore => {
  const entries = new Map<string, Entry>();
  let writes: Promise<void> = Promise.resolve();
  const nameOf = (keyType: string, publicKey: Uint8Array): string =>
    bytesToKey(recordKey(keyType, publicKey));
  const ofType = (keyType: string): Entry[] =>
    [...entries.values()].filter((entry) => entry.keyType === keyType);

  const add = (entry: Entry): void => {
    const key = recordKey(entry.keyType, entry.publicKey);
    entries.set(bytesToKey(key), entry);
    if (db === null) return;
    const write = db.write({ puts: [['keystore', key, encodeRecord(entry)]], deletes: [] });
    writes = Promise.all([writes, write]).then(() => undefined);
    // `flush` tells; without a listener here a failure would end the process.
    writes.catch(() => undefined);
  };
  const insertSuri = (keyType: string, scheme: KeyScheme, suri: string): Uint8Array => {
    const pair = suriToPair(suri, scheme);
    add({ keyType, publicKey: pair.publicKey.slice(), suri, pair });
    return pair.publicKey.slice();
  };

  return {
    load: async () => {
      if (db === null) return;
      for (const [key, value] of await db.range('keystore')) {
        const name = bytesToKey(key);
        if (!entries.has(name)) entries.set(name, decodeRecord(key, value));
      }
    },
    insertSuri,
    insert: (keyType, suri, publicKey) =>
      add({ keyType, publicKey: publicKey.slice(), suri, pair: findPair(suri, publicKey) }),
    has: (keyType, publicKey) => entries.has(nameOf(keyType, publicKey)),
    pairs: (keyType) => ofType(keyType).flatMap(({ pair }) => (pair === null ? [] : [copyPair(pair)])),
    publicKeys: (keyType, scheme) =>
      ofType(keyType)
        .filter(({ pair, publicKey }) =>
          pair === null ? publicKey.length === publicKeyLength(scheme) : pair.scheme === scheme,
        )
        .map(({ publicKey }) => publicKey.slice()),
    generate: (keyType, scheme, suri) => insertSuri(keyType, scheme, suri ?? bytesToHex(random(32))),
    sign: (keyType, scheme, publicKey, message) => {
      const pair = entries.get(nameOf(keyType, publicKey))?.pair ?? null;
      return pair === null || pair.scheme !== scheme ? null : sign(crypto, pair, message);
    },
    flush: () => writes,
  };
};
