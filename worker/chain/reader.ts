import type { StatePruning } from '../../src/protocol/node.ts';
import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { SignedBlock } from '../codec/signed-block.ts';
import type { CallResult, Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import type { StorageChanges } from '../state/changes.ts';
import { pendingReadsOf } from '../state/trial.ts';
import { type CallAtOptions, callAt } from './call.ts';
import type { ChainEvent, Events } from './events.ts';
import type { FinalityView } from './finality-gadget.ts';
import { genesisJson } from './genesis/genesis.ts';
import type { ChainSpec } from './genesis/spec.ts';
import { isUnavailable } from './refusal.ts';
import type { ReadPredictor, TrieStore } from './states/trie-store.ts';
import { loadHashAt, loadHashesAt } from './store.ts';
import type { BlockTiming, Timings } from './timings.ts';
import type { BlockRef, BlockTree, TreeBlock } from './tree.ts';
import type { CallContext, ChainView, ChainViewDeps } from './view.ts';

/** The chain's current position and content. */
export type ChainReader = {
  readonly genesisHash: BlockHash;
  /** The lowest block that is stored: block 0, or the base of a fork. */
  readonly base: BlockRef;
  readonly spec: ChainSpec;
  /** Which states are kept. */
  readonly statePruning: StatePruning;
  /** The blocks from the finalized one upwards, with access to their headers and states. */
  readonly view: Omit<FinalityView, 'tree'> & {
    readonly tree: Pick<BlockTree, 'all' | 'finalized' | 'get' | 'isDescendant' | 'leaves'>;
  };
  /** The specification's `genesis` as JSON. */
  genesisJson(isRaw: boolean): Promise<object>;
  best(): BlockRef;
  finalized(): BlockRef;
  /** The finalized block and all blocks above it, parents first. */
  unfinalized(): readonly TreeBlock[];
  loadHeader(hash: BlockHash): Promise<Header | null>;
  /** The header if it is in memory. Null also if it must be loaded. */
  tryHeader(hash: BlockHash): Header | null;
  loadBlock(hash: BlockHash): Promise<SignedBlock | null>;
  /** Results in the order of the hashes. Three reads of the database, however many there are. */
  loadBlocks(hashes: readonly BlockHash[]): Promise<(SignedBlock | null)[]>;
  /** Hashes of the best chain's blocks from one height to another, both included; fewer where the chain ends. */
  loadHashesAt(from: number, to: number): Promise<BlockHash[]>;
  /** Hash of the best chain's block at a height. */
  loadHashAt(number: number): Promise<BlockHash | null>;
  runtimeAt(hash: BlockHash, context?: CallContext): Promise<Runtime>;
  /**
   * Runs a synchronous read on a block's state, and repeats it after loading missing nodes. `foresee` finds what else to
   * load with the first of them, on a state with wrong values: the read itself, if it has no effects and tolerates them.
   * Throws `UnknownBlock`, `StateDiscarded`.
   */
  withState<T>(
    hash: BlockHash,
    read: (backend: Backend) => T,
    foresee?: (trial: Backend) => unknown,
  ): Promise<T>;
  /** Runs a read now. Null if it needs data that is not in memory; use `withState` then. */
  tryState<T>(hash: BlockHash, read: (backend: Backend) => T): { readonly value: T } | null;
  readonly scans: TrieStore['scans'];
  /** Whether the state of a block is kept, or can be read from the live chain. Rejects if that cannot be read. */
  isStateKept(hash: BlockHash): Promise<boolean>;
  /** A runtime call whose changes are dropped. */
  callAt(hash: BlockHash, method: string, input: Uint8Array, options?: CallAtOptions): Promise<CallResult>;
  /** The changes of a recently imported block, or null. */
  changesOf(hash: BlockHash): StorageChanges | null;
  /** Repeats a synchronous read, loading what it missed in between, and what `predict` says that it will miss. */
  run<T>(attempt: () => T, predict?: ReadPredictor): Promise<T>;
  /** How long the last blocks took, oldest first. */
  timings(): readonly BlockTiming[];
  onEvent(listener: (event: ChainEvent) => void): () => void;
};

export type ReaderDeps = ChainViewDeps & {
  readonly spec: ChainSpec;
  readonly genesisHash: BlockHash;
  readonly base: BlockRef;
  readonly tree: BlockTree;
  readonly view: ChainView;
  readonly finalityView: FinalityView;
  readonly signatures: SignatureCache;
  readonly events: Pick<Events<ChainEvent>, 'on'>;
  readonly timings: Pick<Timings, 'list'>;
};

export const createReader = (deps: ReaderDeps): ChainReader => {
  const { db, store, tree, view, spec } = deps;
  return {
    genesisHash: deps.genesisHash,
    base: deps.base,
    spec,
    statePruning: store.mode,
    view: deps.finalityView,
    genesisJson: (isRaw) => genesisJson({ ...deps, source: store }, spec.genesis, isRaw),
    best: tree.best,
    finalized: tree.finalized,
    unfinalized: tree.all,
    loadHeader: view.loadHeader,
    tryHeader: view.tryHeader,
    loadBlock: view.loadBlock,
    loadBlocks: view.loadBlocks,
    loadHashesAt: (from, to) =>
      loadHashesAt(db, Math.max(from, deps.base.number), Math.min(to, tree.best().number)),
    loadHashAt: async (number) => {
      const best = tree.best();
      if (number === best.number) return best.hash;
      if (number > best.number) return null;
      return number < deps.base.number
        ? ((await deps.below?.hashAt(number)) ?? null)
        : loadHashAt(db, number);
    },
    runtimeAt: view.runtimeAt,
    withState: async (hash, read, foresee) => {
      const backend = await view.backendAt(hash);
      const predict: ReadPredictor | undefined =
        foresee && ((_misses, guesses) => pendingReadsOf(backend, foresee, guesses));
      return view.whileKept(hash, () => store.run(() => read(backend), predict));
    },
    tryState: (hash, read) => {
      const backend = view.recentBackend(hash);
      return backend === null ? null : store.tryRun(() => read(backend));
    },
    scans: store.scans,
    isStateKept: (hash) =>
      view.backendAt(hash).then(
        () => true,
        (error: unknown) => {
          if (isUnavailable(error)) return false;
          throw error;
        },
      ),
    callAt: (...request) => callAt(deps, ...request),
    changesOf: view.changesOf,
    run: store.run,
    timings: deps.timings.list,
    onEvent: deps.events.on,
  };
};
