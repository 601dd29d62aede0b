import { type Refusal, refuse } from '../../chain/refusal.ts';
import type { BlockRef } from '../../chain/tree.ts';
import type { WeightedAuthority } from '../../executor/runtime-api-consensus.ts';
import type { AnnouncedChange } from './codec.ts';

/** An announced change of the authority set that has not taken effect. */
export type PendingChange = AnnouncedChange & BlockRef;

/**
 * The voters, and pending changes to them (sc-consensus-grandpa `AuthoritySet`). A scheduled change takes
 * effect when a block at its height is finalized, a forced one when such a block is imported.
 */
export type AuthoritySet = {
  readonly setId: bigint;
  readonly authorities: readonly WeightedAuthority[];
  /** On all forks. */
  readonly scheduled: readonly PendingChange[];
  readonly forced: readonly PendingChange[];
  /** The last block of each earlier set, ascending. */
  readonly changes: readonly { readonly setId: bigint; readonly last: number }[];
  /** The last block finalized by a justification. */
  readonly justified: BlockRef | null;
};

/** Whether one block is a (strict) ancestor of another. */
export type IsBelow = (ancestor: BlockRef, block: BlockRef) => boolean;

export const effective = ({ number, delay }: PendingChange): number => number + delay;

export const isValidList = (authorities: readonly WeightedAuthority[]): boolean =>
  authorities.length > 0 && authorities.every(({ weight }) => weight > 0n);

export const createSet = (setId: bigint, authorities: readonly WeightedAuthority[]): AuthoritySet => ({
  setId,
  authorities,
  scheduled: [],
  forced: [],
  changes: [],
  justified: null,
});

const isOnPath = (isBelow: IsBelow, change: PendingChange, block: BlockRef): boolean =>
  change.hash === block.hash || isBelow(change, block);

type Result = { readonly ok: true; readonly set: AuthoritySet } | Refusal;

const announce = (set: AuthoritySet, change: PendingChange, isBelow: IsBelow): Result => {
  const bad = (what: string): Refusal => refuse('BadBlock', `Block #${change.number}: ${what}`);
  if (!isValidList(change.authorities))
    return bad('its change of the GRANDPA authority set names no authority or one without weight');
  if (change.medianFinalized === null)
    return { ok: true, set: { ...set, scheduled: [...set.scheduled, change] } };
  if (set.forced.some((other) => isBelow(other, change)))
    return bad('a second forced change of the GRANDPA authority set is pending on its branch');
  return { ok: true, set: { ...set, forced: [...set.forced, change] } };
};

const replaceSet = (
  set: AuthoritySet,
  change: PendingChange,
  last: number,
): Pick<AuthoritySet, 'setId' | 'authorities' | 'changes'> => ({
  setId: set.setId + 1n,
  authorities: change.authorities,
  changes: [...set.changes, { setId: set.setId, last }],
});

/**
 * A forced change due at the block's height. It invalidates the old set, so all other pending changes are
 * dropped.
 */
const applyForced = (set: AuthoritySet, block: BlockRef, isBelow: IsBelow): Result => {
  const due = set.forced.find(
    (change) => effective(change) === block.number && isOnPath(isBelow, change, block),
  );
  if (due === undefined) return { ok: true, set };
  const median = due.medianFinalized ?? 0;
  const first = set.scheduled.find((change) => isBelow(change, due));
  if (first !== undefined && effective(first) <= median)
    return refuse(
      'BadBlock',
      `Block #${block.number}: the forced change of the GRANDPA authority set waits for the one due at #${effective(first)}`,
    );
  return {
    ok: true,
    set: { ...set, ...replaceSet(set, due, median), scheduled: [], forced: [] },
  };
};

/**
 * Adds the change that a block announces, and applies a forced change that is due at the block. Before any
 * finality.
 */
export const importHeader = (
  set: AuthoritySet,
  block: BlockRef,
  change: AnnouncedChange | null,
  isBelow: IsBelow,
): Result => {
  const { hash, number } = block;
  const announced: Result =
    change === null ? { ok: true, set } : announce(set, { ...change, hash, number }, isBelow);
  return announced.ok ? applyForced(announced.set, block, isBelow) : announced;
};

/** Whether finalizing the block changes the set: now, only after another change ('later'), or not. */
export const enacts = (set: AuthoritySet, block: BlockRef, isBelow: IsBelow): 'now' | 'later' | 'no' => {
  const due = set.scheduled.find(
    (change) => effective(change) === block.number && isOnPath(isBelow, change, block),
  );
  if (due === undefined) return 'no';
  return set.scheduled.some((other) => isBelow(other, due)) ? 'later' : 'now';
};

