import { createDelay, type Delay, type DelayDeps } from '../../../author/delay.ts';
import type { ChainEvent } from '../../../chain/events.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import type { Lineage } from './lineage.ts';

/** How far below the best block a vote stays, so that short forks are not voted on. */
const behindBest = 2;

/** The SDK's voting rules: two blocks before the best one, three quarters of the way from the base. */
export const ruledHeight = (base: number, best: number): number => {
  const threeQuarters = base + Math.floor(((best - base) * 3 + 2) / 4);
  return Math.max(base, Math.min(best - behindBest, threeQuarters));
};

export type TargetView = {
  readonly lineage: Lineage;
  best(): BlockRef;
  /** Blocks without children, in any order. */
  leaves(): readonly BlockRef[];
  /** The height at which the authority set changes on the branch of a block; null if none is pending. */
  changeHeight(block: BlockRef): number | null;
  /**
   * Whether the voting rules apply. They leave time to voters who see another fork; a set with one voter has
   * none.
   */
  readonly isRuled: boolean;
};

/** The best block above a base: on the best chain if the base is, otherwise the highest leaf above it. */
const bestAbove = ({ lineage, best, leaves }: TargetView, base: BlockHash): BlockRef | null => {
  const head = best();
  if (lineage.isOnOrAbove(head.hash, base)) return head;
  let found: BlockRef | null = null;
  for (const leaf of leaves())
    if ((found === null || leaf.number > found.number) && lineage.isOnOrAbove(leaf.hash, base)) found = leaf;
  return found;
};

/** The block to vote for on top of a base (sc-consensus-grandpa `best_chain_containing`). */
export const chooseTarget = (view: TargetView, base: BlockHash): BlockRef | null => {
  const floor = view.lineage.get(base);
  if (floor === null) return null;
  const head = bestAbove(view, base);
  if (head === null) return { hash: base, number: floor.number };
  const ruled = view.isRuled ? ruledHeight(floor.number, head.number) : head.number;
  // The block that changes the set is the last on which this set may vote.
  const height = Math.max(floor.number, Math.min(ruled, view.changeHeight(head) ?? head.number));
  const target = view.lineage.ancestorAt(head.hash, height);
  return target === null ? null : { hash: target.hash, number: target.number };
};

/** If all voters belong to this node, no message has to travel. */
export const ownGossipMs = 50;
/** With four gossip durations, finality lags by 1.5 s (decision 15). */
const ownDelayMs = 1500 - 4 * ownGossipMs;

/**
 * The voting rule of a node that has all voters of a set. The SDK's rules keep a distance from the best block, to
 * leave time to voters elsewhere. This one waits until clients have had time to see a block as the best one.
 */
export type DelayRule = Pick<Delay, 'restart' | 'close'> & {
  follow(event: ChainEvent): void;
  /** The newest block that may be voted for; the finalized block if there is none. */
  newest(): BlockRef;
};

export const createDelayRule = (deps: DelayDeps, onNewest: () => void): DelayRule => {
  const { chain } = deps;
  let due: BlockHash | null = null;
  const delay = createDelay(deps, {
    length: () => ({ ms: ownDelayMs }),
    isCandidate: () => true,
    onDue: async (block) => {
      due = block;
      onNewest();
    },
  });
  return {
    restart: delay.restart,
    close: delay.close,
    follow: (event) => {
      if (event.kind !== 'moved' && due !== null && event.retracted.includes(due)) due = null;
      delay.follow(event);
    },
    newest: () => {
      const finalized = chain.finalized();
      const block = due === null ? null : chain.view.tree.get(due);
      return block === null || block.number < finalized.number ? finalized : block;
    },
  };
};
