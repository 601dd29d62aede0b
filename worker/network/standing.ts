import type { Members } from './peers/members.ts';
import { createReputations } from './peers/reputation.ts';

/** What becomes of peers by what they do. */
export type Standing = {
  /** A peer's reputation. */
  of(id: string): number;
  isBanned(id: string): boolean;
  /** A peer that is banned by it is left. */
  rate(id: string, change: number): void;
  /** Rates a peer, and leaves it. */
  punish(id: string, price: number): void;
};

export const createStanding = (members: Pick<Members, 'get'>, now: () => number): Standing => {
  const reputations = createReputations(now);
  const leave = (id: string, reason: string): void => members.get(id)?.connection.close(reason);
  return {
    of: reputations.of,
    isBanned: reputations.isBanned,
    rate: (id, change) => {
      if (reputations.change(id, change)) leave(id, 'The peer is banned');
    },
    punish: (id, price) => {
      reputations.change(id, price);
      leave(id, 'The peer broke the protocol');
    },
  };
};
