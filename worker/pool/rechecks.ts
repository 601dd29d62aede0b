import type { NodeError } from '../../src/protocol/errors.ts';
import { isOriginFault } from '../chain/refusal.ts';
import type { ExtrinsicHash } from '../codec/identity.ts';
import type { Bans } from './bans.ts';
import type { Entry } from './entry.ts';
import type { TransactionGraph } from './graph.ts';
import type { PoolTransaction } from './transaction.ts';
import type { Watchers } from './watchers.ts';

export type MaintenanceDeps = {
  readonly graph: TransactionGraph;
  readonly bans: Bans;
  readonly watchers: Watchers;
  readonly entry: Entry;
  readonly hashOf: (extrinsic: Uint8Array) => ExtrinsicHash;
  readonly isClosed: () => boolean;
};

/**
 * Validations of transactions that are in the pool, were in it, or return from the chain. None of them checks
 * bans first.
 */
export type Rechecks = {
  /** Revalidates a retracted extrinsic and adds it again. */
  resubmit(extrinsic: Uint8Array): Promise<void>;
  /** Revalidates a transaction that a block displaced without including it, and adds it again or ends it. */
  redo(transaction: PoolTransaction, previous: 'ready' | 'future'): Promise<void>;
  /** Revalidates a transaction in the pool. */
  recheck(hash: ExtrinsicHash): Promise<void>;
};

/** InvalidTransaction::Stale. */
const staleError = 3;

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((tag, i) => tag === b[i]);

const isUnchanged = (a: PoolTransaction, b: PoolTransaction): boolean =>
  a.priority === b.priority &&
  a.validTill === b.validTill &&
  a.propagate === b.propagate &&
  sameTags(a.requires, b.requires) &&
  sameTags(a.provides, b.provides);

/**
 * Creates the checks. `isIncluded` returns whether a block included the transaction while a result was awaited.
 */
export const createRechecks = (
  deps: MaintenanceDeps,
  isIncluded: (hash: ExtrinsicHash) => boolean,
  remove: (hashes: readonly ExtrinsicHash[], ban: boolean) => void,
): Rechecks => {
  const { graph, bans, watchers, entry } = deps;
  /** Adds a removed transaction again; a refusal is its final status. */
  const putBack = (transaction: PoolTransaction, previous: 'ready' | 'future' | null): void => {
    if (graph.get(transaction.hash) !== undefined || isIncluded(transaction.hash)) return;
    const result = entry.enter(transaction, previous);
    if (!result.ok)
      watchers.notify(transaction.hash, {
        kind: result.reason === 'immediatelyDropped' ? 'dropped' : 'invalid',
      });
  };
  /** On a fork, what a validation reads may not be to be had, which is no verdict on the transaction. */
  const check = async ({ extrinsic, source }: Pick<PoolTransaction, 'extrinsic' | 'source'>) => {
    try {
      return await entry.check(extrinsic, source);
    } catch (error) {
      if (!isOriginFault(error)) throw error;
      return { result: { kind: 'unread', error } as const, atNumber: 0 };
    }
  };
  const drop = (hash: ExtrinsicHash, { code, message }: NodeError): void =>
    watchers.notify(hash, { kind: 'dropped', why: `${code}: ${message}` });
  const refuse = (hash: ExtrinsicHash): void => {
    bans.ban(hash);
    watchers.notify(hash, { kind: 'invalid' });
  };
  const redo = async (transaction: PoolTransaction, previous: 'ready' | 'future'): Promise<void> => {
    const { result, atNumber } = await check(transaction);
    const { hash, insertionId } = transaction;
    if (deps.isClosed() || graph.get(hash) !== undefined || isIncluded(hash)) return;
    // Unknown validity is not a verdict, so nothing changes.
    if (result.kind === 'valid') putBack(entry.build(transaction, result, atNumber, insertionId), previous);
    else if (result.kind === 'unknown' || result.kind === 'unread') putBack(transaction, previous);
    else refuse(hash);
  };
  const resubmit = async (extrinsic: Uint8Array): Promise<void> => {
    const hash = deps.hashOf(extrinsic);
    if (graph.get(hash) !== undefined || isIncluded(hash)) return;
    const { result, atNumber } = await check({ extrinsic, source: 2 });
    if (deps.isClosed() || graph.get(hash) !== undefined || isIncluded(hash)) return;
    if (result.kind === 'valid') putBack(entry.build({ hash, extrinsic, source: 2 }, result, atNumber), null);
    else if (result.kind === 'unread') drop(hash, result.error);
    else refuse(hash);
  };
  /**
   * Removes a stale transaction. The chain contains another one with its tags, so its dependents may still be
   * valid.
   */
  const retire = async ({ hash }: PoolTransaction): Promise<void> => {
    const [, ...dependents] = graph.removeSubtree([hash]);
    refuse(hash);
    for (const dependent of dependents) await redo(dependent, 'ready');
  };
  const recheck = async (hash: ExtrinsicHash): Promise<void> => {
    const before = graph.get(hash);
    if (before === undefined) return;
    const { result, atNumber } = await check(before);
    if (deps.isClosed() || graph.get(hash) !== before) return;
    if (result.kind === 'unknown' || result.kind === 'unread') return;
    if (result.kind === 'invalid' && result.error[0] === staleError) return retire(before);
    if (result.kind !== 'valid') {
      remove([hash], true);
      return;
    }
    const after = entry.build(before, result, atNumber, before.insertionId);
    if (isUnchanged(before, after)) return;
    const previous = graph.future.get(hash) === undefined ? 'ready' : 'future';
    const [, ...dependents] = graph.removeSubtree([hash]);
    putBack(after, previous);
    for (const dependent of dependents) putBack(dependent, 'ready');
  };
  return { resubmit, redo, recheck };
};
