import { NodeError } from '../../src/protocol/errors.ts';
import type { BlockHash } from '../codec/identity.ts';
import { findJustification, type Justification } from '../codec/justification.ts';
import type { Database } from '../db/database.ts';
import { readHashAt } from './best-chain.ts';
import { deleteBlocks, leavesOf, putBlock, putChainRecord, putJustification, putNumbers } from './commit.ts';
import { createDraft, type Draft } from './draft.ts';
import type { ChainEvent, Events } from './events.ts';
import type { FinalityGadget, FinalityStep, FinalityView } from './finality.ts';
import type { ExecutedBlock, ImportResult } from './import.ts';
import type { NodeStore } from './node-store.ts';
import type { Pace } from './pace.ts';
import type { BlockTree, Finalization, Route, TreeBlock } from './tree.ts';
import type { ChainView } from './view.ts';

type Deps = {
  readonly db: Database;
  readonly store: NodeStore;
  readonly tree: BlockTree;
  readonly view: Pick<ChainView, 'loadHeader' | 'remember' | 'forgetBlocks'>;
  readonly finality: FinalityGadget;
  readonly finalityView: FinalityView;
  readonly events: Events<ChainEvent>;
  /** Told what failed once a block was stored: it stands, and the next block makes up for it. */
  readonly onError: (error: unknown) => void;
  readonly identity: { readonly genesis: BlockHash; readonly identity: Uint8Array };
  /** Whether what runtimes write to the offchain index is kept. */
  readonly indexing: boolean;
  /** Blocks that stay though their branch is lost: snapshots stand on them, or clients have them pinned. */
  readonly keep: (lost: readonly BlockHash[]) => Promise<ReadonlySet<BlockHash>>;
  /** Lost blocks whose deletion failed. */
  readonly overdue: BlockHash[];
};

/** Journals are moved once this many wait; an idle node moves the rest when it closes. */
const journalLimit = 256;

const unmoved: Route = { enacted: [], retracted: [] };

type Choice = {
  readonly step: FinalityStep;
  readonly added: TreeBlock;
  readonly isBest: boolean;
  readonly oldBest: TreeBlock;
  readonly route: Route;
};

const toTreeBlock = ({ hash, block, parent, weight, isOwn }: ExecutedBlock): TreeBlock => ({
  hash,
  number: block.header.number,
  parent: parent.hash,
  weight,
  isOwn,
});

const draftBlock = (
  { tree, store, identity, indexing }: Deps,
  executed: ExecutedBlock,
  choice: Choice,
  finalize: boolean,
): Draft => {
  const { step, added, isBest, oldBest, route } = choice;
  const draft = createDraft();
  putBlock(draft, executed, indexing);
  step.stage(draft);
  if (step.justification !== null) putJustification(draft, added.hash, step.justification);
  store.stage(executed.execution.nodes, draft);
  const enacted = route.enacted.map((hash) => tree.get(hash) as TreeBlock);
  if (isBest) putNumbers(draft, enacted, oldBest, added);
  const leaves = finalize ? [added.hash] : leavesOf(tree);
  const finalized = finalize ? added : tree.finalized();
  putChainRecord(draft, identity, { best: isBest ? added : oldBest, finalized, leaves });
  return draft;
};

const tellImported = (
  { events }: Deps,
  executed: ExecutedBlock,
  { added, isBest, route }: Choice,
  isFromFile: boolean,
): void => {
  const { hash, number } = added;
  const { changes } = executed.execution;
  void events.emit({
    kind: 'imported',
    hash,
    number,
    header: executed.block.header,
    isBest,
    ...route,
    changes,
    isFromFile,
  });
};

/**
 * The lost branches go when all have heard (the pool reads their bodies); a crash before that leaves them unreachable, not
 * wrong. What cannot be deleted is no fault of the finality, which stands: the next one tries again.
 */
const tellFinal = async (
  deps: Deps,
  target: TreeBlock,
  justification: Justification | null,
  final: Finalization,
  moved: Route,
): Promise<void> => {
  const { events, overdue, onError } = deps;
  const heard = events.emit({
    kind: 'finalized',
    hash: target.hash,
    number: target.number,
    proof: justification === null ? null : findJustification([justification], 'FRNK'),
    ...final,
    ...moved,
  });
  if (final.pruned.length + overdue.length === 0) return;
  await heard;
  const lost = [...overdue.splice(0), ...final.pruned];
  await discardBlocks(deps, lost).catch((error: unknown) => {
    overdue.push(...lost);
    onError(error);
  });
};

