import type { ExtrinsicHash } from '../codec/identity.ts';
import type { Bans } from './bans.ts';
import type { Changes, Limits, TransactionGraph } from './graph.ts';
import {
  addSaturating,
  compareForEviction,
  type PoolTransaction,
  type TransactionSource,
  tagsToKeys,
  type ValidateResult,
  type ValidTransaction,
} from './transaction.ts';
import type { Watchers } from './watchers.ts';

export type Refusal =
  | 'invalid'
  | 'unknown'
  | 'banned'
  | 'alreadyImported'
  | 'tooLowPriority'
  | 'cycle'
  | 'immediatelyDropped'
  | 'noTags'
  | 'unactionable'
  | 'futureRejected'
  | 'failed';

/**
 * `error` is the runtime's SCALE error, `trap` how its code failed, `old` and `new` the priorities for
 * `tooLowPriority`.
 */
export type SubmitResult =
  | { readonly ok: true; readonly hash: ExtrinsicHash }
  | {
      readonly ok: false;
      readonly reason: Refusal;
      readonly error?: Uint8Array;
      readonly message?: string;
      readonly trap?: string;
      readonly old?: bigint;
      readonly new?: bigint;
    };

export type Validate = (extrinsic: Uint8Array, source: TransactionSource) => Promise<ValidateResult>;

export type EntryDeps = {
  readonly graph: TransactionGraph;
  readonly bans: Bans;
  readonly watchers: Watchers;
  readonly validate: Validate;
  readonly bestNumber: () => number;
  /** Changes whenever a block has changed the pool. */
  readonly generation: () => number;
  readonly emitReady: (transaction: PoolTransaction) => void;
};

export type EntryOptions = {
  readonly limits: Limits;
  readonly acceptFuture: boolean;
  readonly isAuthor: () => boolean;
};

/** Adds validated transactions to the graph and notifies the watchers of all affected ones. */
export type Entry = {
  /** Whether both queues together have room for one more transaction of this size. */
  fits(bytes: number): boolean;
  /** Validates at the best block, and again if a block arrived in the meantime. */
  check(
    extrinsic: Uint8Array,
    source: TransactionSource,
  ): Promise<{ readonly result: ValidateResult; readonly atNumber: number }>;
  build(
    from: {
      readonly hash: ExtrinsicHash;
      readonly extrinsic: Uint8Array;
      readonly source: TransactionSource;
    },
    valid: ValidTransaction,
    atNumber: number,
    insertionId?: number,
  ): PoolTransaction;
  /**
   * `previous` is the queue from which the transaction was removed to be added again; watchers are only
   * notified of a change. The caller handles a refusal.
   */
  enter(transaction: PoolTransaction, previous?: 'ready' | 'future' | null): SubmitResult;
  /** Notifies watchers of promoted, failed and replaced transactions. */
  announce(changes: Changes): void;
};

const invalid = { kind: 'invalid' } as const;
const ready = { kind: 'ready' } as const;
const future = { kind: 'future' } as const;
const dropped = { kind: 'dropped' } as const;

/** A block may arrive during each validation. After this many attempts, the last result is used. */
const maxChecks = 3;

const createCheck =
  ({ validate, bestNumber, generation }: EntryDeps): Entry['check'] =>
  async (extrinsic, source) => {
    for (let round = 1; ; round++) {
      const before = generation();
      const atNumber = bestNumber();
      const result = await validate(extrinsic, source);
      if (round === maxChecks || generation() === before) return { result, atNumber };
    }
  };

/**
 * Once both queues together are full, the SDK's pool prefers its transactions over newcomers of the same
 * priority. A newcomer of higher priority replaces the worst, which is not banned (sc-transaction-pool,
 * `try_insert_with_replacement`).
 */
