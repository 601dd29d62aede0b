import { NodeError } from '../../src/protocol/errors.ts';
import { createBoundedMap } from '../bytes/bounded-map.ts';
import { equalBytes, noBytes } from '../bytes/bytes.ts';
import { type Block, decodeBody } from '../codec/block.ts';
import type { Header } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import { decodeJustifications } from '../codec/justification.ts';
import type { SignedBlock } from '../codec/signed-block.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { recordDamage } from '../db/damage.ts';
import type { Database } from '../db/database.ts';
import type { Executor, Runtime } from '../executor/executor.ts';
import { type Backend, createBackend } from '../state/backend.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { SubstituteCode } from './genesis/code-substitutes.ts';
import { codeKey, pendingCodeKey } from './genesis/genesis.ts';
import { changedOverrides, type Overrides } from './overrides.ts';
import { decodeHeaderRecord } from './records.ts';
import type { StatePruning } from './states/state-pruning.ts';
import type { TrieStore } from './states/trie-store.ts';
import type { ExecutedBlock } from './steps.ts';

/**
 * What a runtime is for. Building and executing the next block (`onchain`) takes `:pending_code` if the state has one,
 * every other call `:code` (sp-state-machine, `TryPendingCode`).
 */
export type CallContext = 'offchain' | 'onchain';

/** The chain's blocks, states and runtimes. Recent ones are in memory. */
export type ChainView = {
  loadHeader(hash: BlockHash): Promise<Header | null>;
  /** The header if it is in memory. Null also if it must be loaded. */
  tryHeader(hash: BlockHash): Header | null;
  loadBlock(hash: BlockHash): Promise<SignedBlock | null>;
  /** Results in the order of the hashes. Three reads of the database, however many there are. */
  loadBlocks(hashes: readonly BlockHash[]): Promise<(SignedBlock | null)[]>;
  /** Throws `UnknownBlock`, `StateDiscarded`. */
  backendAt(hash: BlockHash): Promise<Backend>;
  /**
   * Runs a read of a block's state. Nodes that are missing because the state was discarded meanwhile are not
   * treated as damage.
   */
  whileKept<T>(hash: BlockHash, read: () => Promise<T>): Promise<T>;
  /** The state of a block that was used recently and is certainly kept, or null. */
  recentBackend(hash: BlockHash): Backend | null;
  /** `context` defaults to `offchain`. */
  runtimeAt(hash: BlockHash, context?: CallContext): Promise<Runtime>;
  changesOf(hash: BlockHash): StorageChanges | null;
  overrides(): Overrides;
  /** Replaces the dev states and drops cached data of the affected blocks. */
  setOverrides(next: Overrides): void;
  /** Caches the result of an import. */
  remember(executed: ExecutedBlock): void;
  /** Drops cached data of these blocks: they were deleted, or have a justification now. */
  forgetBlocks(hashes: readonly BlockHash[]): void;
};

export type ChainViewDeps = {
  readonly crypto: Crypto;
  readonly db: Database;
  readonly executor: Executor;
  readonly store: TrieStore;
  readonly pruning: StatePruning;
  /** Null if the specification has no substitutes. */
  readonly substitute: SubstituteCode | null;
  /** The blocks below the base of a fork, whose states are read from the live chain as well. */
  readonly below?: BlocksBelow | undefined;
};

/** Blocks of a live chain below a height. Each is verified by its hash; null: there is none that is known. */
export type BlocksBelow = {
  readonly base: number;
  hashAt(number: number): Promise<BlockHash | null>;
  header(hash: BlockHash): Promise<Header | null>;
  body(hash: BlockHash): Promise<readonly Uint8Array[] | null>;
};

/** Limits of the body cache, in blocks and in bytes per body: pool and clients request new bodies at once. */
const keptBodies = 32;
const keptBodyBytes = 256 * 1024;

/** Reads the records of blocks, each store once. A block that lacks one is loaded by itself. */
const loadMany = async (
  db: Database,
  hashes: readonly BlockHash[],
  loadBlock: (hash: BlockHash) => Promise<SignedBlock | null>,
): Promise<(SignedBlock | null)[]> => {
  const keys = hashes.map(blockHashToBytes);
  const [headers, bodies, proofs] = await Promise.all([
    db.getMany('headers', keys),
    db.getMany('bodies', keys),
    db.getMany('justifications', keys),
  ]);
  return Promise.all(
    hashes.map((hash, index) => {
      const [header = null, body = null, proof = null] = [headers[index], bodies[index], proofs[index]];
      if (header === null || body === null) return loadBlock(hash);
      const justifications = proof === null ? null : decodeJustifications(proof);
      return { header: decodeHeaderRecord(header).header, extrinsics: decodeBody(body), justifications };
    }),
  );
};

