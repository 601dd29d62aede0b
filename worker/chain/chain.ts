import type { Block } from '../codec/block.ts';
import type { Header } from '../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { Justification, Justifications } from '../codec/justification.ts';
import type { CallResult, Runtime } from '../executor/executor.ts';
import type { CallExtensions } from '../executor/extensions.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { Overlay } from '../state/overlay.ts';
import { loadHashAt } from './best-chain.ts';
import { type CallAtOptions, callAt } from './call.ts';
import { type ChainEvent, createEvents } from './events.ts';
import type { FinalityGadget, FinalityStep, FinalityView } from './finality.ts';
import { genesisJson } from './genesis.ts';
import {
  adoptExecution,
  type ExecutedBlock,
  type Execution,
  executeBlock,
  hashHeader,
  type ImportResult,
  refuse,
  type Verifier,
  verifyBlock,
} from './import.ts';
import { type Move, moveHead, overrideState } from './move.ts';
import type { NodeStore } from './node-store.ts';
import type { Overrides } from './overrides.ts';
import { startPace } from './pace.ts';
import { createQueue } from './queue.ts';
import { type Recording, type Reexecution, recordState, reexecute } from './reexecute.ts';
import type { ChainSpec } from './spec.ts';
import { type BlockTiming, createTimings } from './timings.ts';
import type { BlockRef, BlockTree, TreeBlock } from './tree.ts';
import { type ChainView, type ChainViewDeps, createChainView, type StoredBlock } from './view.ts';
import { commitBlock, discardBlocks, finalizeBlock, finalizeIfBest } from './writer.ts';

export type { ImportResult } from './import.ts';
export type { StoredBlock } from './view.ts';

/** What the author hands in with a block of our own. */
export type OwnBlock = {
  readonly execution: Execution;
  /** Makes the block final with its import. No block of others is: nothing verified who was entitled to seal it. */
  readonly finalize: boolean;
  /** How long the author took, for `timings`. */
  readonly buildMs: number;
};

export type ImportOptions = {
  readonly own?: OwnBlock;
  /** The block is an old one, read from a file. */
  readonly isFromFile?: boolean;
  /** What came with the block; kept when it makes the block final. */
  readonly justifications?: Justifications | null;
};

/** The chain: where it stands, what it holds, and the one way blocks come in. */
export type Chain = {
  readonly genesisHash: BlockHash;
  readonly spec: ChainSpec;
  /** The blocks from the finalized one upwards, and how their headers and states are read. */
  readonly view: Omit<FinalityView, 'tree'> & {
    readonly tree: Pick<BlockTree, 'all' | 'finalized' | 'get' | 'isDescendant'>;
  };
  /** `genesis` of the specification in JSON. */
  genesisJson(isRaw: boolean): object;
  best(): BlockRef;
  finalized(): BlockRef;
  loadHeader(hash: BlockHash): Promise<Header | null>;
  /** The header where it is in memory; null also for one that must be loaded. */
  tryHeader(hash: BlockHash): Header | null;
  loadBlock(hash: BlockHash): Promise<StoredBlock | null>;
  /** Hash of the best chain's block at a height. */
  loadHashAt(number: number): Promise<BlockHash | null>;
  runtimeAt(hash: BlockHash): Promise<Runtime>;
  /** Runs a synchronous read on a block's state, again after loading what it missed. Throws `UnknownBlock`. */
  withState<T>(hash: BlockHash, read: (backend: Backend) => T): Promise<T>;
  /** Runs a read now; null when it needs what is not in memory, and `withState` must load it. */
  tryState<T>(hash: BlockHash, read: (backend: Backend) => T): { readonly value: T } | null;
  /** A runtime call whose changes are dropped. */
  callAt(hash: BlockHash, method: string, input: Uint8Array, options?: CallAtOptions): Promise<CallResult>;
  /** Notes what is read from a block's state from now on. Throws `UnknownBlock`. */
  recordState(hash: BlockHash): Promise<Recording>;
  /** Runs a stored block once more on its parent's state and drops the changes. Throws `UnknownBlock`. */
  reexecute(
    block: Block,
    observe: (overlay: Overlay) => Overlay,
    extensions?: CallExtensions,
  ): Promise<Reexecution>;
  import(block: Block, options?: ImportOptions): Promise<ImportResult>;
  /** Throws `UnknownBlock`, `NotFinalizable`, or `BadJustification` for one of GRANDPA that proves nothing. */
  finalize(hash: BlockHash, justification?: Justification | null): Promise<void>;
  /** Finalizes a block if it is on the best chain when its turn comes; else nothing happens. */
  finalizeIfBest(hash: BlockHash): Promise<void>;
  onEvent(listener: (event: ChainEvent) => void): () => void;
  /** What a recently imported block changed, or null. */
  changesOf(hash: BlockHash): StorageChanges | null;
  run<T>(attempt: () => T): Promise<T>;
  /** How long the last blocks took, oldest first. */
  timings(): readonly BlockTiming[];
  /** Puts the head elsewhere: what `dev_setHead`, `dev_restore` and `dev_reset` do (decision 6). */
  move(move: Move): Promise<void>;
  /** Puts a dev state over that of a block without children (decision 6). */
  override(hash: BlockHash, changes: StorageChanges): Promise<void>;
  overrides(): Overrides;
  /** The finalized block and all above it, parents first. */
  unfinalized(): readonly TreeBlock[];
  /** Has the pruned blocks that `keep` names stay in the database; every `keep` counts. */
  keepPruned(keep: Keep): void;
  /** Deletes blocks of lost branches that were kept and that no `keep` names any more. */
  discard(hashes: readonly BlockHash[]): Promise<void>;
  close(): Promise<void>;
};