const createRoom =
  ({ graph, watchers }: EntryDeps, fits: Entry['fits'], { ready, future }: Limits) =>
  ({ priority, extrinsic: { length } }: PoolTransaction): boolean => {
    if (fits(length)) return true;
    let bytes = ready.bytes + future.bytes - graph.ready.bytes - graph.future.bytes;
    const replaced: ExtrinsicHash[] = [];
    // The lists are sorted by ascending priority, so only the evicted entries are visited.
    for (let ofReady = 0; replaced.length === 0 || length > bytes; ) {
      const one = graph.ready.worst(ofReady);
      const other = graph.future.worst(replaced.length - ofReady);
      const isReady = other === undefined || (one !== undefined && compareForEviction(one, other) < 0);
      const worst = isReady ? one : other;
      if (worst === undefined || worst.priority >= priority) break;
      if (isReady) ofReady++;
      bytes += worst.extrinsic.length;
      replaced.push(worst.hash);
    }
    if (replaced.length === 0 || length > bytes) return false;
    for (const { hash } of graph.removeSubtree(replaced)) watchers.notify(hash, dropped);
    return true;
  };

/** Creates the part that admits transactions to the pool. */
export const createEntry = (deps: EntryDeps, options: EntryOptions): Entry => {
  const { graph, bans, watchers } = deps;
  let nextId = 1;
  const notifyReady = (transaction: PoolTransaction): void => {
    watchers.notify(transaction.hash, ready);
    deps.emitReady(transaction);
  };
  const announce = ({ failed, usurped, promoted }: Changes): void => {
    for (const { hash } of failed) watchers.notify(hash, invalid);
    for (const [{ hash }, by] of usurped) watchers.notify(hash, { kind: 'usurped', by });
    for (const transaction of promoted)
      if (graph.ready.get(transaction.hash) !== undefined) notifyReady(transaction);
  };
  const evict = (): ReadonlySet<ExtrinsicHash> => {
    const evicted = new Set(graph.enforceLimits(options.limits).map(({ hash }) => hash));
    for (const hash of evicted) bans.ban(hash);
    return evicted;
  };
  const { limits } = options;
  const fits = (bytes: number): boolean =>
    graph.ready.size + graph.future.size < limits.ready.count + limits.future.count &&
    bytes + graph.ready.bytes + graph.future.bytes <= limits.ready.bytes + limits.future.bytes;
  const makeRoom = createRoom(deps, fits, limits);
  return {
    fits,
    check: createCheck(deps),
    build: ({ hash, extrinsic, source }, valid, atNumber, insertionId) => ({
      hash,
      extrinsic,
      source,
      priority: valid.priority,
      requires: tagsToKeys(valid.requires),
      provides: tagsToKeys(valid.provides),
      validTill: addSaturating(BigInt(atNumber), valid.longevity),
      propagate: valid.propagate,
      insertionId: insertionId ?? nextId++,
    }),
    enter: (transaction, previous = null) => {
      const { hash } = transaction;
      if (transaction.provides.length === 0) return { ok: false, reason: 'noTags' };
      if (!transaction.propagate && !options.isAuthor()) return { ok: false, reason: 'unactionable' };
      if (!makeRoom(transaction)) return { ok: false, reason: 'immediatelyDropped' };
      const outcome = graph.import(transaction, options.acceptFuture);
      if (outcome.kind === 'tooLowPriority') {
        return { ok: false, reason: outcome.kind, old: outcome.old, new: transaction.priority };
      }
      if (outcome.kind !== 'ready' && outcome.kind !== 'future') return { ok: false, reason: outcome.kind };
      const evicted = evict();
      const stays = !evicted.has(hash);
      // Notifies its own watchers first, then those of affected transactions.
      if (stays && outcome.kind !== previous) {
        if (outcome.kind === 'ready') notifyReady(transaction);
        else watchers.notify(hash, future);
      }
      if (outcome.kind === 'ready') announce(outcome);
      for (const other of evicted) if (other !== hash) watchers.notify(other, dropped);
      return stays ? { ok: true, hash } : { ok: false, reason: 'immediatelyDropped' };
    },
    announce,
  };
};