const createBlockReader = (db: Database, below: BlocksBelow | undefined) => {
  const headers = createBoundedMap<BlockHash, Header>(512);
  /** Contains only blocks without a justification. */
  const bodies = createBoundedMap<BlockHash, readonly Uint8Array[]>(keptBodies);
  const loadHeader = async (hash: BlockHash): Promise<Header | null> => {
    const known = headers.get(hash);
    if (known !== undefined) return known;
    const record = await db.get('headers', blockHashToBytes(hash));
    const header =
      record === null ? ((await below?.header(hash)) ?? null) : decodeHeaderRecord(record).header;
    if (header !== null) headers.keep(hash, header);
    return header;
  };
  const loadBlock = async (hash: BlockHash): Promise<SignedBlock | null> => {
    const header = headers.get(hash) ?? (await loadHeader(hash));
    if (header === null) return null;
    const recent = bodies.get(hash);
    if (recent !== undefined) return { header, extrinsics: recent, justifications: null };
    const key = blockHashToBytes(hash);
    const [body, proofs] = await Promise.all([db.get('bodies', key), db.get('justifications', key)]);
    if (body === null) {
      // The block's fork was deleted meanwhile, or only the body is lost.
      if ((await db.get('headers', key)) === null) {
        const extrinsics = (await below?.body(hash)) ?? null;
        return extrinsics === null ? null : { header, extrinsics, justifications: null };
      }
      throw recordDamage('bodies', key, 'is missing');
    }
    const justifications = proofs === null ? null : decodeJustifications(proofs);
    return { header, extrinsics: decodeBody(body), justifications };
  };
  const remember = (hash: BlockHash, { header, extrinsics }: Block): void => {
    headers.keep(hash, header);
    const size = extrinsics.reduce((sum, { length }) => sum + length, 0);
    if (size <= keptBodyBytes) bodies.keep(hash, extrinsics);
  };
  const forgetBlocks = (hashes: readonly BlockHash[]): void => {
    for (const hash of hashes) {
      headers.delete(hash);
      bodies.delete(hash);
    }
  };
  const tryHeader = (hash: BlockHash): Header | null => headers.get(hash) ?? null;
  const loadBlocks = (hashes: readonly BlockHash[]) => loadMany(db, hashes, loadBlock);
  return { loadHeader, tryHeader, loadBlock, loadBlocks, remember, forgetBlocks };
};

/**
 * The hash of the code in a block's state, null without one. A child shares its parent's unless it wrote the key. A
 * trie that stores values by hash names it, so the code is read only if its runtime is not loaded.
 */
const createCodeHashes = (key: Uint8Array, store: TrieStore) => {
  const hashes = createBoundedMap<BlockHash, Uint8Array | null>(512);
  return {
    load: async (hash: BlockHash, backend: Backend): Promise<Uint8Array | null> => {
      const known = hashes.get(hash);
      const codeHash = known === undefined ? await store.run(() => backend.valueHash(key)) : known;
      hashes.keep(hash, codeHash);
      return codeHash;
    },
    inherit: ({ hash, parent, execution }: ExecutedBlock): void => {
      const codeHash = hashes.get(parent.hash);
      const isWritten = execution.changes.main.some(([written]) => equalBytes(written, key));
      if (codeHash !== undefined && !isWritten) hashes.keep(hash, codeHash);
    },
    forget: (hash: BlockHash): void => void hashes.delete(hash),
  };
};

