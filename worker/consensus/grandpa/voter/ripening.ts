import { createDelay, type Delay, type DelayDeps } from '../../../author/delay.ts';
import type { ChainEvent } from '../../../chain/events.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import type { BlockHash } from '../../../codec/identity.ts';

/** If all voters are this node's, nothing has to travel. */
export const ownGossipMs = 50;
/**
 * If all voters are this node's, the rules that keep a distance from the best block make no sense. They vote for
 * a block this long after clients were notified of it, so that finality lags by 1.5 s (decision 15).
 */
const ownDelayMs = 1500 - 4 * ownGossipMs;
/** Finds the newest block that may be voted for when all voters are this node's. */
export type Ripening = Pick<Delay, 'restart' | 'close'> & {
  follow(event: ChainEvent): void;
  /** The finalized block if there is none. */
  newest(): BlockRef;
};

export const createRipening = (deps: DelayDeps, onRipe: () => void): Ripening => {
  const { chain } = deps;
  let ripe: BlockHash | null = null;
  const delay = createDelay(deps, {
    length: () => ({ ms: ownDelayMs }),
    isCandidate: () => true,
    onDue: async (block) => {
      ripe = block;
      onRipe();
    },
  });
  return {
    restart: delay.restart,
    close: delay.close,
    follow: (event) => {
      if (event.kind !== 'moved' && ripe !== null && event.retracted.includes(ripe)) ripe = null;
      delay.follow(event);
    },
    newest: () => {
      const finalized = chain.finalized();
      const block = ripe === null ? null : chain.view.tree.get(ripe);
      return block === null || block.number < finalized.number ? finalized : block;
    },
  };
};
