import type { Block } from '../codec/block.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Justification } from '../codec/justification.ts';
import type { BatchSignatures } from '../executor/batched-signatures.ts';
import type { CallResult } from '../executor/executor.ts';
import type { CallExtensions } from '../executor/extensions.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { Overlay } from '../state/overlay.ts';
import { createQueue, type Queue } from '../tasks/queue.ts';
import { type Move, type MoveDeps, moveHead, overrideState } from './dev/move.ts';
import type { MovableBase, NewBase } from './dev/rebase.ts';
import { callRecorded, type RecordDeps, type Reexecution, reexecute } from './dev/reexecute.ts';
import { type ChainEvent, createEvents } from './events.ts';
import type { FinalityGadget, FinalityView } from './finality-gadget.ts';
import type { ChainSpec } from './genesis/spec.ts';
import { type FinalizeDeps, finalizeBlock, finalizeIfBest } from './import/finalize.ts';
import { type ImportDeps, type ImportOptions, type ImportResult, importBlock } from './import/import.ts';
import type { Verifier } from './import/verify.ts';
import type { NetworkRule } from './network-rule.ts';
import type { Overrides } from './overrides.ts';
import { createProofs, type Opened, type Proofs } from './proofs.ts';
import { type ChainReader, createReader } from './reader.ts';
import { createPrunedBranches, type PrunedBranches, type RetainFilter } from './states/pruned-branches.ts';
import { createStatePruning, type Pins } from './states/state-pruning.ts';
import type { TrieStore } from './states/trie-store.ts';
import { createTimings } from './timings.ts';
import type { BlockRef, BlockTree } from './tree.ts';
import { type ChainView, type ChainViewDeps, createChainView } from './view.ts';

/** Development operations that bypass consensus, and tracing. */
export type DevelopmentChain = {
  /** Starts recording what a block to be built reads from its parent's state. Throws `UnknownBlock`. */
  record: Proofs['record'];
  rerun: Proofs['rerun'];
  /** Re-executes a stored block on its parent's state and drops the changes. Throws `UnknownBlock`. */
  reexecute(
    block: Block,
    observe: (overlay: Overlay) => Overlay,
    extensions?: CallExtensions,
  ): Promise<Reexecution>;
  /**
   * Calls the runtime on the state below a block and records the proof. Throws `UnknownBlock` and
   * `StateDiscarded` for the parent.
   */
  callRecorded(opened: Opened, method: string, input: Uint8Array): Promise<CallResult>;
  /** Moves the head: the operation behind `dev_setHead`, `dev_restore` and `dev_reset` (decision 6). */
  move(move: Move): Promise<void>;
  /** Overrides the state of a block without children with a dev state (decision 6). */
  override(hash: BlockHash, changes: StorageChanges): Promise<void>;
  overrides(): Overrides;
  /** Replaces a fork's chain by another base alone (decision 75). */
  rebase(next: NewBase): Promise<void>;
};

export const createDevelopment = (
  deps: MoveDeps &
    RecordDeps & { readonly queue: Queue; readonly base: MovableBase; readonly rule: NetworkRule },
): DevelopmentChain => {
  const { queue, view, rule } = deps;
  return {
    record: deps.proofs.record,
    rerun: deps.proofs.rerun,
    reexecute: (...request) => reexecute(deps, ...request),
    callRecorded: (...request) => callRecorded(deps, ...request),
    move: (move) =>
      queue.run(async () => {
        // Above the finalized block, the head is a choice among blocks that others may have as well.
        if (move.finalized !== undefined || deps.tree.get(move.head) === null)
          rule.refuse('Finality does not go back');
        await moveHead(deps, move);
      }),
    override: (hash, changes) =>
      queue.run(async () => {
        rule.refuse('Storage is set by blocks alone');
        await overrideState(deps, hash, changes);
      }),
    overrides: view.overrides,
    rebase: (next) =>
      queue.run(async () => {
        rule.refuse('A fork keeps its base');
        await (await import('./dev/rebase.ts')).rebaseChain(deps, next);
      }),
  };
};

