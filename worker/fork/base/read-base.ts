import { bytesToKey, equalBytes } from '../../bytes/bytes.ts';
import { codeKey } from '../../chain/genesis/genesis.ts';
import { stateVersion } from '../../chain/hashes.ts';
import type { Overrides } from '../../chain/overrides.ts';
import type { TrieStore } from '../../chain/states/trie-store.ts';
import type { Block } from '../../codec/block.ts';
import type { Header } from '../../codec/header.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Database } from '../../db/database.ts';
import type { Runtime } from '../../executor/executor.ts';
import { type Backend, createBackend } from '../../state/backend.ts';
import { mainChanges } from '../../state/changes.ts';
import { type CheckDeps, checkRuntime } from '../check-runtime.ts';
import { warmUp } from '../reads/warm-up.ts';
import type { ForkRecord } from '../record.ts';
import type { LearnedReads } from '../shared/learned-reads.ts';
import type { Declared } from './declared.ts';

export type ReadDeps = {
  readonly crypto: Crypto;
  readonly db: Pick<Database, 'write'>;
  /** Reads the base's state. */
  readonly store: TrieStore;
  readonly executor: CheckDeps['executor'];
  /** Null: nothing is read from the live chain. */
  readonly learned: Pick<LearnedReads, 'load' | 'lastCode'> | null;
};

/** A base whose state has been read as far as its first block needs it. */
export type ReadBase = {
  readonly codeHash: Uint8Array;
  /** The state with what was declared; empty if nothing was. */
  readonly overrides: Overrides;
};

/** The state of the base with the declared values. Reads what that needs. */
const declare = (
  { crypto, store }: Pick<ReadDeps, 'crypto' | 'store'>,
  { stateRoot }: Header,
  runtime: Runtime,
  { writes }: Declared,
) => {
  const backend = createBackend({ blake2b256: crypto.blake2b256, source: store }, stateRoot);
  return store.run(() => backend.commit(mainChanges(writes), stateVersion(runtime)));
};

/** Reads what it takes to apply the declared values to the state of a base, so that a pack has it. */
export const readDeclaring = async (
  deps: Pick<ReadDeps, 'crypto' | 'store' | 'executor'>,
  header: Header,
  declared: Declared,
): Promise<Backend | null> => {
  if (declared.writes.length === 0) return null;
  const { runtime } = await checkRuntime(deps, header);
  return (await declare(deps, header, runtime, declared)).backend;
};

/**
 * Reads what the first block on a base needs, and applies what was declared to its state. Only nodes are stored, by their
 * hash. Throws `BadCode` if this node cannot run the runtime.
 */
export const readBase = async (
  deps: ReadDeps,
  { base: { header }, record, declared }: { base: Block; record: ForkRecord; declared: Declared },
): Promise<ReadBase> => {
  const { crypto, store, learned, db } = deps;
  const guess = (await learned?.lastCode()) ?? null;
  const readAll = (keys: readonly Uint8Array[]): Promise<void> =>
    warmUp({ crypto, store }, header.stateRoot, keys);
  if (learned !== null) await readAll(guess === null ? [] : await learned.load(guess, header.number));
  const { codeHash, runtime } = await checkRuntime(deps, header);
  if (learned !== null && guess !== null && !equalBytes(guess, codeHash)) {
    const keys = await learned.load(codeHash, header.number);
    if (keys.length > 0) await readAll(keys);
  }
  if (declared.writes.length === 0) return { codeHash, overrides: new Map() };
  const { backend, nodes } = await declare(deps, header, runtime, declared);
  await db.write({ puts: nodes.map(([hash, node]) => ['nodes', hash, node] as const), deletes: [] });
  const { root } = backend;
  const hasCode = declared.writes.some(([key]) => bytesToKey(key) === bytesToKey(codeKey));
  if (hasCode) await checkRuntime(deps, { ...header, stateRoot: root });
  if (equalBytes(root, header.stateRoot)) return { codeHash, overrides: new Map() };
  const { hash, number } = record.base;
  return { codeHash, overrides: new Map([[hash, { hash, number, stateRoot: root }]]) };
};
