import type { BlockHash } from '../codec/identity.ts';
import { createBatch, type Database } from '../db/database.ts';
import { readHashAt } from './best-chain.ts';
import type { StatePruning } from './state-pruning.ts';
import { deleteBlocks } from './store.ts';
import type { BlockTree } from './tree.ts';
import type { ChainView } from './view.ts';

/**
 * Which of these blocks, pruned by finality, are still needed: snapshots depend on them, or clients have them
 * pinned.
 */
export type Keep = (lost: readonly BlockHash[]) => Promise<ReadonlySet<BlockHash>>;

export type LostBranches = {
  /** All registered `keep` functions apply. */
  addKeep(keep: Keep): void;
  /** Deletes the blocks that are no longer needed. */
  discard(hashes: readonly BlockHash[]): Promise<void>;
  /**
   * The same, once `heard` resolves: the pool reads the bodies. A crash before that leaves the blocks
   * unreachable but harmless. A failed deletion is reported and retried with the next blocks; finality is not
   * undone.
   */
  discardAfter(heard: Promise<void>, pruned: readonly BlockHash[]): Promise<void>;
};

type Deps = {
  readonly db: Database;
  readonly tree: BlockTree;
  readonly pruning: StatePruning;
  readonly view: Pick<ChainView, 'loadHeader' | 'forgetBlocks'>;
  /** Keeps all of them (`--blocks-pruning archive`). */
  readonly keepsLostBranches?: boolean;
  readonly onError: (error: unknown) => void;
};

export const createLostBranches = (deps: Deps): LostBranches => {
  const { db, tree, view, pruning, onError } = deps;
  const keeps: Keep[] = deps.keepsLostBranches === true ? [async (lost) => new Set(lost)] : [];
  let overdue: BlockHash[] = [];

  const discard = async (hashes: readonly BlockHash[]): Promise<void> => {
    const kept = new Set((await Promise.all(keeps.map((keep) => keep(hashes)))).flatMap((some) => [...some]));
    const lost: BlockHash[] = [];
    for (const hash of hashes) {
      const header = await view.loadHeader(hash);
      // The head may have been moved there since.
      if (header === null || kept.has(hash) || tree.get(hash) !== null) continue;
      if ((await readHashAt(db, header.number)) !== hash) lost.push(hash);
    }
    if (lost.length === 0) return;
    const batch = createBatch();
    deleteBlocks(batch, lost);
    const accept = await pruning.stageLost(batch, lost);
    await db.write(batch);
    accept();
    view.forgetBlocks(lost);
  };

  return {
    addKeep: (keep) => void keeps.push(keep),
    discard,
    discardAfter: async (heard, pruned) => {
      if (pruned.length + overdue.length === 0) return;
      await heard;
      const lost = [...overdue, ...pruned];
      overdue = [];
      await discard(lost).catch((error: unknown) => {
        overdue = [...lost, ...overdue];
        onError(error);
      });
    },
  };
};