/** The only entry point for blocks and finality: one job at a time. */
export type BlockImporter = {
  import(block: Block, options?: ImportOptions): Promise<ImportResult>;
  /**
   * Throws `UnknownBlock`, `NotFinalizable`, `BadJustification` for an invalid GRANDPA justification, or `InNetwork` for
   * none in a network.
   */
  finalize(hash: BlockHash, justification?: Justification | null): Promise<void>;
  /** Finalizes a block if it is on the best chain when the job runs; otherwise does nothing. */
  finalizeIfBest(hash: BlockHash): Promise<void>;
  /** Keeps the pruned blocks returned by `keep` in the database. All registered `keep` functions apply. */
  keepPruned(keep: RetainFilter): void;
  /** Keeps the states named by pins, and those above them. All registered providers apply. */
  pinStates(pins: Pins): Promise<void>;
  /** Deletes kept blocks of abandoned forks that no `keep` returns any more. */
  discard(hashes: readonly BlockHash[]): Promise<void>;
  close(): Promise<void>;
};

export type ImporterDeps = ImportDeps &
  FinalizeDeps & { readonly queue: Queue; readonly lost: PrunedBranches; readonly rule: NetworkRule };

export const createImporter = (deps: ImporterDeps): BlockImporter => {
  const { queue, lost, rule } = deps;
  const byHand = 'Blocks become final by votes alone';
  return {
    import: (block, options = {}) =>
      queue.run(async () => {
        if (options.own?.finalize === true) rule.refuse(byHand);
        return importBlock(deps, block, options);
      }),
    finalize: (hash, justification = null) =>
      queue.run(async () => {
        if (justification === null) rule.refuse(byHand);
        await finalizeBlock(deps, hash, justification);
      }),
    finalizeIfBest: (hash) =>
      queue.run(async () => {
        if (!rule.isOn()) await finalizeIfBest(deps, hash);
      }),
    keepPruned: lost.addRetainFilter,
    pinStates: deps.pruning.addPins,
    discard: (hashes) => queue.run(() => lost.discard(hashes)),
    close: async () => {
      await queue.idle();
      await deps.store.flush();
    },
  };
};

/**
 * The chain: its position and content, the only way to import blocks, and the extras of a development chain.
 */
export type Chain = ChainReader & BlockImporter & DevelopmentChain;

export type ChainDeps = Omit<ChainViewDeps, 'pruning'> & {
  readonly verifier: Verifier;
  readonly finality: FinalityGadget;
  readonly signatures: SignatureCache;
  readonly batchSignatures: BatchSignatures;
  readonly onError: (error: unknown) => void;
  readonly rule: NetworkRule;
  /**
   * Whether blocks may write to the offchain database (`--enable-offchain-indexing`). Default: no, as in the
   * SDK.
   */
  readonly offchainIndexing?: boolean;
  /** Keeps the blocks of abandoned forks (`--blocks-pruning archive`). */
  readonly keepsPrunedBranches?: boolean;
  /** Test mode: re-executes our own blocks as if they came from another node. */
  readonly verifyOwnBlocks?: boolean;
};

export type ChainStart = {
  readonly spec: ChainSpec;
  readonly identity: Uint8Array;
  readonly genesisHash: BlockHash;
  /** The lowest block: block 0, or the base of a fork. */
  readonly base: BlockRef;
  readonly tree: BlockTree;
  readonly overrides: Overrides;
};

/** Maximum number of queued jobs in the import queue. */
const queueLimit = 1024;

const createFinalityView = (store: TrieStore, view: ChainView, tree: BlockTree): FinalityView => ({
  tree,
  loadHeader: view.loadHeader,
  readState: async (hash: BlockHash, read) => {
    const [backend, runtime] = [await view.backendAt(hash), await view.runtimeAt(hash)];
    return view.whileKept(hash, () => store.run(() => read({ backend, runtime })));
  },
});

export const createChain = (deps: ChainDeps, start: ChainStart): Chain => {
  const { tree, genesisHash, spec } = start;
  const base: MovableBase = { ...start.base };
  const pruning = createStatePruning({ ...deps, tree, loadHeader: (hash) => view.loadHeader(hash) });
  const view: ChainView = createChainView({ ...deps, pruning }, start.overrides);
  const parts = {
    ...deps,
    tree,
    view,
    pruning,
    spec,
    rules: spec.rules,
    genesisHash,
    base,
    identity: { genesis: genesisHash, identity: start.identity },
    finalityView: createFinalityView(deps.store, view, tree),
    proofs: createProofs({ ...deps, view }),
    events: createEvents<ChainEvent>(deps.onError),
    queue: createQueue(queueLimit),
    timings: createTimings(),
    lost: createPrunedBranches({ ...deps, tree, view, pruning }),
  };
  return { ...createReader(parts), ...createImporter(parts), ...createDevelopment(parts) };
};