/** Deletes what a lost branch left, unless it is wanted again: by a `keep`, or because the head was put there since. */
export const discardBlocks = async (
  { db, tree, view, keep }: Pick<Deps, 'db' | 'tree' | 'view' | 'keep'>,
  hashes: readonly BlockHash[],
): Promise<void> => {
  const kept = await keep(hashes);
  const lost: BlockHash[] = [];
  for (const hash of hashes) {
    const header = await view.loadHeader(hash);
    if (header === null || kept.has(hash) || tree.get(hash) !== null) continue;
    if ((await readHashAt(db, header.number)) !== hash) lost.push(hash);
  }
  const draft = createDraft();
  deleteBlocks(draft, lost);
  if (lost.length > 0) await db.write(draft);
  view.forgetBlocks(lost);
};

type CommitOptions = {
  readonly finalize: boolean;
  readonly isFromFile: boolean;
  readonly pace: Pace;
};

/** Steps 3 to 5 of an import: choose in memory, commit in one transaction, tell (DESIGN §3). */
export const commitBlock = async (
  deps: Deps,
  executed: ExecutedBlock,
  step: FinalityStep,
  options: CommitOptions,
): Promise<ImportResult> => {
  const { tree, store } = deps;
  const { pace } = options;
  const finalize = options.finalize || step.justification !== null;
  const added = toTreeBlock(executed);
  const { hash, number } = added;
  const oldBest = tree.best();
  const isBest = tree.isBetter(added) || finalize;
  tree.insert(added);
  const route = isBest ? tree.route(oldBest.hash, hash) : unmoved;
  const choice = { step, added, isBest, oldBest, route };
  try {
    const draft = draftBlock(deps, executed, choice, finalize);
    await pace.pause();
    await deps.db.write(draft);
  } catch (error) {
    tree.remove(hash);
    throw error;
  }
  // A database that answers at once let nothing else run meanwhile.
  await pace.pause();
  store.accept(executed.execution.nodes);
  step.accept();
  if (isBest) tree.setBest(hash);
  const final = finalize ? tree.finalize(hash) : null;
  deps.view.remember(executed);
  if (step.justification !== null) deps.view.forgetBlocks([hash]);
  tellImported(deps, executed, choice, options.isFromFile);
  if (final !== null) await tellFinal(deps, added, step.justification, final, unmoved);
  if (store.journals() >= journalLimit) await store.flush().catch(deps.onError);
  return { ok: true, hash, number, isBest };
};

const findFinalizable = async ({ tree, view }: Deps, hash: BlockHash): Promise<TreeBlock> => {
  const target = tree.get(hash);
  if (target !== null) return target;
  const header = await view.loadHeader(hash);
  if (header === null) throw new NodeError('UnknownBlock', `Header was not found in the database: ${hash}`);
  const floor = tree.finalized().number;
  throw new NodeError('NotFinalizable', `Block #${header.number} is not above the finalized block #${floor}`);
};

/**
 * Finality moves forward only. A block off the best chain becomes best with it.
 * Throws `UnknownBlock`, `NotFinalizable`, `BadJustification`.
 */
export const finalizeBlock = async (
  deps: Deps,
  hash: BlockHash,
  justification: Justification | null,
): Promise<void> => {
  const { tree } = deps;
  const target = await findFinalizable(deps, hash);
  if (target.hash === tree.finalized().hash) return;
  const step = await deps.finality.finalizeBlock(deps.finalityView, target, justification);
  if (!step.ok) throw new NodeError(step.code, step.message);
  const draft = createDraft();
  step.stage(draft);
  if (step.justification !== null) putJustification(draft, hash, step.justification);
  const oldBest = tree.best();
  const keepsBest = tree.isDescendant(oldBest.hash, hash);
  const route = keepsBest ? unmoved : tree.route(oldBest.hash, hash);
  if (!keepsBest) {
    const enacted = route.enacted.map((item) => tree.get(item) as TreeBlock);
    putNumbers(draft, enacted, oldBest, target);
  }
  const leaves = leavesOf(tree).filter((leaf) => tree.isDescendant(leaf, hash));
  putChainRecord(draft, deps.identity, { best: keepsBest ? oldBest : target, finalized: target, leaves });
  await deps.db.write(draft);
  if (step.justification !== null) deps.view.forgetBlocks([hash]);
  step.accept();
  if (!keepsBest) tree.setBest(hash);
  await tellFinal(deps, target, step.justification, tree.finalize(hash), route);
};

/** What a timer asks for: the block may have left the best chain since, and then nothing happens. */
export const finalizeIfBest = async (deps: Deps, hash: BlockHash): Promise<void> => {
  const { tree } = deps;
  if (tree.get(hash) !== null && tree.isDescendant(tree.best().hash, hash))
    await finalizeBlock(deps, hash, null);
};
