import type { ExtrinsicHash } from '../codec/identity.ts';
import { createFutureQueue, type FutureQueue } from './future.ts';
import { createReadyQueue, type ReadyQueue } from './ready.ts';
import type { OnChange, PoolTransaction } from './transaction.ts';

/** The side effects of adding a transaction. */
export type Changes = {
  /** Moved from future to ready, in order. */
  readonly promoted: readonly PoolTransaction[];
  /** Taken from future, but refused by ready. */
  readonly failed: readonly PoolTransaction[];
  /** Evicted from ready, each with the transaction that replaced it. */
  readonly usurped: readonly (readonly [transaction: PoolTransaction, by: ExtrinsicHash])[];
};

export type ImportOutcome =
  | ({ readonly kind: 'ready' } & Changes)
  | { readonly kind: 'future' | 'cycle' | 'futureRejected' }
  | { readonly kind: 'tooLowPriority'; readonly old: bigint };

/** What a pruning removed from each queue, parents before the dependents that lost them. */
export type Pruned = {
  readonly fromReady: readonly PoolTransaction[];
  readonly fromFuture: readonly PoolTransaction[];
};

export type QueueLimit = { readonly count: number; readonly bytes: number };
export type Limits = { readonly ready: QueueLimit; readonly future: QueueLimit };

/** The sizes of the two queues. */
export type PoolCounts = Readonly<Record<'ready' | 'readyBytes' | 'future' | 'futureBytes', number>>;

/** The two queues and the rules between them. No clock, no hashing, no callbacks. */
export type TransactionGraph = {
  readonly ready: Pick<ReadyQueue, 'size' | 'bytes' | 'get' | 'provider' | 'worst' | 'iterate' | 'values'>;
  readonly future: Pick<FutureQueue, 'size' | 'bytes' | 'get' | 'worst' | 'values'>;
  get(hash: ExtrinsicHash): PoolTransaction | undefined;
  /** The hash must be new. A refusal leaves the graph unchanged. */
  import(transaction: PoolTransaction, acceptFuture: boolean): ImportOutcome;
  /**
   * A block spent these tags. Removes the transactions that provide them in either queue, those that these
   * require, and those left without a required tag. The tags satisfy requirements during this pruning and the
   * next one. A large block's tags are spent in steps, between which the graph is consistent and may change.
   */
  prune(tags: readonly string[]): Generator<void, Pruned & Changes>;
  /** Removes the given transactions and, from ready, everything that depends on them. */
  removeSubtree(hashes: Iterable<ExtrinsicHash>): PoolTransaction[];
  /** Evicts until both queues are within their limits. */
  enforceLimits(limits: Limits): PoolTransaction[];
};

type Queues = {
  readonly ready: ReadyQueue;
  readonly future: FutureQueue;
  readonly isSatisfied: (transaction: PoolTransaction) => boolean;
};
type MutableChanges = {
  promoted: PoolTransaction[];
  failed: PoolTransaction[];
  usurped: [PoolTransaction, ExtrinsicHash][];
};
type ReadyOutcome =
  | Exclude<ImportOutcome, { readonly kind: 'future' | 'futureRejected' }>
  | { readonly kind: 'cycle' };

/** Undoable changes of the queues, because a cycle may only be detected after some promotions. */
const createJournal = ({ ready, future }: Queues) => {
  const undos: (() => void)[] = [];
  return {
    insertReady: (transaction: PoolTransaction): void => {
      ready.insert(transaction);
      undos.push(() => ready.remove(transaction));
    },
    removeReady: (transaction: PoolTransaction): void => {
      ready.remove(transaction);
      undos.push(() => ready.insert(transaction));
    },
    removeFuture: (transaction: PoolTransaction): void => {
      if (future.remove(transaction)) undos.push(() => future.insert(transaction));
    },
    undo: (): void => {
      for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) undo();
    },
  };
};

/** Adds a satisfied transaction to ready and promotes what it unblocks, in order of arrival. */
const importReady = (queues: Queues, first: PoolTransaction): ReadyOutcome => {
  const { ready, future, isSatisfied } = queues;
  const journal = createJournal(queues);
  const changes: MutableChanges = { promoted: [], failed: [], usurped: [] };
  const waiting = [first];
  for (const transaction of waiting) {
    const isFirst = transaction === first;
    // An earlier step may have removed a transaction that this one depended on.
    if (!isFirst && (future.get(transaction.hash) === undefined || !isSatisfied(transaction))) continue;
    const plan = ready.planReplacement(transaction);
    if (isFirst && plan.kind !== 'ok') return plan.kind === 'cycle' ? { kind: 'cycle' } : plan;
    if (plan.kind !== 'tooLowPriority' && plan.replaced.includes(first)) {
      journal.undo();
      return { kind: 'cycle' };
    }
    journal.removeFuture(transaction);
    if (plan.kind !== 'ok') {
      changes.failed.push(transaction);
      continue;
    }
    for (const old of plan.replaced) {
      journal.removeReady(old);
      changes.usurped.push([old, transaction.hash]);
    }
    journal.insertReady(transaction);
    if (!isFirst) changes.promoted.push(transaction);
    waiting.push(...future.requiring(transaction.provides).filter(isSatisfied));
  }
  changes.promoted = changes.promoted.filter(({ hash }) => ready.get(hash) !== undefined);
  return { kind: 'ready', ...changes };
};