/**
 * Whether a change was due before the block that no finalized block has enacted. If so, a set other than the
 * known one votes on the block.
 */
export const isBehind = (set: AuthoritySet, block: BlockRef, isBelow: IsBelow): boolean =>
  set.scheduled.some((change) => effective(change) < block.number && isBelow(change, block));

/**
 * Drops changes on abandoned forks. The SDK drops only those that depend on no other change, and the rest
 * together with the change they depend on. No block may follow them, so this affects no verdict. It is only
 * visible in the bytes of `sync_state_genSyncSpec`, and only if a runtime announced a change while another
 * was pending, which pallet-grandpa refuses, or a forced one on the abandoned fork.
 */
const dropLost = (
  changes: readonly PendingChange[],
  block: BlockRef,
  isBelow: IsBelow,
): readonly PendingChange[] => {
  const kept = changes.filter((change) => isOnPath(isBelow, change, block) || isBelow(block, change));
  return kept.length === changes.length ? changes : kept;
};

const take = (set: AuthoritySet, due: PendingChange, last: number): AuthoritySet => ({
  ...set,
  ...replaceSet(set, due, last),
  scheduled: set.scheduled.filter((change) => change !== due),
});

/**
 * Like `apply_standard_changes`: once a change was applied, a forced change stays only if it was announced
 * later.
 */
const prune = (set: AuthoritySet, block: BlockRef, isBelow: IsBelow, isTaken: boolean): AuthoritySet => {
  const scheduled = dropLost(set.scheduled, block, isBelow);
  const hasChanged =
    isTaken ||
    set.scheduled.some(
      (change) => !scheduled.includes(change) && !set.scheduled.some((other) => isBelow(other, change)),
    );
  const forced = hasChanged
    ? set.forced.filter((change) => isBelow(block, change))
    : dropLost(set.forced, block, isBelow);
  return scheduled === set.scheduled && forced === set.forced ? set : { ...set, scheduled, forced };
};

/** The changes enacted by finalizing a block, oldest first. */
const dueAt = (set: AuthoritySet, block: BlockRef, isBelow: IsBelow): PendingChange[] =>
  set.scheduled
    .filter((change) => effective(change) <= block.number && isOnPath(isBelow, change, block))
    .sort((a, b) => a.number - b.number);

/** A block was finalized by a justification. Voters never vote past a change, so two at once are refused. */
export const finalizeJustified = (set: AuthoritySet, block: BlockRef, isBelow: IsBelow): Result => {
  // Changes on one branch take effect in order of announcement, regardless of their heights.
  const first = set.scheduled.find((change) => isOnPath(isBelow, change, block));
  const due = first === undefined || effective(first) > block.number ? undefined : first;
  const past = due === undefined ? [] : set.scheduled.filter((other) => isBelow(due, other));
  if (past.some((other) => isOnPath(isBelow, other, block)))
    return refuse(
      'BadJustification',
      `Block #${block.number} cannot be finalized past a pending change of the GRANDPA authority set`,
    );
  const next = due === undefined ? set : take(set, due, block.number);
  const { hash, number } = block;
  return {
    ok: true,
    set: { ...prune(next, block, isBelow, due !== undefined), justified: { hash, number } },
  };
};

/**
 * Finalizes a block without a proof, by the operator or the seal mode. Each set ends where its change was
 * announced to take effect.
 */
export const finalizeUnjustified = (set: AuthoritySet, block: BlockRef, isBelow: IsBelow): AuthoritySet => {
  let next = set;
  for (const due of dueAt(set, block, isBelow)) next = take(next, due, effective(due));
  return prune(next, block, isBelow, next !== set);
};

export type SetOfBlock =
  | { readonly kind: 'latest' }
  | { readonly kind: 'past'; readonly setId: bigint; readonly last: number }
  | { readonly kind: 'unknown' };

/** The set a finalized block belongs to (sc-consensus-grandpa `AuthoritySetChanges::get_set_id`). */
export const setOfBlock = ({ changes }: AuthoritySet, number: number): SetOfBlock => {
  const newest = changes.at(-1);
  if (newest === undefined) return { kind: 'unknown' };
  if (newest.last < number) return { kind: 'latest' };
  const index = changes.findIndex(({ last }) => last >= number);
  const found = changes[index] as { readonly setId: bigint; readonly last: number };
  // A list that does not start with set 0 lacks the earlier sets.
  return index === 0 && found.setId !== 0n ? { kind: 'unknown' } : { kind: 'past', ...found };
};
