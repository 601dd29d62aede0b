import { type BlockHash, bytesToExtrinsicHash, type ExtrinsicHash } from '../codec/identity.ts';
import { createBans } from './bans.ts';
import { createEntry, type SubmitResult, type Validate } from './entry.ts';
import { createFill } from './fill.ts';
import { countsOf, createTransactionGraph, type Limits, type PoolCounts } from './graph.ts';
import { createMaintenance, type PoolBlockEvent } from './maintenance.ts';
import type { ReadyIteration } from './ready.ts';
import { createRevalidation, defaultRevalidation, type RevalidationOptions } from './revalidation.ts';
import { defaultBanMs, defaultLimits } from './settings.ts';
import { createSubmit } from './submit.ts';
import type {
  OnChange,
  PoolEntry,
  PoolTransaction,
  TransactionSource,
  ValidateResult,
} from './transaction.ts';
import { createWatchers, type TransactionStatus, type Watcher } from './watchers.ts';

export type {
  PoolBlockEvent,
  PoolEntry,
  PoolTransaction,
  ReadyIteration,
  SubmitResult,
  TransactionSource,
  TransactionStatus,
  ValidateResult,
};

export type PoolDeps = {
  /** Validates at the best block at the time of the call. */
  readonly validate: Validate;
  /** blake2b-256 of the whole extrinsic, its identity. */
  readonly hash: (extrinsic: Uint8Array) => Uint8Array;
  /** Milliseconds since 1970. Must not jump, because bans and checks of the pool are due after a time. */
  readonly now: () => number;
  readonly bestNumber: () => number;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Receives errors of validations in the background. */
  readonly onError?: (error: unknown) => void;
};

export type PoolOptions = {
  readonly limits?: Partial<Limits>;
  /** How long a transaction is banned; 0 disables bans. */
  readonly banMs?: number;
  readonly rejectFuture?: boolean;
  /** Whether this node authors; if not, transactions that may not be propagated are refused. */
  readonly isAuthor?: () => boolean;
  readonly maxFinalityBlocks?: number;
  readonly revalidation?: Partial<RevalidationOptions>;
};

const banListSize = 4096;
const finalityBlocks = 512;

/** The transaction pool. */
export type Pool = {
  /** Transactions of one client enter in the order in which they were submitted. */
  submit(extrinsic: Uint8Array, source: TransactionSource, client?: object): Promise<SubmitResult>;
  hashOf(extrinsic: Uint8Array): ExtrinsicHash;
  /**
   * The ready transactions in block-building order, lazily. Omits transactions removed meanwhile; does not
   * include those added meanwhile.
   */
  ready(): ReadyIteration;
  /** The transactions that wait for a tag, oldest first. */
  future(): PoolTransaction[];
  get(hash: ExtrinsicHash): PoolTransaction | null;
  /** The ready transaction that provides a tag, given as a key. */
  provider(tag: string): PoolTransaction | undefined;
  readyCount(): number;
  futureCount(): number;
  /** The ready extrinsics in order. Do not modify them. */
  pending(): Uint8Array[];
  /** Banned hashes with their expiry in milliseconds since 1970. */
  banned(): readonly (readonly [hash: ExtrinsicHash, untilMs: number])[];
  /** Removes the given ones and all that depend on them, in that order. Only the given ones are banned. */
  remove(hashes: readonly ExtrinsicHash[], ban: boolean): PoolTransaction[];
  /** Removes those that no block can include now, and their dependents, without bans. Watchers get `dropped`. */
  drop(hashes: readonly ExtrinsicHash[], why: string): void;
  /** Reports the current queue at once, if there is one, and each status from now on, until a final one. */
  watch(hash: ExtrinsicHash, watcher: Watcher): () => void;
  /** A transaction was sent to peers: its watchers get their ids. */
  broadcast(hash: ExtrinsicHash, peers: readonly string[]): void;
  /** Called for each transaction that becomes ready. */
  onReady(listener: (transaction: PoolTransaction) => void): () => void;
  /** Called for each transaction that enters or leaves one of the two queues. */
  onChange(listener: OnChange): () => void;
  /**
   * Processes a new best block: prunes, then resubmits. Events are processed one at a time. Other
   * transactions that a reorg may have invalidated are rechecked in the background afterwards, as in
   * sc-transaction-pool. Rejects only if `validate` throws.
   */
  onBlock(event: PoolBlockEvent): Promise<void>;
  onFinalized(hashes: readonly BlockHash[]): void;
  /** Empties the pool (watchers get `dropped`), then submits the transactions of a restored snapshot. */
  replace(transactions: readonly PoolEntry[]): Promise<void>;
  /** Submits stored transactions in order, until it is replaced or filled again. */
  fill(transactions: readonly PoolEntry[]): Promise<void>;
  /** Resolves when the list under way has been submitted. */
  filled(): Promise<void>;
  /** Revalidates the given transactions, or all. */
  revalidate(hashes?: readonly ExtrinsicHash[]): Promise<void>;
  /** Resolves when the background job is idle. */
  idle(): Promise<void>;
  status(): PoolCounts;
  close(): void;
};

const platformSleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const createParts = (deps: PoolDeps, options: PoolOptions) => {
  let closed = false;
  let generation = 0;
  const changed = new Set<OnChange>();
  const graph = createTransactionGraph((transaction) => {
    for (const listener of changed) listener(transaction);
  });
  const bans = createBans(deps, { banMs: options.banMs ?? defaultBanMs, maxSize: banListSize });
  const watchers = createWatchers({ maxBlocks: options.maxFinalityBlocks ?? finalityBlocks });
  const listeners = new Set<(transaction: PoolTransaction) => void>();
  const hashOf = (extrinsic: Uint8Array): ExtrinsicHash => bytesToExtrinsicHash(deps.hash(extrinsic));
  const isClosed = (): boolean => closed;
  const emitReady = (transaction: PoolTransaction): void => {
    for (const listener of [...listeners]) listener(transaction);
  };
  const entry = createEntry(
    {
      graph,
      bans,
      watchers,
      validate: deps.validate,
      bestNumber: deps.bestNumber,
      generation: () => generation,
      emitReady,
    },
    {
      limits: { ...defaultLimits, ...options.limits },
      acceptFuture: options.rejectFuture !== true,
      isAuthor: options.isAuthor ?? (() => true),
    },
  );
  const maintenance = createMaintenance({ graph, bans, watchers, entry, hashOf, isClosed });
  const list = (): ExtrinsicHash[] =>
    [...graph.future.values(), ...graph.ready.values()].map(({ hash }) => hash);
  const revalidation = createRevalidation(
    {
      list,
      revalidate: maintenance.revalidate,
      now: deps.now,
      sleep: deps.sleep ?? platformSleep,
      onError: deps.onError ?? (() => undefined),
    },
    { ...defaultRevalidation, ...options.revalidation },
  );
  const close = (): void => {
    closed = true;
    revalidation.close();
    watchers.clear();
    listeners.clear();
    changed.clear();
  };
  return {
    graph,
    bans,
    watchers,
    listeners,
    changed,
    hashOf,
    isClosed,
    entry,
    maintenance,
    list,
    revalidation,
    close,
    beginBlock: (): void => {
      generation++;
    },
  };
};

/** Creates an empty pool. */
export const createPool = (deps: PoolDeps, options: PoolOptions = {}): Pool => {
  const parts = createParts(deps, options);
  const { graph, watchers, listeners, maintenance, revalidation } = parts;
  let applying: Promise<unknown> = Promise.resolve();
  let tail: Promise<void> = Promise.resolve();
  const submit = createSubmit(parts);
  const filling = createFill(({ extrinsic, source }) => {
    parts.bans.lift(parts.hashOf(extrinsic));
    return submit(extrinsic, source);
  }, deps.onError);
  return {
    submit,
    hashOf: parts.hashOf,
    ready: () => graph.ready.iterate(),
    future: () => [...graph.future.values()],
    get: (hash) => graph.get(hash) ?? null,
    provider: graph.ready.provider,
    readyCount: () => graph.ready.size,
    futureCount: () => graph.future.size,
    pending: () => [...graph.ready.iterate()].map(({ extrinsic }) => extrinsic),
    banned: () => parts.bans.list(),
    remove: (hashes, ban) => maintenance.remove(hashes, ban),
    drop: maintenance.drop,
    watch: (hash, watcher) => {
      const end = watchers.watch(hash, watcher);
      if (graph.ready.get(hash) !== undefined) watcher({ kind: 'ready' });
      else if (graph.future.get(hash) !== undefined) watcher({ kind: 'future' });
      return end;
    },
    broadcast: (hash, peers) => watchers.notify(hash, { kind: 'broadcast', peers }),
    onReady: (listener) => {
      const own = (transaction: PoolTransaction): void => listener(transaction);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    onChange: (listener) => {
      parts.changed.add(listener);
      return () => void parts.changed.delete(listener);
    },
    onBlock: (event) => {
      if (parts.isClosed()) return Promise.resolve();
      parts.beginBlock();
      const applied = applying.then(() => maintenance.applyBlock(event));
      applying = applied.catch(() => undefined);
      const done = Promise.all([applied, tail]).then(async ([rest]) => {
        await maintenance.finish(rest);
        // Transactions without requirements on the retracted blocks may now conflict with resubmitted ones.
        revalidation.onBlock(event.number, rest.sawUnknown, rest.retracted.length > 0);
      });
      tail = done.catch(() => undefined);
      return done;
    },
    onFinalized: (hashes) => {
      for (const hash of hashes) watchers.finalized(hash);
    },
    replace: (transactions) =>
      filling.fill(transactions, () => {
        parts.beginBlock();
        for (const { hash } of graph.removeSubtree(parts.list())) watchers.notify(hash, { kind: 'dropped' });
      }),
    ...filling,
    revalidate: (hashes) => maintenance.revalidate(hashes ?? parts.list()),
    idle: async () => {
      await tail;
      await revalidation.idle();
    },
    status: () => countsOf(graph),
    close: parts.close,
  };
};
