import type { BlockHash } from '../codec/identity.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import { createQueue } from '../tasks/queue.ts';
import { createDevelopment, type DevelopmentChain } from './dev/development.ts';
import { type ChainEvent, createEvents } from './events.ts';
import type { FinalityGadget, FinalityView } from './finality.ts';
import type { ChainSpec } from './genesis/spec.ts';
import { type BlockImporter, createImporter } from './import/importer.ts';
import type { Verifier } from './import/verify.ts';
import type { Overrides } from './overrides.ts';
import { type ChainReader, createReader } from './reader.ts';
import { createLostBranches } from './states/lost-branches.ts';
import type { NodeStore } from './states/node-store.ts';
import { createStatePruning } from './states/state-pruning.ts';
import { createTimings } from './timings.ts';
import type { BlockTree } from './tree.ts';
import { type ChainView, type ChainViewDeps, createChainView } from './view.ts';

/**
 * The chain: its position and content, the only way to import blocks, and the extras of a development chain.
 */
export type Chain = ChainReader & BlockImporter & DevelopmentChain;

export type ChainDeps = Omit<ChainViewDeps, 'pruning'> & {
  readonly verifier: Verifier;
  readonly finality: FinalityGadget;
  readonly signatures: SignatureCache;
  readonly onError: (error: unknown) => void;
  /**
   * Whether blocks may write to the offchain database (`--enable-offchain-indexing`). Default: no, as in the
   * SDK.
   */
  readonly offchainIndexing?: boolean;
  /** Keeps the blocks of abandoned forks (`--blocks-pruning archive`). */
  readonly keepsLostBranches?: boolean;
  /** Test mode: re-executes our own blocks as if they came from another node. */
  readonly verifyOwnBlocks?: boolean;
};

export type ChainStart = {
  readonly spec: ChainSpec;
  readonly identity: Uint8Array;
  readonly genesisHash: BlockHash;
  readonly tree: BlockTree;
  readonly overrides: Overrides;
};

/** Maximum number of queued jobs in the import queue. */
const queueLimit = 1024;

const createFinalityView = (store: NodeStore, view: ChainView, tree: BlockTree): FinalityView => ({
  tree,
  loadHeader: view.loadHeader,
  readState: async (hash: BlockHash, read) => {
    const [backend, runtime] = [await view.backendAt(hash), await view.runtimeAt(hash)];
    return view.whileKept(hash, () => store.run(() => read({ backend, runtime })));
  },
});

export const createChain = (deps: ChainDeps, start: ChainStart): Chain => {
  const { tree, genesisHash, spec } = start;
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
    identity: { genesis: genesisHash, identity: start.identity },
    finalityView: createFinalityView(deps.store, view, tree),
    events: createEvents<ChainEvent>(deps.onError),
    queue: createQueue(queueLimit),
    timings: createTimings(),
    lost: createLostBranches({ ...deps, tree, view, pruning }),
  };
  return { ...createReader(parts), ...createImporter(parts), ...createDevelopment(parts) };
};
