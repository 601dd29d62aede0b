import { bytesToKey } from '../bytes/bytes.ts';
import type { ExtrinsicHash } from '../codec/identity.ts';

/** TransactionSource of the runtime: InBlock, Local, External (RPC.md §1.5). */
export type TransactionSource = 0 | 1 | 2;

/**
 * What the runtime says of a transaction at the best block; `error` is SCALE InvalidTransaction or
 * UnknownTransaction, `trap` how the runtime's code ended.
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

/** A transaction the pool holds. Tags are keys made by `bytesToKey`, without repetitions. */
export type PoolTransaction = {
  readonly hash: ExtrinsicHash;
  /** Whole, with its length prefix; never written to. */
  readonly extrinsic: Uint8Array;
  readonly source: TransactionSource;
  readonly priority: bigint;
  readonly requires: readonly string[];
  readonly provides: readonly string[];
  /** The first block number at which it is no longer valid. */
  readonly validTill: bigint;
  readonly propagate: boolean;
  /** Grows by one per transaction; the earlier goes first among equals. */
  readonly insertionId: number;
};

export const maxU64 = 0xffff_ffff_ffff_ffffn;

export const addSaturating = (a: bigint, b: bigint): bigint => (a + b > maxU64 ? maxU64 : a + b);

/** Tags as map keys, each once. */
export const tagsToKeys = (tags: readonly Uint8Array[]): string[] => [...new Set(tags.map(bytesToKey))];

/**
 * Block-building order among available transactions: high priority, then the one that expires first, then the
 * earlier (RPC.md §6.3).
 */
export const compareForBlock = (a: PoolTransaction, b: PoolTransaction): number => {
  if (a.priority !== b.priority) return a.priority > b.priority ? -1 : 1;
  if (a.validTill !== b.validTill) return a.validTill < b.validTill ? -1 : 1;
  return a.insertionId - b.insertionId;
};

/** Eviction order: low priority, then the earlier (RPC.md §6.3). */
export const compareForEviction = (a: PoolTransaction, b: PoolTransaction): number => {
  if (a.priority !== b.priority) return a.priority < b.priority ? -1 : 1;
  return a.insertionId - b.insertionId;
};