export type ChainDeps = ChainViewDeps & {
  readonly verifier: Verifier;
  readonly finality: FinalityGadget;
  readonly signatures: SignatureCache;
  readonly onError: (error: unknown) => void;
  /** Whether blocks may write to the offchain database (`--enable-offchain-indexing`); default no, as in the SDK. */
  readonly offchainIndexing?: boolean;
  /** Keeps the blocks of lost branches (`--blocks-pruning archive`). */
  readonly keepsLostBranches?: boolean;
  /** A test mode: a block of our own is executed once more, as one of others (DESIGN §3). */
  readonly verifyOwnBlocks?: boolean;
};

/** Which of these blocks, cut off by finality, are still needed. */
type Keep = (lost: readonly BlockHash[]) => Promise<ReadonlySet<BlockHash>>;

export type ChainStart = {
  readonly spec: ChainSpec;
  readonly identity: Uint8Array;
  readonly genesisHash: BlockHash;
  readonly tree: BlockTree;
  readonly overrides: Overrides;
};

type Admission =
  | { readonly step: 'admitted'; readonly executed: ExecutedBlock; readonly finality: FinalityStep }
  | { readonly step: 'settled'; readonly result: ImportResult };

const settled = (result: ImportResult): Admission => ({ step: 'settled', result });

type AdmitDeps = ChainDeps & {
  readonly tree: BlockTree;
  readonly view: ChainView;
  readonly finalityView: FinalityView;
};

/** Steps 1 and 2 of an import: what is known or has no parent needs no work. */
const admitBlock = async (deps: AdmitDeps, block: Block, options: ImportOptions): Promise<Admission> => {
  const { tree, view } = deps;
  const { number } = block.header;
  const hash = hashHeader(deps.crypto, block.header);
  // Above the finalized block only the tree counts: what the head was moved away from may come again.
  const isKnown = number > tree.finalized().number ? false : (await view.loadHeader(hash)) !== null;
  if (tree.get(hash) !== null || isKnown)
    return settled({ ok: true, hash, number, isBest: tree.best().hash === hash });
  const parent = tree.get(bytesToBlockHash(block.header.parentHash));
  const parentHeader = parent === null ? null : await view.loadHeader(parent.hash);
  if (parent === null || parentHeader === null)
    return settled(
      refuse('UnknownParent', `The parent of block #${number} is not known or is below the finalized block`),
    );
  const runtime = await view.runtimeAt(parent.hash);
  const { justifications = null, own = null } = options;
  const isOwn = own !== null;
  const isTrusted = isOwn && deps.verifyOwnBlocks !== true;
  const verified = verifyBlock(deps, { block, parent, parentHeader, runtime, isOwn, isRootKnown: isTrusted });
  if (!verified.ok) return settled(verified);
  const brought = { hash, header: block.header, parent, justifications, finalize: own?.finalize ?? false };
  const finality = await deps.finality.importBlock(deps.finalityView, brought);
  if (!finality.ok) return settled(finality);
  const adopted = own === null ? null : adoptExecution(verified.value, own.execution);
  const executed =
    adopted === null || (adopted.ok && !isTrusted)
      ? await executeBlock(deps, verified.value, { backend: await view.backendAt(parent.hash), runtime })
      : adopted;
  return executed.ok ? { step: 'admitted', executed: executed.value, finality } : settled(executed);
};

