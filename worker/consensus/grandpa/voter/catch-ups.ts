import { createTimer } from '../../../tasks/timer.ts';
import { type createPeerViews, type Gossip, rates, type View } from './gossip.ts';
import { type CatchUp, encodeMessage } from './messages.ts';

/** A voter this many rounds behind asks to catch up. */
export const catchUpDistance = 2n;
/** A catch-up request without a reply is charged after this time, and the same peer may be asked again. */
export const catchUpMs = 45_000;
/**
 * Another peer is asked after this time, so that one that claims to be ahead and never replies does not hold
 * up anyone.
 */
export const nextPeerMs = 5_000;

type Deps = {
  readonly gossip: Gossip;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly view: () => View;
  readonly peers: ReturnType<typeof createPeerViews>;
};

type CatchUpRequest = { readonly round: bigint; readonly atMs: number; readonly hasReplied: boolean };

/** Asks peers that are ahead for the votes of a completed round, one after the other. */
export const createCatchUps = ({ gossip, now, schedule, view, peers }: Deps) => {
  const requests = new Map<string, CatchUpRequest>();
  const expire = (): void => {
    for (const [peer, { atMs, hasReplied }] of requests) {
      if (now() - atMs < catchUpMs) continue;
      requests.delete(peer);
      if (!hasReplied) gossip.rate(peer, rates.catchUpTimeout);
    }
  };
  /** A peer that is ahead and was not asked lately, with its round. */
  const findNext = (): readonly [peer: string, round: bigint] | null => {
    const { setId, round } = view();
    for (const [peer, theirs] of peers.all())
      if (!requests.has(peer) && theirs.setId === setId && theirs.round >= round + catchUpDistance)
        return [peer, theirs.round - 1n];
    return null;
  };
  const requestNext = (): void => {
    const isWaiting = [...requests.values()].some((one) => !one.hasReplied && now() - one.atMs < nextPeerMs);
    const next = isWaiting ? null : findNext();
    if (next === null) return;
    const [peer, round] = next;
    requests.set(peer, { round, atMs: now(), hasReplied: false });
    gossip.send(peer, encodeMessage({ type: 'catch-up-request', round, setId: view().setId }));
  };
  /** Asks the next peer, if there is one, and checks again when a request times out. */
  const check = (): void => {
    expire();
    requestNext();
    const ages = [...requests.values()].map(({ atMs }) => now() - atMs);
    const waits = ages.map((age) => (age < nextPeerMs ? nextPeerMs : catchUpMs) - age);
    timer.set(waits.length === 0 ? null : Math.min(...waits));
  };
  const timer = createTimer(schedule, check);
  return {
    check,
    /** The cost of a reply that was not requested or is incomplete; null for any other. */
    judge: (peer: string, { round, prevotes, precommits }: CatchUp): number | null => {
      const request = requests.get(peer);
      if (request === undefined || request.hasReplied) return rates.outOfScope;
      requests.set(peer, { ...request, hasReplied: true });
      if (round >= request.round && prevotes.length > 0 && precommits.length > 0) return null;
      check();
      return rates.malformedCatchUp;
    },
    /** The peer's reply was good, so it may be asked again at once. */
    approve: (peer: string): void => void requests.delete(peer),
    /** The peer has left. */
    forget: (peer: string): void => {
      requests.delete(peer);
      check();
    },
    close: timer.clear,
  };
};

export type CatchUps = ReturnType<typeof createCatchUps>;
