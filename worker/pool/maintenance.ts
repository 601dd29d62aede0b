import { type BoundedMap, createBoundedMap } from '../bytes/bounded-map.ts';
import { Reader } from '../bytes/reader.ts';
import type { BlockHash, ExtrinsicHash } from '../codec/identity.ts';
import { type Pace, startPace } from '../tasks/pace.ts';
import type { TransactionGraph } from './graph.ts';
import { createRechecks, type MaintenanceDeps } from './rechecks.ts';
import type { PoolTransaction } from './transaction.ts';

export type BlockBody = { readonly hash: BlockHash; readonly extrinsics: readonly Uint8Array[] };

/**
 * A new best block: the blocks it adds to the best chain (ascending) and, after a reorg, those it removes.
 */
export type PoolBlockEvent = {
  readonly hash: BlockHash;
  readonly number: number;
  readonly enacted: readonly BlockBody[];
  readonly retracted: readonly BlockBody[];
  /**
   * False if the chain went back in time: the transactions of the retracted blocks never existed, and their
   * watchers get `dropped`.
   */
  readonly resubmit?: boolean;
};

/** The work left after a block event was applied, including validations. */
export type BlockRest = {
  readonly displaced: readonly (readonly [transaction: PoolTransaction, previous: 'ready' | 'future'])[];
  readonly retracted: readonly Uint8Array[];
  /** Whether a block contained signed extrinsics whose tags the pool does not know. */
  readonly sawUnknown: boolean;
};

export type Maintenance = {
  /** Applies retractions, prunings by tags, and expiries, in slices. Build the next block only afterwards. */
  applyBlock(event: PoolBlockEvent): Promise<BlockRest>;
  /** Resubmits retracted transactions, and those that the block displaced without including them. */
  finish(rest: BlockRest): Promise<void>;
  /**
   * Revalidates transactions in slices. A transaction that is now invalid is removed, with its dependents.
   */
  revalidate(hashes: readonly ExtrinsicHash[]): Promise<void>;
  /** Removes the given transactions and all that depend on them. Watchers get `invalid`. */
  remove(hashes: readonly ExtrinsicHash[], ban: boolean): PoolTransaction[];
  /** The same, without bans. Watchers get `dropped`. */
  drop(hashes: readonly ExtrinsicHash[], why: string): void;
};

/** Number of blocks whose extrinsic hashes are kept. A reorg is rarely longer. */
const recentBlocks = 64;

/**
 * Number of included hashes to remember, for the tags of blocks enacted again and for late validation
 * results.
 */
const maxIncluded = 16_384;

/**
 * Signed, so neither an inherent nor an unsigned transaction. The upper two bits of the version byte say which.
 */
export const isSigned = (extrinsic: Uint8Array): boolean => {
  const reader = new Reader(extrinsic);
  try {
    return (new Reader(reader.vecBytes()).u8() & 0xc0) !== 0;
  } catch {
    return false;
  }
};

const createIncluded = () => {
  const provides = createBoundedMap<ExtrinsicHash, readonly string[] | null>(maxIncluded);
  return {
    has: provides.has,
    add: provides.keep,
    /** Removes a hash from the included ones and returns its tags. */
    take: (hash: ExtrinsicHash): readonly string[] | null => {
      const tags = provides.get(hash) ?? null;
      provides.delete(hash);
      return tags;
    },
  };
};

type Included = ReturnType<typeof createIncluded>;
type Memory = {
  readonly included: Included;
  readonly retracted: Included;
  /** The extrinsic hashes of recent blocks, so that a reorg need not compute them again. */
  readonly blocks: BoundedMap<BlockHash, readonly ExtrinsicHash[]>;
};
type Displaced = (readonly [PoolTransaction, 'ready' | 'future'])[];

const prune = async (graph: TransactionGraph, tags: readonly string[], pace: Pace) => {
  const steps = graph.prune(tags);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pace.isDue()) await pace.pause();
  }
};

