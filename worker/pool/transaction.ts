import { bytesToKey } from '../bytes/bytes.ts';
import type { ExtrinsicHash } from '../codec/identity.ts';

/** TransactionSource of the runtime: InBlock, Local, External. */
export type TransactionSource = 0 | 1 | 2;

/**
 * The runtime's verdict on a transaction at the best block. `error` is SCALE InvalidTransaction or
 * UnknownTransaction, `trap` how the runtime's code failed.
 */
export type ValidateResult =
  | ValidTransaction
  | { readonly kind: 'invalid'; readonly error: Uint8Array }
  | { readonly kind: 'unknown'; readonly error: Uint8Array }
  | { readonly kind: 'failed'; readonly message: string; readonly trap?: string };

export type ValidTransaction = {
  readonly kind: 'valid';
  readonly priority: bigint;
  readonly requires: readonly Uint8Array[];
  readonly provides: readonly Uint8Array[];
  readonly longevity: bigint;
  readonly propagate: boolean;
};

/** A transaction in a snapshot or on disk. */
export type PoolEntry = { readonly extrinsic: Uint8Array; readonly source: TransactionSource };

/** Called for each transaction that enters or leaves a queue. */
export type OnChange = (transaction: PoolTransaction) => void;

/** A transaction in the pool. Tags are keys made by `bytesToKey`, without duplicates. */
export type PoolTransaction = {
  readonly hash: ExtrinsicHash;
  /** The complete extrinsic, with its length prefix. Never modified. */
  readonly extrinsic: Uint8Array;
  readonly requires: readonly string[];
  readonly provides: readonly string[];
  readonly source: TransactionSource;
  readonly priority: bigint;
  /** The first block number at which it is no longer valid. */
  readonly validTill: bigint;
  readonly propagate: boolean;
  /** Increases with each transaction. Of otherwise equal ones, the earlier goes first. */
  readonly insertionId: number;
};

export const maxU64 = 0xffff_ffff_ffff_ffffn;

export const addSaturating = (a: bigint, b: bigint): bigint => (a + b > maxU64 ? maxU64 : a + b);

/** Tags as map keys, each once. */
export const tagsToKeys = (tags: readonly Uint8Array[]): string[] => [...new Set(tags.map(bytesToKey))];

/** Block-building order of available transactions: higher priority, then earlier expiry, then age. */
export const compareForBlock = (a: PoolTransaction, b: PoolTransaction): number => {
  if (a.priority !== b.priority) return a.priority > b.priority ? -1 : 1;
  if (a.validTill !== b.validTill) return a.validTill < b.validTill ? -1 : 1;
  return a.insertionId - b.insertionId;
};

/** Eviction order: lower priority, then age. */
export const compareForEviction = (a: PoolTransaction, b: PoolTransaction): number => {
  if (a.priority !== b.priority) return a.priority < b.priority ? -1 : 1;
  return a.insertionId - b.insertionId;
};
