import { createBoundedMap } from '../../bytes/bounded-map.ts';

/** A peer is banned below this (sc-network `peer_store.rs`, `BANNED_THRESHOLD`). */
export const bannedBelow = 71 * Math.trunc(-0x8000_0000 / 100);

/** The share of a reputation, good or bad, that remains after a second (sc-network `peer_store.rs`). */
const keptPerSecond = 199 / 200;

const [lowest, highest] = [-0x8000_0000, 0x7fff_ffff];

/** Reputations of the peers that were met last, also of those that have left: by their ids. */
const maxKnown = 1024;

export type Reputations = {
  /** Now, between -2^31 and 2^31 - 1. */
  of(id: string): number;
  isBanned(id: string): boolean;
  /** Whether the peer is banned after it. */
  change(id: string, by: number): boolean;
};

/** What peers are worth. It fades over time, so that a ban ends. `now` in monotonic milliseconds. */
export const createReputations = (now: () => number): Reputations => {
  const known = createBoundedMap<string, { readonly score: number; readonly atMs: number }>(maxKnown);
  const of = (id: string): number => {
    const found = known.get(id);
    return found === undefined ? 0 : Math.trunc(found.score * keptPerSecond ** ((now() - found.atMs) / 1000));
  };
  return {
    of,
    isBanned: (id) => of(id) < bannedBelow,
    change: (id, by) => {
      const score = Math.min(highest, Math.max(lowest, of(id) + by));
      known.keep(id, { score, atMs: now() });
      return score < bannedBelow;
    },
  };
};