/** Prunes for one enacted block. Returns whether it contained unknown signed extrinsics. */
const enact = async (
  deps: MaintenanceDeps,
  { included, retracted, blocks }: Memory,
  block: BlockBody,
  displaced: Displaced,
  pace: Pace,
): Promise<boolean> => {
  const { graph, watchers, entry, bans } = deps;
  const hashes: ExtrinsicHash[] = [];
  const tags: string[] = [];
  let sawUnknown = false;
  let held = false;
  for (const extrinsic of block.extrinsics) {
    if (pace.isDue()) await pace.pause();
    const hash = deps.hashOf(extrinsic);
    hashes.push(hash);
    const provides = graph.get(hash)?.provides ?? retracted.take(hash);
    included.add(hash, provides);
    bans.lift(hash);
    held ||= provides !== null;
    if (provides !== null) tags.push(...provides);
    else sawUnknown ||= isSigned(extrinsic);
  }
  blocks.keep(block.hash, hashes);
  const pruned = await prune(graph, [...new Set(tags)], pace);
  for (const transaction of pruned.fromReady)
    if (!included.has(transaction.hash)) displaced.push([transaction, 'ready']);
  for (const transaction of pruned.fromFuture)
    if (!included.has(transaction.hash)) displaced.push([transaction, 'future']);
  watchers.included(block.hash, hashes, held);
  entry.announce(pruned);
  return sawUnknown;
};

/** Creates the part of the pool that follows the chain. */
export const createMaintenance = (deps: MaintenanceDeps): Maintenance => {
  const { graph, bans, watchers } = deps;
  const memory: Memory = {
    included: createIncluded(),
    retracted: createIncluded(),
    blocks: createBoundedMap(recentBlocks),
  };

  const remove = (hashes: readonly ExtrinsicHash[], ban: boolean): PoolTransaction[] => {
    const removed = graph.removeSubtree(hashes);
    if (ban) for (const hash of hashes) bans.ban(hash);
    for (const { hash } of removed) watchers.notify(hash, { kind: 'invalid' });
    return removed;
  };
  const expire = async (number: number, pace: Pace): Promise<void> => {
    const limit = BigInt(number);
    const old: ExtrinsicHash[] = [];
    for (const queue of [graph.ready, graph.future])
      for (const { hash, validTill } of queue.values()) {
        if (pace.isDue()) await pace.pause();
        if (validTill <= limit) old.push(hash);
      }
    if (old.length > 0) remove(old, true);
  };
  const { resubmit, redo, recheck } = createRechecks(deps, memory.included.has, remove);

  return {
    applyBlock: async (event) => {
      const pace = startPace();
      for (const { hash, extrinsics } of event.retracted) {
        watchers.retracted(hash);
        const known = memory.blocks.get(hash);
        for (const [index, extrinsic] of extrinsics.entries()) {
          if (pace.isDue()) await pace.pause();
          const name = known?.[index] ?? deps.hashOf(extrinsic);
          memory.retracted.add(name, memory.included.take(name));
          if (event.resubmit === false) watchers.notify(name, { kind: 'dropped' });
        }
      }
      const displaced: Displaced = [];
      let sawUnknown = false;
      for (const block of event.enacted)
        if (await enact(deps, memory, block, displaced, pace)) sawUnknown = true;
      await expire(event.number, pace);
      const retracted =
        event.resubmit === false
          ? []
          : event.retracted.flatMap(({ extrinsics }) => extrinsics.filter(isSigned));
      return { displaced, retracted, sawUnknown };
    },
    finish: async ({ displaced, retracted }) => {
      const pace = startPace();
      for (const extrinsic of retracted) {
        await resubmit(extrinsic);
        if (pace.isDue()) await pace.pause();
      }
      for (const [transaction, previous] of displaced) {
        await redo(transaction, previous);
        if (pace.isDue()) await pace.pause();
      }
    },
    revalidate: async (hashes) => {
      const pace = startPace();
      for (const hash of hashes) {
        if (deps.isClosed()) return;
        await recheck(hash);
        if (pace.isDue()) await pace.pause();
      }
    },
    remove,
    drop: (hashes, why) => {
      for (const { hash } of graph.removeSubtree(hashes)) watchers.notify(hash, { kind: 'dropped', why });
    },
  };
};
