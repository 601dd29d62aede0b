import { type ChainOrigin, type ChainPayload, firstChain, named, nameOfId } from './chain-entry.ts';
import {
  changeEntries,
  databaseNames,
  deleteChain,
  isUnfinishedCopy,
  loadPayload,
  otherDatabases,
  readEntries,
  whileClosed,
} from './chain-store.ts';
import { openExisting } from './existing-database.ts';

/** Object stores that exist together only in a chain's database. */
const chainStores = ['meta', 'headers', 'bodies'];

/** The records of a chain's `meta` store; null if there is no such database or it is not a chain's. */
const readFacts = async (name: string): Promise<readonly Uint8Array[] | null> => {
  const db = await openExisting(name);
  if (db === null) return null;
  try {
    if (!chainStores.every((store) => db.objectStoreNames.contains(store))) return null;
    return (await db.getAll('meta')) as readonly Uint8Array[];
  } finally {
    db.close();
  }
};

const contains = (bytes: Uint8Array, part: Uint8Array): boolean => {
  for (let at = 0; at + part.length <= bytes.length; at += 1)
    if (part.every((byte, index) => bytes[at + index] === byte)) return true;
  return false;
};

/** Possible origins of a chain, each with its hash, which the node stores (worker/chain/genesis/source.ts). */
const guesses = async (payload: ChainPayload | null): Promise<readonly [ChainOrigin, Uint8Array][]> => {
  const { blake2 } = await import('../../../src/scale/hash.ts');
  const text = (value: string) => new TextEncoder().encode(value);
  if (payload === null)
    return (['development', 'local_testnet'] as const).map((preset) => [
      { kind: 'preset', preset },
      blake2(text(`preset:${preset}`)),
    ]);
  if ('specJson' in payload) return [[{ kind: 'spec' }, blake2(text(payload.specJson))]];
  const code = blake2(payload.wasm);
  return ['development', 'local_testnet', null].map((preset) => [
    { kind: 'wasm', preset },
    blake2(new Uint8Array([...code, ...blake2(text(`${preset ?? ''}\n`))])),
  ]);
};

/** At the end of each record (worker/db/checked.ts). */
const checksumSize = 4;

/** What a fork continues, as the node stores it (worker/fork/record.ts). Its endpoints are not part of that. */
const readFork = (fact: Uint8Array): ChainOrigin | null => {
  try {
    const json = JSON.parse(new TextDecoder().decode(fact.subarray(0, -checksumSize))) as {
      readonly genesisHash?: unknown;
      readonly base?: { readonly hash?: unknown };
    };
    const block = json.base?.hash;
    if (typeof json.genesisHash !== 'string' || typeof block !== 'string') return null;
    return { kind: 'fork', endpoints: [], block };
  } catch {
    return null;
  }
};

const findOrigin = async (id: string, facts: readonly Uint8Array[]): Promise<ChainOrigin> => {
  const fork = facts.map(readFork).find(Boolean);
  if (fork) return fork;
  const all = await guesses(await loadPayload(id));
  const fits = all.find(([, hash]) => facts.some((fact) => contains(fact, hash)));
  // A chain that matches no origin is still listed: opening it shows the error, and it can be deleted.
  return fits?.[0] ?? all[0]?.[0] ?? { kind: 'spec' };
};

/** Adds a chain to the list of which only the database is left. */
const findChain = async (id: string): Promise<void> => {
  const facts = await readFacts(id);
  if (facts === null) return;
  const entry = { ...firstChain, id, createdMs: Date.now(), origin: await findOrigin(id, facts) };
  await changeEntries((all) =>
    all.some((one) => one.id === id) ? all : [...all, named(entry, nameOfId(id), all)],
  );
};

/**
 * Adds stored chains that the list lacks, and ends deletions that a reload interrupted. Skips chains that are in use: another tab
 * creates or deletes them. `hints` are names to try if the browser cannot list its databases.
 */
export const findChains = async (hints: readonly string[]): Promise<void> => {
  const known = await readEntries();
  for (const { id, isDeleted } of known) if (isDeleted) await deleteChain(id, false).catch(() => undefined);
  const others = ['', ...otherDatabases, ...known.map(({ id }) => id)];
  for (const id of new Set((await databaseNames()) ?? [...hints, firstChain.id])) {
    if (others.includes(id) || (await isUnfinishedCopy(id))) continue;
    await whileClosed(id, () => findChain(id), false).catch(() => undefined);
  }
};
