import { NodeError } from '../../../src/protocol/errors.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import type { Justification } from '../../codec/justification.ts';
import { createBatch, type Database } from '../../db/database.ts';
import { type ChainEvent, type Events, notifyFinalized } from '../events.ts';
import type { FinalityGadget, FinalityView } from '../finality-gadget.ts';
import type { PrunedBranches } from '../states/pruned-branches.ts';
import type { StatePruning } from '../states/state-pruning.ts';
import { type Identity, putChoice, putJustification } from '../store.ts';
import type { BlockTree, TreeBlock } from '../tree.ts';
import type { ChainView } from '../view.ts';
import { chooseFinal } from './choose.ts';
import { applyChoice } from './commit.ts';

export type FinalizeDeps = {
  readonly db: Pick<Database, 'write'>;
  readonly tree: BlockTree;
  readonly pruning: StatePruning;
  readonly view: Pick<ChainView, 'loadHeader' | 'forgetBlocks'>;
  readonly finality: FinalityGadget;
  readonly finalityView: FinalityView;
  readonly events: Events<ChainEvent>;
  readonly identity: Identity;
  readonly lost: Pick<PrunedBranches, 'discardAfter'>;
};

const findFinalizable = async ({ tree, view }: FinalizeDeps, hash: BlockHash): Promise<TreeBlock> => {
  const target = tree.get(hash);
  if (target !== null) return target;
  const header = await view.loadHeader(hash);
  if (header === null) throw new NodeError('UnknownBlock', `Header was not found in the database: ${hash}`);
  const floor = tree.finalized().number;
  const why =
    header.number > floor ? 'is on an abandoned branch' : `is not above the finalized block #${floor}`;
  throw new NodeError('NotFinalizable', `Block #${header.number} ${why}`);
};

/**
 * Finality only moves forward. Finalizing a block off the best chain makes it the best block. Throws
 * `UnknownBlock`, `NotFinalizable`, `BadJustification`.
 */
export const finalizeBlock = async (
  deps: FinalizeDeps,
  hash: BlockHash,
  justification: Justification | null,
): Promise<void> => {
  const { tree } = deps;
  const target = await findFinalizable(deps, hash);
  if (target.hash === tree.finalized().hash) return;
  const step = await deps.finality.finalizeBlock(deps.finalityView, target, justification);
  if (!step.ok) throw new NodeError(step.code, step.message);
  const choice = chooseFinal(tree, target);
  const batch = createBatch();
  step.stage(batch);
  if (step.justification !== null) putJustification(batch, hash, step.justification);
  const superseded = step.superseded ?? null;
  if (superseded !== null) batch.deletes.push(['justifications', blockHashToBytes(superseded)]);
  putChoice(batch, deps.identity, choice);
  await deps.db.write(batch);
  step.accept();
  if (step.justification !== null) deps.view.forgetBlocks([hash]);
  if (superseded !== null) deps.view.forgetBlocks([superseded]);
  const final = applyChoice(deps, choice);
  if (final === null) return;
  const notified = notifyFinalized(deps.events, target, step.justification, final, choice);
  await deps.lost.discardAfter(notified, final.pruned);
};

/** Timer-driven finalization. Does nothing if the block has left the best chain since. */
export const finalizeIfBest = async (deps: FinalizeDeps, hash: BlockHash): Promise<void> => {
  const { tree } = deps;
  if (tree.get(hash) !== null && tree.isDescendant(tree.best().hash, hash))
    await finalizeBlock(deps, hash, null);
};