/** Promotes the future transactions that wait for one of the tags. */
const promote = (queues: Queues, tags: readonly string[]): Changes => {
  const all: MutableChanges = { promoted: [], failed: [], usurped: [] };
  for (const transaction of queues.future.requiring(tags)) {
    if (queues.future.get(transaction.hash) === undefined || !queues.isSatisfied(transaction)) continue;
    const outcome = importReady(queues, transaction);
    if (outcome.kind === 'ready') {
      all.promoted.push(transaction, ...outcome.promoted);
      all.failed.push(...outcome.failed);
      for (const [old, by] of outcome.usurped) all.usurped.push([old, by]);
    } else {
      queues.future.remove(transaction);
      all.failed.push(transaction);
    }
  }
  all.promoted = all.promoted.filter(({ hash }) => queues.ready.get(hash) !== undefined);
  return all;
};

/** How many tags are spent per step. */
const pruneStep = 256;

/** What is removed when the tags are spent; `kept` are the tags of the whole block. */
const findPruned = (
  { ready, future }: Queues,
  tags: readonly string[],
  kept: ReadonlySet<string>,
): Pruned => {
  const spent = new Set<PoolTransaction>();
  const addProviders = (names: readonly string[]): void => {
    for (const tag of names) {
      const provider = ready.provider(tag);
      if (provider !== undefined) spent.add(provider);
    }
  };
  addProviders(tags);
  // Iterating over a set includes elements added meanwhile, so the requirements of a spent transaction are
  // spent as well.
  for (const { requires } of spent) addProviders(requires);
  return { fromReady: ready.subtree(spent, kept), fromFuture: future.providing(tags) };
};

const enforce = (
  { ready, future }: Queues,
  limits: Limits,
  removeSubtree: TransactionGraph['removeSubtree'],
): PoolTransaction[] => {
  const evicted: PoolTransaction[] = [];
  while (ready.size > limits.ready.count || ready.bytes > limits.ready.bytes) {
    const worst = ready.worst();
    if (worst === undefined) break;
    evicted.push(...removeSubtree([worst.hash]));
  }
  while (future.size > limits.future.count || future.bytes > limits.future.bytes) {
    const oldest = future.oldest();
    if (oldest === undefined) break;
    future.remove(oldest);
    evicted.push(oldest);
  }
  return evicted;
};

/** Creates an empty graph. */
export const createTransactionGraph = (onChange?: OnChange): TransactionGraph => {
  const ready = createReadyQueue(onChange);
  const future = createFutureQueue(onChange);
  let prunedNow: ReadonlySet<string> = new Set();
  let prunedBefore: ReadonlySet<string> = new Set();
  const isSatisfied = (transaction: PoolTransaction): boolean =>
    transaction.requires.every(
      (tag) => ready.provider(tag) !== undefined || prunedNow.has(tag) || prunedBefore.has(tag),
    );
  const queues: Queues = { ready, future, isSatisfied };
  const removeSubtree = (hashes: Iterable<ExtrinsicHash>): PoolTransaction[] => {
    const named = [...hashes];
    const roots = named.flatMap((hash) => ready.get(hash) ?? []);
    const removed = ready.subtree(roots);
    ready.removeAll(removed);
    for (const hash of named) {
      const waiting = future.get(hash);
      if (waiting === undefined) continue;
      future.remove(waiting);
      removed.push(waiting);
    }
    return removed;
  };
  return {
    ready,
    future,
    get: (hash) => ready.get(hash) ?? future.get(hash),
    import: (transaction, acceptFuture) => {
      // A transaction that requires a tag it provides can never become ready.
      if (transaction.requires.some((tag) => transaction.provides.includes(tag))) return { kind: 'cycle' };
      if (isSatisfied(transaction)) return importReady(queues, transaction);
      if (!acceptFuture) return { kind: 'futureRejected' };
      future.insert(transaction);
      return { kind: 'future' };
    },
    prune: function* (tags) {
      prunedBefore = prunedNow;
      prunedNow = new Set(tags);
      const fromReady: PoolTransaction[] = [];
      const fromFuture: PoolTransaction[] = [];
      for (let from = 0; from < tags.length; from += pruneStep) {
        if (from > 0) yield;
        const pruned = findPruned(queues, tags.slice(from, from + pruneStep), prunedNow);
        ready.removeAll(pruned.fromReady);
        for (const transaction of pruned.fromFuture) future.remove(transaction);
        fromReady.push(...pruned.fromReady);
        fromFuture.push(...pruned.fromFuture);
      }
      return { fromReady, fromFuture, ...promote(queues, tags) };
    },
    removeSubtree,
    enforceLimits: (limits) => enforce(queues, limits, removeSubtree),
  };
};

export const countsOf = ({ ready, future }: TransactionGraph): PoolCounts => ({
  ready: ready.size,
  readyBytes: ready.bytes,
  future: future.size,
  futureBytes: future.bytes,
});
