import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { createBatch, type Database } from '../../db/database.ts';
import { deleteBlocks, readHashAt } from '../store.ts';
import type { BlockTree } from '../tree.ts';
import type { ChainView } from '../view.ts';
import type { StatePruning } from './state-pruning.ts';

/**
 * Which of these blocks, pruned by finality, are still needed: snapshots depend on them, or clients have them
 * pinned.
 */
export type RetainFilter = (lost: readonly BlockHash[]) => Promise<ReadonlySet<BlockHash>>;

export type PrunedBranches = {
  /** All registered `keep` functions apply. */
  addRetainFilter(keep: RetainFilter): void;
  /** Deletes the blocks that are no longer needed. */
  discard(hashes: readonly BlockHash[]): Promise<void>;
  /**
   * The same, after `notified` resolves, because the pool reads the bodies. A crash before that leaves the
   * blocks unreachable but harmless. A failed deletion is reported and retried with the next blocks; finality
   * is not undone.
   */
  discardAfter(notified: Promise<void>, pruned: readonly BlockHash[]): Promise<void>;
};

type Deps = {
  readonly db: Database;
  readonly tree: BlockTree;
  readonly pruning: StatePruning;
  readonly view: Pick<ChainView, 'loadHeader' | 'forgetBlocks'>;
  /** Keeps all of them (`--blocks-pruning archive`). */
  readonly keepsPrunedBranches?: boolean;
  readonly onError: (error: unknown) => void;
};

export const createPrunedBranches = (deps: Deps): PrunedBranches => {
  const { db, tree, view, pruning, onError } = deps;
  const retainFilters: RetainFilter[] = [];
  let overdue: BlockHash[] = [];

  /** Blocks kept only because a kept block descends from them. */
  let held: BlockHash[] = [];

  /** The kept blocks and their ancestors off the best chain. */
  const collectKept = async (hashes: readonly BlockHash[]): Promise<ReadonlySet<BlockHash>> => {
    const named = await Promise.all(retainFilters.map((keep) => keep(hashes)));
    const kept = new Set<BlockHash>();
    for (const start of named.flatMap((some) => [...some])) {
      let header = kept.has(start) ? null : await view.loadHeader(start);
      for (let hash = start; header !== null && header.number > 0 && !kept.has(hash); ) {
        if ((await readHashAt(db, header.number)) === hash) break;
        kept.add(hash);
        hash = bytesToBlockHash(header.parentHash);
        header = await view.loadHeader(hash);
      }
    }
    return kept;
  };

  const discard = async (candidates: readonly BlockHash[]): Promise<void> => {
    if (deps.keepsPrunedBranches === true) return;
    const hashes = [...new Set([...held, ...candidates])];
    const kept = await collectKept(hashes);
    const lost: BlockHash[] = [];
    for (const hash of hashes) {
      const header = await view.loadHeader(hash);
      // The head may have been moved there since.
      if (header === null || kept.has(hash) || tree.get(hash) !== null) continue;
      if ((await readHashAt(db, header.number)) !== hash) lost.push(hash);
    }
    held = hashes.filter((hash) => kept.has(hash));
    if (lost.length === 0) return;
    const batch = createBatch();
    deleteBlocks(batch, lost);
    const accept = await pruning.stageLost(batch, lost);
    await db.write(batch);
    accept();
    view.forgetBlocks(lost);
  };

  return {
    addRetainFilter: (keep) => void retainFilters.push(keep),
    discard,
    discardAfter: async (notified, pruned) => {
      if (pruned.length + overdue.length === 0) return;
      await notified;
      const lost = [...overdue, ...pruned];
      overdue = [];
      await discard(lost).catch((error: unknown) => {
        overdue = [...lost, ...overdue];
        onError(error);
      });
    },
  };
};
