import { bytesToKey, equalBytes } from '../../bytes/bytes.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { recordDamage } from '../../db/damage.ts';
import type { Database } from '../../db/database.ts';
import type { MissingNode } from '../../trie/missing-nodes.ts';
import type { Journals } from './journals.ts';
import type { NodeOrigin } from './node-origin.ts';

/** Nodes by the key of their hash. */
export type Loaded = Map<string, Uint8Array>;

const distinctHashes = (missing: readonly MissingNode[]): Uint8Array[] => {
  const hashes = new Map<string, Uint8Array>();
  for (const { hash } of missing) hashes.set(bytesToKey(hash), hash);
  return [...hashes.values()];
};

export type Loader = {
  /** The node if the database returns it at once. */
  now(hash: Uint8Array): Uint8Array | null;
  /**
   * Adds nodes that are missing, and perhaps others, by hash. Where there is a live chain, it is asked only once nothing
   * else has any of them: what is behind those that were found can be found as well, and the rest is one request.
   */
  load(missing: readonly MissingNode[], into: Loaded): Promise<void>;
};

/** What the database may lack, from where other nodes are. Asks the live chain only if nothing was found, here or there. */
const loadFromOrigin = async (
  origin: NodeOrigin,
  missing: readonly MissingNode[],
  into: Loaded,
): Promise<void> => {
  const findAbsent = () => missing.filter(({ hash }) => !into.has(bytesToKey(hash)));
  const absent = findAbsent();
  if (absent.length === 0) return;
  const hashes = distinctHashes(absent);
  for (const [index, bytes] of (await origin.stored(hashes)).entries())
    if (bytes !== null) into.set(bytesToKey(hashes[index] as Uint8Array), bytes);
  if (findAbsent().length < missing.length) return;
  for (const [hash, bytes] of await origin.prove(absent)) into.set(bytesToKey(hash), bytes);
};

/** Reads nodes from the database and verifies their hashes. Throws `StorageBroken`. */
export const createLoader = (
  db: Database,
  blake2b256: Crypto['blake2b256'],
  journals: Journals,
  origin: NodeOrigin | undefined,
): Loader => {
  const proven = (hash: Uint8Array, bytes: Uint8Array): Uint8Array => {
    if (!equalBytes(blake2b256(bytes), hash)) throw recordDamage('nodes', hash, 'does not match its hash');
    return bytes;
  };
  /** Reads a node again if it left a journal during the read. */
  const loadMoved = async (hash: Uint8Array): Promise<Uint8Array | null> => {
    const bytes = journals.get(bytesToKey(hash)) ?? (await db.getMany('nodes', [hash]))[0] ?? null;
    if (bytes !== null) return proven(hash, bytes);
    if (origin === undefined) throw recordDamage('nodes', hash, 'is missing');
    return null;
  };
  return {
    now: (hash: Uint8Array): Uint8Array | null => {
      const stored = db.getSync?.('nodes', hash);
      return stored == null ? null : proven(hash, stored);
    },
    load: async (missing, into) => {
      const hashes = distinctHashes(missing);
      const found = await db.getMany('nodes', hashes);
      for (const [index, stored] of found.entries()) {
        const hash = hashes[index] as Uint8Array;
        const bytes = stored === null ? await loadMoved(hash) : proven(hash, stored);
        if (bytes !== null) into.set(bytesToKey(hash), bytes);
      }
      if (origin !== undefined) await loadFromOrigin(origin, missing, into);
    },
  };
};
