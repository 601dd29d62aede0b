import type { EndpointState, EndpointStats } from '../chain/origin.ts';
import { createEndpointRecord, type RecordDeps } from './endpoint-record.ts';
import { createLimiter, type LimiterDeps } from './limiter.ts';
import type { Feed, Line } from './line.ts';
import { createOpening, createRequest, type OpeningDeps } from './opening.ts';
import { bad, good, type Outcome, type Problem } from './problem.ts';

/** One of the endpoints of an origin. None of its promises rejects. */
export type Endpoint = {
  readonly name: string;
  /** Whether its transport has subscriptions. */
  readonly hasFeeds: boolean;
  /** Opens the connection if there is none, and waits for a turn. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<Outcome<unknown>>;
  /** `end` is called when the connection ends, unless the subscription has ended before. */
  subscribe(
    feed: Feed,
    params: readonly unknown[],
    on: { item(item: unknown): void; end(): void },
    signal: AbortSignal,
  ): Promise<Outcome<() => void>>;
  /** Asks again for the genesis hash if that was long ago: before answers that no hash can verify. */
  confirmChain(signal: AbortSignal): Promise<Outcome<null>>;
  /** Whether it lists a method; null: its list is not known. */
  offers(method: string): boolean | null;
  /** Records how a request ended, in the judgment of who made it. */
  note(problem: Problem | null): void;
  /** Another endpoint was faster. */
  noteSlow(elapsedMs: number): void;
  /** The state of this block is not kept any more. */
  noteDiscarded(number: number): void;
  noteStates(states: 'all' | 'recent'): void;
  /** The height of its last finalized block when it was probed. */
  noteHead(number: number): void;
  state(): EndpointState;
  /** The order in which endpoints are asked: the lowest first. `number`: the height of the block in question. */
  rank(number: number): number;
  latencyMs(): number | null;
  stats(): EndpointStats;
  close(): void;
};

export type EndpointDeps = LimiterDeps &
  Omit<OpeningDeps, 'record' | 'closing' | 'spend'> &
  Omit<RecordDeps, 'now' | 'times'> & { readonly hasFeeds: boolean };

/** Without them no fork is possible. */
const essential: ReadonlySet<string> = new Set([
  'chain_getBlock',
  'chain_getBlockHash',
  'chain_getFinalizedHead',
  'chain_getHeader',
  'state_getReadProof',
]);

export const createEndpoint = (name: string, deps: EndpointDeps): Endpoint => {
  const closer = new AbortController();
  const record = createEndpointRecord(name, deps);
  const limiter = createLimiter(deps);
  const parts = { ...deps, record, closing: closer.signal, spend: limiter.spend };
  const request = createRequest(parts);
  const opening = createOpening(parts, request);

  /** Runs a request in its turn. A line whose request was given up may be closed: the next one opens another. */
  const inTurn = async <T>(
    signal: AbortSignal,
    work: (line: Line) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    const release = await limiter.take(AbortSignal.any([signal, closer.signal]));
    if (release === null) return bad('failed', signal.aborted ? 'was given up' : 'has too many requests');
    try {
      const opened = await opening.ready();
      const outcome = opened.ok ? await work(opened.value) : opened;
      if (outcome.ok) limiter.speedUp();
      else if (outcome.problem.kind === 'limited') limiter.slowDown(outcome.problem.waitMs);
      return outcome;
    } finally {
      release();
    }
  };
  return {
    name,
    hasFeeds: deps.hasFeeds,
    call: (method, params, signal) =>
      inTurn(signal, async (line) => {
        const outcome = await request(line, signal, (stop) => line.request(method, params, stop));
        if (outcome.ok || outcome.problem.kind !== 'noMethod' || !essential.has(method)) return outcome;
        return bad('unfit', outcome.problem.text);
      }),
    subscribe: (feed, params, on, signal) =>
      inTurn(signal, async (line) => {
        const { subscribe } = line;
        if (subscribe === null) return bad('noMethod', 'has no subscriptions over HTTP');
        const opened = await request(line, signal, (stop) => subscribe(feed, params, on.item, stop));
        if (opened.ok) line.onEnd(on.end);
        return opened as Outcome<() => void>;
      }),
    confirmChain: async (signal) =>
      opening.isConfirmed()
        ? good(null)
        : inTurn(signal, async (line) =>
            opening.isConfirmed() ? good(null) : opening.confirm(line, signal),
          ),
    offers: opening.offers,
    note: record.note,
    noteSlow: record.noteSlow,
    noteDiscarded: record.noteDiscarded,
    noteStates: record.noteStates,
    noteHead: record.noteHead,
    state: record.state,
    rank: (number) => record.penalty(number) + limiter.pausedMs() * 1e4,
    latencyMs: record.latencyMs,
    stats: record.stats,
    close: () => {
      closer.abort();
      limiter.close();
      opening.close();
    },
  };
};
