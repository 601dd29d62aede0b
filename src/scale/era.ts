import type { DecodedExtrinsic } from './extrinsic.ts';
import { readEra } from './names.ts';

/** The first and the last block that can include a mortal transaction. */
export type Era = { readonly birth: number; readonly until: number };

/**
 * The blocks that can include a transaction with this period and phase, of which the one with the number `current` is
 * one: from its birth on, and before `birth + period` (sp_runtime::generic::Era, `birth` and `death`).
 */
export const eraAt = (period: number, phase: number, current: number): Era => {
  const birth = Math.floor((Math.max(current, phase) - phase) / period) * period + phase;
  return { birth, until: birth + period - 1 };
};

/** The era of a transaction while the best block has the number `best`; undefined if it is immortal. */
export const eraIn = (
  { extensions }: Pick<DecodedExtrinsic, 'extensions'>,
  best: number,
): Era | undefined => {
  const era = readEra(extensions.find(({ name }) => /^Check(Mort|Era)/.test(name))?.value);
  return era === null ? undefined : eraAt(era.period, era.phase, best);
};

/**
 * Whether a signature is also valid on the chain with which a fork shares its blocks up to the base: it covers the hash of
 * the block at which the transaction's validity begins, or of block 0 if it never ends.
 */
export const isSharedEra = (era: Era | undefined, base: number): boolean =>
  era === undefined || era.birth <= base;

type BlockAt = { readonly number: number; readonly hash: string };

/**
 * The block at which our own mortal transactions begin: the parent of the best block, as the state of the best block does
 * not have its own hash yet. On a fork, it is a block of the fork as soon as there is one, so that nobody can submit the
 * transaction to the live chain. `base` is that of the fork, null for other chains.
 */
export const birthOf = (best: BlockAt, parentHash: string, base: number | null): BlockAt =>
  best.number === 0 || (base !== null && best.number - 1 <= base)
    ? best
    : { number: best.number - 1, hash: parentHash };
