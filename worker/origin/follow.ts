import { bytesToKey } from '../bytes/bytes.ts';
import type { Head } from '../chain/origin.ts';
import type { Blocks, Located } from './blocks.ts';
import type { Endpoint } from './endpoint.ts';
import type { Feed } from './line.ts';

export type FollowDeps = {
  readonly blocks: Blocks;
  readonly endpoints: readonly Endpoint[];
  readonly closing: AbortSignal;
  readonly times: FollowTimes;
  schedule(ms: number, run: () => void): () => void;
  onError(error: unknown): void;
};

export type FollowTimes = {
  /** Without a subscription, the head is asked for so often. */
  readonly pollMs: number;
  /** With one, so often, in case that the endpoint has fallen silent or behind. */
  readonly watchMs: number;
};

const feeds: Readonly<Record<Head, Feed>> = {
  best: { start: 'chain_subscribeNewHeads', stop: 'chain_unsubscribeNewHeads' },
  finalized: { start: 'chain_subscribeFinalizedHeads', stop: 'chain_unsubscribeFinalizedHeads' },
};

/**
 * How far a notified head may be above the last one that was asked for, which is not long ago. Without a limit, a single
 * head that somebody made up would be the highest forever.
 */
const farthest = 10_000;

/** Passes on each head once. A head that is behind the last one is that of a slow endpoint. */
const createHeads = (which: Head, listener: (hash: Uint8Array) => void, onError: FollowDeps['onError']) => {
  let last: Located | null = null;
  return (head: Located): void => {
    const number = last?.header.number ?? -1;
    const isOld = which === 'best' ? head.header.number < number : head.header.number <= number;
    if (isOld || (last !== null && bytesToKey(last.hash) === bytesToKey(head.hash))) return;
    last = head;
    try {
      listener(head.hash);
    } catch (error) {
      onError(error);
    }
  };
};

/**
 * The endpoints that may have subscriptions, the best first. Those whose subscription did not work wait until all others
 * are used up.
 */
const createChoice = (endpoints: readonly Endpoint[]) => {
  const avoided = new Set<Endpoint>();
  const rank = (one: Endpoint): number => one.rank(Number.MAX_SAFE_INTEGER);
  return {
    avoid: (endpoint: Endpoint): void => void avoided.add(endpoint),
    next: (): Endpoint | null => {
      const usable = endpoints.filter((one) => one.hasFeeds && !avoided.has(one) && one.state() === 'fit');
      const [best = null] = usable.sort((a, b) => rank(a) - rank(b));
      // All of them get another chance the next time.
      if (best === null) avoided.clear();
      return best;
    },
  };
};

/**
 * One look at a time, which resolves to false while another one goes on. Of errors in a row, the first is told: what fails is
 * asked again, and is in the statistics.
 */
const createLooks = (look: () => Promise<void>, onFault: (error: unknown) => void) => {
  let isBusy = false;
  let isFaulty = false;
  return async (): Promise<boolean> => {
    if (isBusy) return false;
    isBusy = true;
    try {
      await look();
      isFaulty = false;
    } catch (error) {
      if (!isFaulty) onFault(error);
      isFaulty = true;
    } finally {
      isBusy = false;
    }
    return true;
  };
};

/**
 * Follows the best or finalized blocks: by a subscription to the best endpoint that has some, and by asking. If a
 * head is found by asking that the subscription did not report, it moves to another endpoint.
 */
export const followHeads = (
  deps: FollowDeps,
  which: Head,
  listener: (hash: Uint8Array) => void,
  onFault: (error: unknown) => void = () => undefined,
): (() => void) => {
  const { blocks, endpoints, closing, times, schedule, onError } = deps;
  const stopper = new AbortController();
  const signal = AbortSignal.any([closing, stopper.signal]);
  const pass = createHeads(which, listener, onError);
  let cancelTimer: (() => void) | null = null;
  let feed: { readonly from: Endpoint; readonly end: () => void; reported: number } | null = null;
  const choice = createChoice(endpoints);

  const leave = (from: Endpoint): void => {
    choice.avoid(from);
    if (feed?.from !== from) return;
    feed.end();
    feed = null;
  };
  /** The height of the last head that was asked for. */
  let asked = 0;
  const subscribe = async (): Promise<void> => {
    const from = choice.next();
    if (from === null) return;
    const item = (value: unknown): void => {
      const head = signal.aborted ? null : blocks.keepHeader(value);
      if (head === null) return;
      if (head.header.number > asked + farthest) {
        leave(from);
        wait(0);
        return;
      }
      if (feed !== null && feed.from === from) feed.reported = Math.max(feed.reported, head.header.number);
      pass(head);
    };
    const end = (): void => {
      if (feed?.from !== from) return;
      feed = null;
      wait(0);
    };
    const opened = await from.subscribe(feeds[which], [], { item, end }, signal);
    if (!opened.ok) choice.avoid(from);
    else if (signal.aborted) opened.value();
    else feed = { from, end: opened.value, reported: asked };
  };
  const look = async (): Promise<void> => {
    const head = await blocks.latest(which);
    if (signal.aborted) return;
    asked = head.header.number;
    pass(head);
    if (feed !== null && feed.reported < asked - 1) leave(feed.from);
    if (feed === null) await subscribe();
  };
  const lookOnce = createLooks(look, (error) => {
    if (!signal.aborted) onFault(error);
  });
  const run = async (): Promise<void> => {
    if (await lookOnce()) wait(feed === null ? times.pollMs : times.watchMs);
  };
  const wait = (ms: number): void => {
    cancelTimer?.();
    if (!signal.aborted) cancelTimer = schedule(ms, () => void run());
  };
  signal.addEventListener('abort', () => {
    cancelTimer?.();
    feed?.end();
    feed = null;
  });
  if (!signal.aborted) void run();
  return () => stopper.abort();
};