const createOnChainReader = (
  { executor, store }: ChainViewDeps,
  backendAt: (hash: BlockHash) => Promise<Backend>,
) => {
  const codes = createCodeHashes(codeKey, store);
  const pending = createCodeHashes(pendingCodeKey, store);
  const runtimeAt = async (hash: BlockHash, context: CallContext = 'offchain'): Promise<Runtime> => {
    const backend = await backendAt(hash);
    const next = context === 'onchain' ? await pending.load(hash, backend) : null;
    const codeHash = next ?? (await codes.load(hash, backend));
    if (codeHash === null) throw new NodeError('BadCode', 'The state has no :code');
    const loaded = executor.loaded(codeHash);
    if (loaded !== null) return loaded;
    const code = await store.run(() => backend.get(next === null ? codeKey : pendingCodeKey));
    return executor.load(codeHash, code ?? noBytes);
  };
  return {
    runtimeAt,
    inherit: (executed: ExecutedBlock): void => {
      codes.inherit(executed);
      pending.inherit(executed);
    },
    forget: (hash: BlockHash): void => {
      codes.forget(hash);
      pending.forget(hash);
    },
  };
};

/** The runtime to use on a block's state: its own, or a substitute from the specification. */
const createRuntimeReader = (
  deps: ChainViewDeps,
  backendAt: (hash: BlockHash) => Promise<Backend>,
  loadHeader: (hash: BlockHash) => Promise<Header | null>,
) => {
  const onChain = createOnChainReader(deps, backendAt);
  const { substitute } = deps;
  if (substitute === null) return onChain;
  const runtimeAt = async (hash: BlockHash, context?: CallContext): Promise<Runtime> => {
    const runtime = await onChain.runtimeAt(hash, context);
    const header = await loadHeader(hash);
    return header === null ? runtime : substitute(runtime, header.number);
  };
  return { ...onChain, runtimeAt };
};

export const createChainView = (deps: ChainViewDeps, stored: Overrides): ChainView => {
  const { crypto, db, store, pruning } = deps;
  let overrides = stored;
  const backends = createBoundedMap<BlockHash, Backend>(64);
  const changes = createBoundedMap<BlockHash, StorageChanges>(64);
  const blocks = createBlockReader(db, deps.below);
  const { loadHeader, loadBlock, loadBlocks, forgetBlocks } = blocks;
  const openBackend = (root: Uint8Array): Backend =>
    createBackend({ blake2b256: crypto.blake2b256, source: store }, root);
  /** What the store lacks is proven in the state of this block. */
  const openBelow = (hash: BlockHash, root: Uint8Array): Backend => {
    const source = { getNode: store.getNode, cache: store.cache, at: blockHashToBytes(hash) };
    return createBackend({ blake2b256: crypto.blake2b256, source }, root);
  };
  const backendAt = async (hash: BlockHash): Promise<Backend> => {
    const known = backends.get(hash);
    if (known !== undefined && !pruning.mayBeDiscarded(hash)) return known;
    const header = await loadHeader(hash);
    if (header === null) throw new NodeError('UnknownBlock', `Header was not found in the database: ${hash}`);
    const isBelow = header.number < (deps.below?.base ?? 0);
    if (!isBelow) await pruning.check(hash, header.number);
    if (known !== undefined) return known;
    const root = overrides.get(hash)?.stateRoot ?? header.stateRoot;
    const backend = isBelow ? openBelow(hash, root) : openBackend(root);
    backends.keep(hash, backend);
    return backend;
  };
  const whileKept = async <T>(hash: BlockHash, read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (error instanceof NodeError && error.code === 'StorageBroken') await backendAt(hash);
      throw error;
    }
  };
  const { runtimeAt, inherit, forget } = createRuntimeReader(deps, backendAt, loadHeader);
  return {
    loadHeader,
    tryHeader: blocks.tryHeader,
    loadBlock,
    loadBlocks,
    backendAt,
    whileKept,
    recentBackend: (hash) => (pruning.mayBeDiscarded(hash) ? null : (backends.get(hash) ?? null)),
    runtimeAt: (hash, context) => whileKept(hash, () => runtimeAt(hash, context)),
    changesOf: (hash) => changes.get(hash) ?? null,
    overrides: () => overrides,
    setOverrides: (next) => {
      for (const hash of changedOverrides(overrides, next)) {
        backends.delete(hash);
        forget(hash);
      }
      overrides = next;
    },
    remember: (executed) => {
      const { hash, execution } = executed;
      blocks.remember(hash, executed.block);
      changes.keep(hash, execution.changes);
      // A reimported block may have a dev state, which `backendAt` looks up.
      if (overrides.has(hash)) return;
      execution.backend.cacheNew();
      // Does not cache the backend it was created with, which would retain all child tries.
      backends.keep(hash, openBackend(execution.backend.root));
      inherit(executed);
    },
    forgetBlocks,
  };
};
