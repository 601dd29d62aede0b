import { type Refusal, refuse } from '../chain/refusal.ts';
import type { ExtrinsicHash } from '../codec/identity.ts';
import type { Executor } from '../executor/executor.ts';
import type { Pool, PoolTransaction } from '../pool/pool.ts';
import { type Candidates, type LeftReason, type Proposal, warning } from './proposer.ts';

/** A ready transaction that the block did not include. */
export type Left = { readonly hash: ExtrinsicHash; readonly reason: LeftReason };

/** A transaction passed by the caller, not from the pool. */
type Given = { readonly hash: null; readonly extrinsic: Uint8Array };

/** In this order. */
export const given = (transactions: readonly Uint8Array[]): Candidates<Given> =>
  Object.assign(
    transactions.map((extrinsic): Given => ({ hash: null, extrinsic })),
    { skipDependents: () => undefined },
  );

export type GivenOrOfPool = PoolTransaction | Given;

/** The transactions were to be in the block, and are not. */
export const refusedGiven = (
  transactions: readonly Uint8Array[],
  { included, unread }: Proposal<GivenOrOfPool>,
): Refusal => {
  const [lost] = unread;
  if (lost !== undefined) return refuse(lost[1].code, lost[1].message);
  const taken = new Set(included.map(({ extrinsic }) => extrinsic));
  const index = transactions.findIndex((extrinsic) => !taken.has(extrinsic));
  const why = `Transaction ${index} is refused by the runtime or does not fit: no block was sealed`;
  return refuse('BadExtrinsic', why);
};

/** Those that were ready before the block and are after it. */
export const listLeft = (
  before: readonly ExtrinsicHash[],
  now: Iterable<PoolTransaction>,
  { left, rest }: Proposal<GivenOrOfPool>,
): Left[] => {
  const still = new Set([...now].map(({ hash }) => hash));
  const reasons = new Map(left.map(([{ hash }, reason]) => [hash, reason]));
  return before
    .filter((hash) => still.has(hash))
    .map((hash) => ({ hash, reason: reasons.get(hash) ?? rest }));
};

/**
 * The pool's transactions that no block may include any more. One that is stale on another branch than the best one
 * stays in the pool (sc-transaction-pool, `fork_aware_txpool/view_store.rs`, `report_invalid`).
 */
export const refusedOnBest = (
  { invalid, left }: Proposal<GivenOrOfPool>,
  isBest: boolean,
): ExtrinsicHash[] => {
  const stale = left.flatMap(([one, reason]) => (isBest && reason === 'stale' ? [one] : []));
  return [...invalid, ...stale].flatMap(({ hash }) => (hash === null ? [] : [hash]));
};

/** In so many blocks a transaction is tried whose state cannot be read now. */
const mostTries = 3;

/**
 * Takes transactions out of the pool that no block can include, because they need a state that is lost, or that could not be
 * read for several blocks. Otherwise each block would wait for it. Notes the first time that one is left out.
 */
export const createUnread = ({
  pool,
  executor,
}: {
  readonly pool: Pick<Pool, 'drop'>;
  readonly executor: Pick<Executor, 'note'>;
}) => {
  const tries = new WeakMap<PoolTransaction, number>();
  return ({ unread }: Proposal<GivenOrOfPool>, block: number): void => {
    for (const [transaction, { code, message }] of unread) {
      if (transaction.hash === null) continue;
      const count = (tries.get(transaction) ?? 0) + 1;
      tries.set(transaction, count);
      const isDropped = code === 'NotCached' || count === mostTries;
      if (isDropped) pool.drop([transaction.hash], `${code}: ${message}`);
      const fate = isDropped ? 'is taken out of the pool' : 'is left out of the block';
      const text = `Transaction ${transaction.hash} ${fate}. ${code}: ${message}`;
      if (isDropped || count === 1) executor.note({ level: warning, target: 'author', message: text, block });
    }
  };
};
