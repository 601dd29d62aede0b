import type { Block } from '../../codec/block.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { Justification } from '../../codec/justification.ts';
import type { Queue } from '../../tasks/queue.ts';
import { type FinalizeDeps, finalizeBlock, finalizeIfBest } from '../finalize.ts';
import type { Keep, LostBranches } from '../states/lost-branches.ts';
import type { Pins } from '../states/state-pruning.ts';
import { type ImportDeps, type ImportOptions, type ImportResult, importBlock } from './import.ts';

/** The only entry point for blocks and finality: one job at a time. */
export type BlockImporter = {
  import(block: Block, options?: ImportOptions): Promise<ImportResult>;
  /** Throws `UnknownBlock`, `NotFinalizable`, or `BadJustification` for an invalid GRANDPA justification. */
  finalize(hash: BlockHash, justification?: Justification | null): Promise<void>;
  /** Finalizes a block if it is on the best chain when the job runs; otherwise does nothing. */
  finalizeIfBest(hash: BlockHash): Promise<void>;
  /** Keeps the pruned blocks returned by `keep` in the database. All registered `keep` functions apply. */
  keepPruned(keep: Keep): void;
  /** Keeps the states named by pins, and those above them. All registered providers apply. */
  pinStates(pins: Pins): Promise<void>;
  /** Deletes kept blocks of abandoned forks that no `keep` returns any more. */
  discard(hashes: readonly BlockHash[]): Promise<void>;
  close(): Promise<void>;
};

export type ImporterDeps = ImportDeps & FinalizeDeps & { readonly queue: Queue; readonly lost: LostBranches };

export const createImporter = (deps: ImporterDeps): BlockImporter => {
  const { queue, lost } = deps;
  return {
    import: (block, options = {}) => queue.run(() => importBlock(deps, block, options)),
    finalize: (hash, justification = null) => queue.run(() => finalizeBlock(deps, hash, justification)),
    finalizeIfBest: (hash) => queue.run(() => finalizeIfBest(deps, hash)),
    keepPruned: lost.addKeep,
    pinStates: deps.pruning.addPins,
    discard: (hashes) => queue.run(() => lost.discard(hashes)),
    close: async () => {
      await queue.idle();
      await deps.store.flush();
    },
  };
};
