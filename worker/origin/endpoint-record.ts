import type { EndpointState, EndpointStats } from '../chain/origin.ts';
import type { Problem } from './problem.ts';

export type EndpointTimes = {
  /** How long an endpoint has to accept a connection and to name its chain. */
  readonly openMs: number;
  /** How long it has to respond to a request. */
  readonly requestMs: number;
  /** After so long, its genesis hash is asked for again before its claims count. */
  readonly confirmMs: number;
  /** After a failure, others are preferred for so long. */
  readonly coolMs: number;
};

/** The highest finalized block that any endpoint of the origin had when it was probed. */
export type Heads = { highest: number };

export type RecordDeps = {
  readonly times: EndpointTimes;
  readonly heads: Heads;
  now(): number;
  onChange(): void;
};

/** An endpoint so many blocks behind the others is still catching up, or has been left to itself. */
const maxLag = 20;
/** How many states a node keeps by default (sc-client-db, `PruningMode`). */
const keptStates = 256;

/** Which blocks and states an endpoint has. */
const createReach = (heads: Heads, onChange: () => void) => {
  let discardedTo = -1;
  let head: number | null = null;
  let states: 'all' | 'recent' | null = null;
  return {
    noteDiscarded: (number: number): void => {
      discardedTo = Math.max(discardedTo, number);
      states = 'recent';
    },
    noteStates: (known: 'all' | 'recent'): void => {
      states ??= known;
      onChange();
    },
    noteHead: (number: number): void => {
      head = number;
      heads.highest = Math.max(heads.highest, number);
    },
    states: () => states,
    /** Whether it probably lacks the state of a block. */
    lacks: (number: number): boolean =>
      number <= discardedTo || (states === 'recent' && number < heads.highest - keptStates),
    isBehind: (): boolean => head !== null && head < heads.highest - maxLag,
  };
};

/** What is known of an endpoint, and counted. */
export const createEndpointRecord = (
  name: string,
  { now, onChange, heads, times: { coolMs } }: RecordDeps,
) => {
  let state: EndpointState = 'asking';
  let problem: string | null = null;
  let [requests, bytes, failures, lies] = [0, 0, 0, 0];
  let [failedMs, answeredMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let latencyMs: number | null = null;
  const reach = createReach(heads, onChange);
  const set = (next: EndpointState, text: string | null): void => {
    // A liar is not trusted again, and what lacks a method will not get it.
    if (state !== 'unfit' && (state !== 'liar' || next === 'unfit')) state = next;
    problem = text ?? problem;
  };
  const smooth = (ms: number): void => {
    latencyMs = latencyMs === null ? ms : latencyMs * 0.7 + ms * 0.3;
  };
  return {
    ...reach,
    count: (characters: number): void => {
      bytes += characters;
    },
    sent: (): void => {
      requests += 1;
      onChange();
    },
    answered: (): void => {
      answeredMs = now();
    },
    /** When it last responded to anything. */
    answeredMs: () => answeredMs,
    measured: smooth,
    note: (found: Problem | null): void => {
      if (found === null) set('fit', null);
      else if (found.kind === 'lied') {
        lies += 1;
        set('liar', found.text);
      } else if (found.kind === 'unfit') set('unfit', found.text);
      else if (found.kind === 'failed' || found.kind === 'limited') {
        if (found.kind === 'failed') failures += 1;
        failedMs = now();
        set('failing', found.text);
      }
      onChange();
    },
    noteSlow: (elapsedMs: number): void => {
      if (elapsedMs > (latencyMs ?? 0)) smooth(elapsedMs);
    },
    state: () => state,
    latencyMs: () => latencyMs,
    /** Larger is worse; failures count more than any latency. */
    penalty: (number: number): number =>
      (now() - failedMs < coolMs && state === 'failing' ? 1e9 : 0) +
      (reach.lacks(number) ? 1e8 : 0) +
      (state === 'asking' ? 1e7 : 0) +
      (reach.isBehind() ? 1e6 : 0) +
      (latencyMs ?? 0),
    stats: (): EndpointStats => ({
      name,
      state,
      problem,
      requests,
      bytes,
      failures,
      lies,
      latencyMs: latencyMs === null ? null : Math.round(latencyMs),
      states: reach.states(),
    }),
  };
};

export type EndpointRecord = ReturnType<typeof createEndpointRecord>;
