import { createDelay, type Delay, type DelayDeps } from '../../../author/delay.ts';
import type { ChainEvent } from '../../../chain/events.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import type { BlockHash } from '../../../codec/identity.ts';

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
