import { type BatchBuilder, createBatch, type Database } from '../../db/database.ts';
import type { Pace } from '../../tasks/pace.ts';
import type { StatePruning } from '../states/state-pruning.ts';
import type { TrieStore } from '../states/trie-store.ts';
import type { ExecutedBlock } from '../steps.ts';
import { type Identity, putBlock, putChoice, putJustification } from '../store.ts';
import type { BlockTree, Finalization } from '../tree.ts';
import type { ChainView } from '../view.ts';
import type { Choice } from './choose.ts';

export type CommitDeps = {
  readonly db: Pick<Database, 'write'>;
  readonly store: TrieStore;
  readonly tree: BlockTree;
  readonly pruning: StatePruning;
  readonly view: Pick<ChainView, 'remember' | 'forgetBlocks'>;
  readonly identity: Identity;
  /** Whether runtime writes to the offchain index are kept. */
  readonly offchainIndexing?: boolean;
};

/** The block's own transaction: block, trie nodes, best, finalized, number → hash. */
const draftBlock = (deps: CommitDeps, executed: ExecutedBlock, choice: Choice): BatchBuilder => {
  const { finality, execution, hash } = executed;
  const batch = createBatch();
  putBlock(batch, executed, deps.offchainIndexing ?? false);
  finality.stage(batch);
  if (finality.justification !== null) putJustification(batch, hash, finality.justification);
  deps.pruning.stageBlock(batch, executed, deps.store.stage(execution.nodes, batch));
  putChoice(batch, deps.identity, choice);
  return batch;
};

/**
 * Step 4: a single storage transaction. The block is invisible before `acceptBlock`, so a failed
 * write leaves no trace.
 */
export const commitBlock = async (
  deps: CommitDeps,
  executed: ExecutedBlock,
  choice: Choice,
  pace: Pace,
): Promise<void> => {
  const batch = draftBlock(deps, executed, choice);
  await pace.pause();
  await deps.db.write(batch);
  // From now on a lookup by hash finds the block in the database and must find its state too.
  deps.store.accept(executed.execution.nodes);
};

/** Applies the choice to the tree. Returns the blocks finalized and pruned by it, or null. */
export const applyChoice = (
  { tree, pruning }: Pick<CommitDeps, 'tree' | 'pruning'>,
  choice: Choice,
): Finalization | null => {
  const old = tree.finalized();
  tree.setBest(choice.best.hash);
  if (choice.finalized.hash === old.hash) return null;
  const final = tree.finalize(choice.finalized.hash);
  pruning.onFinalized(old, final);
  return final;
};

/**
 * Updates memory after the write. Synchronous, and directly followed by the notification, so that no reader
 * sees one without the other.
 */
export const acceptBlock = (
  deps: CommitDeps,
  executed: ExecutedBlock,
  added: Parameters<BlockTree['insert']>[0],
  choice: Choice,
): Finalization | null => {
  const { tree, view } = deps;
  executed.finality.accept();
  tree.insert(added);
  const final = applyChoice(deps, choice);
  view.remember(executed);
  // The cached body has no justifications.
  if (executed.finality.justification !== null) view.forgetBlocks([executed.hash]);
  return final;
};
