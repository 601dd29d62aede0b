import { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes } from '../bytes/bytes.ts';
import { type Block, decodeBody } from '../codec/block.ts';
import type { Header } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Database } from '../db/database.ts';
import type { CallOptions, CallResult, Executor, Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import { type Backend, createBackend } from '../state/backend.ts';
import type { StorageChanges } from '../state/changes.ts';
import { createOverlay } from '../state/overlay.ts';
import { deleteBlocks, emptyBatch, leavesOf, putBlock, putChainRecord, putNumbers } from './commit.ts';
import { type ChainEvent, createEvents } from './events.ts';
import { codeKey } from './genesis.ts';
import {
  adoptExecution,
  type ExecutedBlock,
  type Execution,
  executeBlock,
  hashHeader,
  type Refusal,
  refuse,
  type Verifier,
  verifyBlock,
} from './import.ts';
import type { NodeStore } from './node-store.ts';
import { createQueue, createRecent } from './queue.ts';
import { decodeHeaderRecord, numberKey } from './records.ts';
import type { ChainSpec } from './spec.ts';
import type { BlockRef, BlockTree, TreeBlock } from './tree.ts';

export type StoredBlock = Block & {
  readonly justifications: readonly (readonly [engine: Uint8Array, data: Uint8Array])[] | null;
};

export type ImportResult =
  | { readonly ok: true; readonly hash: BlockHash; readonly number: number; readonly isBest: boolean }
  | Refusal;

export type ImportOptions = { readonly execution?: Execution; readonly finalize?: boolean };

/** The chain: where it stands, what it holds, and the one way blocks come in. */
export type Chain = {
  readonly genesisHash: BlockHash;
  readonly spec: ChainSpec;
  best(): BlockRef;
  finalized(): BlockRef;
  loadHeader(hash: BlockHash): Promise<Header | null>;
  loadBlock(hash: BlockHash): Promise<StoredBlock | null>;
  /** Hash of the best chain's block at a height. */
  loadHashAt(number: number): Promise<BlockHash | null>;
  runtimeAt(hash: BlockHash): Promise<Runtime>;
  /** Runs a synchronous read on a block's state, again after loading what it missed. Throws `UnknownBlock`. */
  withState<T>(hash: BlockHash, read: (backend: Backend) => T): Promise<T>;
  /** A runtime call whose changes are dropped. */
  callAt(hash: BlockHash, method: string, input: Uint8Array, options?: CallOptions): Promise<CallResult>;
  import(block: Block, options?: ImportOptions): Promise<ImportResult>;
  /** Throws `UnknownBlock` or `NotFinalizable`. */
  finalize(hash: BlockHash): Promise<void>;
  onEvent(listener: (event: ChainEvent) => void): () => void;
  /** What a recently imported block changed, or null. */
  changesOf(hash: BlockHash): StorageChanges | null;
  run<T>(attempt: () => T): Promise<T>;
  close(): Promise<void>;
};

export type ChainDeps = {
  readonly crypto: Crypto;
  readonly db: Database;
  readonly executor: Executor;
  readonly store: NodeStore;
  readonly verifier: Verifier;
  readonly signatures: SignatureCache;
  readonly onError: (error: unknown) => void;
};

export type ChainStart = {
  readonly spec: ChainSpec;
  readonly identity: Uint8Array;
  readonly genesisHash: BlockHash;
  readonly tree: BlockTree;
};

/** Journals are moved once this many wait; an idle node moves the rest when it closes. */
const journalLimit = 256;

export const createChain = (deps: ChainDeps, start: ChainStart): Chain => {
  const { crypto, db, store } = deps;
  const { tree } = start;
  const identity = { genesis: start.genesisHash, identity: start.identity };
  const events = createEvents<ChainEvent>(deps.onError);
  const queue = createQueue(1024);
  const headers = createRecent<BlockHash, Header>(512);
  const backends = createRecent<BlockHash, Backend>(64);
  const changes = createRecent<BlockHash, StorageChanges>(64);
  const codes = createRecent<BlockHash, Uint8Array>(512);

  const loadHeader = async (hash: BlockHash): Promise<Header | null> => {
    const known = headers.get(hash);
    if (known !== undefined) return known;
    const record = await db.get('headers', blockHashToBytes(hash));
    if (record === null) return null;
    const { header } = decodeHeaderRecord(record);
    headers.keep(hash, header);
    return header;
  };
  const backendAt = async (hash: BlockHash): Promise<Backend> => {
    const known = backends.get(hash);
    if (known !== undefined) return known;
    const header = await loadHeader(hash);
    if (header === null) throw new NodeError('UnknownBlock', `Header was not found in the database: ${hash}`);
    const backend = createBackend({ blake2b256: crypto.blake2b256, source: store }, header.stateRoot);
    backends.keep(hash, backend);
    return backend;
  };
  const runtimeAt = async (hash: BlockHash): Promise<Runtime> => {
    const backend = await backendAt(hash);
    const readCode = async (): Promise<Uint8Array> => {
      const code = await store.run(() => backend.get(codeKey));
      if (code === null) throw new NodeError('BadCode', 'The state has no :code');
      return code;
    };
    const known = codes.get(hash);
    if (known !== undefined) {
      const loaded = deps.executor.loaded(known);
      return loaded ?? deps.executor.load(known, await readCode());
    }
    const code = await readCode();
    const codeHash = crypto.blake2b256(code);
    codes.keep(hash, codeHash);
    return deps.executor.load(codeHash, code);
  };

  const remember = (executed: ExecutedBlock): void => {
    const { hash, execution } = executed;
    headers.keep(hash, executed.block.header);
    backends.keep(hash, execution.backend);
    changes.keep(hash, execution.changes);
    const parentCode = codes.get(executed.parent.hash);
    const upgraded = execution.changes.main.some(([key]) => equalBytes(key, codeKey));
    if (parentCode !== undefined && !upgraded) codes.keep(hash, parentCode);
  };

  /** Steps 3 to 5: choose, commit in one transaction, tell. */
  const commitBlock = async (executed: ExecutedBlock, finalize: boolean): Promise<ImportResult> => {
    const { hash, block } = executed;
    const added: TreeBlock = {
      hash,
      number: block.header.number,
      parent: executed.parent.hash,
      weight: executed.weight,
    };
    const oldBest = tree.best();
    const isBest = tree.isBetter(added) || finalize;
    tree.insert(added);
    const route = isBest ? tree.route(oldBest.hash, hash) : { enacted: [], retracted: [] };
    const batch = emptyBatch();
    putBlock(batch, executed);
    store.stage(executed.execution.nodes, batch);
    const enacted = route.enacted.map((item) => tree.get(item) as TreeBlock);
    if (isBest) putNumbers(batch, enacted, oldBest, added);
    const best = isBest ? added : oldBest;
    const leaves = finalize ? [hash] : leavesOf(tree);
    putChainRecord(batch, identity, { best, finalized: finalize ? added : tree.finalized(), leaves });
    try {
      await db.write(batch);
    } catch (error) {
      tree.remove(hash);
      throw error;
    }
    store.accept(executed.execution.nodes);
    if (isBest) tree.setBest(hash);
    const final = finalize ? tree.finalize(hash) : null;
    remember(executed);
    const { header } = block;
    events.emit({
      kind: 'imported',
      hash,
      number: added.number,
      header,
      isBest,
      ...route,
      changes: executed.execution.changes,
    });
    if (final !== null) events.emit({ kind: 'finalized', hash, number: added.number, ...final });
    if (store.journals() >= journalLimit) await store.flush();
    return { ok: true, hash, number: added.number, isBest };
  };

  const importBlock = async (block: Block, options: ImportOptions): Promise<ImportResult> => {
    const hash = hashHeader(crypto, block.header);
    const known = tree.get(hash);
    if (known !== null) return { ok: true, hash, number: known.number, isBest: tree.best().hash === hash };
    const parent = tree.get(bytesToBlockHash(block.header.parentHash));
    if (parent === null)
      return refuse(
        'UnknownParent',
        `The parent of block #${block.header.number} is not known or is below the finalized block`,
      );
    const parentHeader = await loadHeader(parent.hash);
    if (parentHeader === null) throw new NodeError('StorageBroken', `Header of ${parent.hash} is missing`);
    const runtime = await runtimeAt(parent.hash);
    const verified = verifyBlock(deps, { block, parent, parentHeader, runtime });
    if (!verified.ok) return verified;
    const executed =
      options.execution === undefined
        ? await executeBlock(deps, verified.value, { backend: await backendAt(parent.hash), runtime })
        : adoptExecution(verified.value, options.execution);
    if (!executed.ok) return executed;
    return commitBlock(executed.value, options.finalize ?? false);
  };

  const finalizeBlock = async (hash: BlockHash): Promise<void> => {
    const target = tree.get(hash);
    if (target === null) {
      const header = await loadHeader(hash);
      if (header === null)
        throw new NodeError('UnknownBlock', `Header was not found in the database: ${hash}`);
      throw new NodeError(
        'NotFinalizable',
        `Block #${header.number} is below the finalized block #${tree.finalized().number}`,
      );
    }
    if (target.hash === tree.finalized().hash) return;
    const batch = emptyBatch();
    const oldBest = tree.best();
    const keepsBest = tree.isDescendant(oldBest.hash, hash);
    if (!keepsBest) {
      const enacted = tree.route(oldBest.hash, hash).enacted.map((item) => tree.get(item) as TreeBlock);
      putNumbers(batch, enacted, oldBest, target);
    }
    const leaves = leavesOf(tree).filter((leaf) => tree.isDescendant(leaf, hash));
    putChainRecord(batch, identity, { best: keepsBest ? oldBest : target, finalized: target, leaves });
    await db.write(batch);
    if (!keepsBest) tree.setBest(hash);
    const final = tree.finalize(hash);
    events.emit({ kind: 'finalized', hash, number: target.number, ...final });
    const cleanup = emptyBatch();
    deleteBlocks(cleanup, final.pruned);
    if (final.pruned.length > 0) await db.write(cleanup);
  };

  const loadBlock = async (hash: BlockHash): Promise<StoredBlock | null> => {
    const header = await loadHeader(hash);
    const body = header === null ? null : await db.get('bodies', blockHashToBytes(hash));
    return header === null || body === null
      ? null
      : { header, extrinsics: decodeBody(body), justifications: null };
  };

  return {
    genesisHash: start.genesisHash,
    spec: start.spec,
    best: () => tree.best(),
    finalized: () => tree.finalized(),
    loadHeader,
    loadBlock,
    loadHashAt: async (number) => {
      const best = tree.best();
      if (number === best.number) return best.hash;
      const bytes = await db.get('numbers', numberKey(number));
      return bytes === null ? null : bytesToBlockHash(bytes);
    },
    runtimeAt,
    withState: async (hash, read) => {
      const backend = await backendAt(hash);
      return store.run(() => read(backend));
    },
    callAt: async (hash, method, input, options) => {
      const runtime = await runtimeAt(hash);
      const backend = await backendAt(hash);
      return store.run(() =>
        runtime.call(createOverlay(backend), method, input, { fuel: 'small', ...options }),
      );
    },
    import: (block, options = {}) => queue.run(() => importBlock(block, options)),
    finalize: (hash) => queue.run(() => finalizeBlock(hash)),
    onEvent: events.on,
    changesOf: (hash) => changes.get(hash) ?? null,
    run: store.run,
    close: async () => {
      await queue.idle();
      await store.flush();
    },
  };
};
