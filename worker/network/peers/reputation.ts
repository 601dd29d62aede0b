import { createBoundedMap } from '../../bytes/bounded-map.ts';
import type { Members } from './members.ts';

/** A peer is banned below this (sc-network `peer_store.rs`, `BANNED_THRESHOLD`). */
export const bannedBelow = 71 * Math.trunc(-0x8000_0000 / 100);

/** The share of a reputation, good or bad, that remains after a second (sc-network `peer_store.rs`). */
const keptPerSecond = 199 / 200;

const [lowest, highest] = [-0x8000_0000, 0x7fff_ffff];

/** Reputations of the peers that were met last, also of those that have left: by their ids. */
const maxKnown = 1024;

/** The reputations of peers by their ids, and what follows from them. */
export type Reputations = {
  /** Now, between -2^31 and 2^31 - 1. */
  of(id: string): number;
  isBanned(id: string): boolean;
  /** Disconnects a peer that is banned by it. */
  rate(id: string, change: number): void;
  /** Rates a peer, and disconnects it. */
  punish(id: string, change: number): void;
};

/** They fade over time, so that a ban ends. `now` in monotonic milliseconds. */
export const createReputations = (members: Pick<Members, 'get'>, now: () => number): Reputations => {
  const known = createBoundedMap<string, { readonly score: number; readonly atMs: number }>(maxKnown);
  const of = (id: string): number => {
    const found = known.get(id);
    return found === undefined ? 0 : Math.trunc(found.score * keptPerSecond ** ((now() - found.atMs) / 1000));
  };
  const isBanned = (id: string): boolean => of(id) < bannedBelow;
  const change = (id: string, by: number): void => {
    const score = Math.min(highest, Math.max(lowest, of(id) + by));
    known.keep(id, { score, atMs: now() });
  };
  const disconnect = (id: string, reason: string): void => members.get(id)?.connection.close(reason);
  return {
    of,
    isBanned,
    rate: (id, by) => {
      change(id, by);
      if (isBanned(id)) disconnect(id, 'The peer is banned');
    },
    punish: (id, by) => {
      change(id, by);
      disconnect(id, 'The peer broke the protocol');
    },
  };
};