type ImportDeps = AdmitDeps &
  Parameters<typeof commitBlock>[0] & { readonly timings: ReturnType<typeof createTimings> };

const importBlock = async (deps: ImportDeps, block: Block, options: ImportOptions): Promise<ImportResult> => {
  const began = performance.now();
  const pace = startPace();
  const admission = await admitBlock(deps, block, options);
  if (admission.step !== 'admitted') return admission.result;
  await pace.pause();
  const { executed } = admission;
  const admitted = performance.now();
  const { own, isFromFile = false } = options;
  const result = await commitBlock(deps, executed, admission.finality, {
    finalize: own?.finalize ?? false,
    isFromFile,
    pace,
  });
  deps.timings.add(executed, {
    buildMs: own?.buildMs ?? null,
    importMs: admitted - began,
    commitMs: performance.now() - admitted,
  });
  return result;
};

const createFinalityView = (store: NodeStore, view: ChainView, tree: BlockTree): FinalityView => ({
  tree,
  loadHeader: view.loadHeader,
  readState: async (hash, read) => {
    const [backend, runtime] = [await view.backendAt(hash), await view.runtimeAt(hash)];
    return store.run(() => read({ backend, runtime }));
  },
});

const createReads = (store: NodeStore, view: ChainView): Pick<Chain, 'withState' | 'tryState'> => ({
  withState: async (hash, read) => {
    const backend = await view.backendAt(hash);
    return store.run(() => read(backend));
  },
  tryState: (hash, read) => {
    const backend = view.recentBackend(hash);
    return backend === null ? null : store.tryRun(() => read(backend));
  },
});

export const createChain = (deps: ChainDeps, start: ChainStart): Chain => {
  const { store, db, finality, onError } = deps;
  const { tree } = start;
  const events = createEvents<ChainEvent>(onError);
  const queue = createQueue(1024);
  const view = createChainView(deps, start.overrides);
  const identity = { genesis: start.genesisHash, identity: start.identity };
  const timings = createTimings();
  const keepers: Keep[] = deps.keepsLostBranches === true ? [async (lost) => new Set(lost)] : [];
  const keep: Keep = async (lost) =>
    new Set((await Promise.all(keepers.map((one) => one(lost)))).flatMap((kept) => [...kept]));
  const finalityView = createFinalityView(store, view, tree);
  const kept = { indexing: deps.offchainIndexing ?? false, keep, finality };
  const writing = { db, store, tree, view, finalityView, events, identity, onError, overdue: [], ...kept };
  const importing = { ...deps, tree, view, finalityView };
  return {
    genesisHash: start.genesisHash,
    spec: start.spec,
    view: finalityView,
    genesisJson: (isRaw) => genesisJson({ ...deps, source: store }, start.spec.genesis, isRaw),
    best: () => tree.best(),
    finalized: () => tree.finalized(),
    loadHeader: view.loadHeader,
    tryHeader: view.tryHeader,
    loadBlock: view.loadBlock,
    loadHashAt: async (number) => {
      const best = tree.best();
      if (number === best.number) return best.hash;
      return number > best.number ? null : loadHashAt(db, number);
    },
    runtimeAt: view.runtimeAt,
    ...createReads(store, view),
    callAt: (...request) => callAt(importing, ...request),
    recordState: (hash) => recordState(importing, hash),
    reexecute: (...request) => reexecute(importing, ...request),
    import: (block, options = {}) =>
      queue.run(() => importBlock({ ...writing, ...importing, timings }, block, options)),
    finalize: (hash, justification = null) => queue.run(() => finalizeBlock(writing, hash, justification)),
    finalizeIfBest: (hash) => queue.run(() => finalizeIfBest(writing, hash)),
    onEvent: events.on,
    changesOf: view.changesOf,
    run: store.run,
    timings: timings.list,
    move: (move) => queue.run(() => moveHead(writing, move)),
    override: (hash, changes) => queue.run(() => overrideState(writing, hash, changes)),
    overrides: view.overrides,
    unfinalized: tree.all,
    keepPruned: (next) => void keepers.push(next),
    discard: (hashes) => queue.run(() => discardBlocks(writing, hashes)),
    close: async () => {
      await queue.idle();
      await store.flush();
    },
  };
};
