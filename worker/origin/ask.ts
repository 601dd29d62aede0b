import type { Endpoint } from './endpoint.ts';
import { bad, type Outcome, type Problem, type ProblemKind } from './problem.ts';

/** What one or more endpoints are asked for. */
export type Job<T> = {
  run(endpoint: Endpoint, signal: AbortSignal): Promise<Outcome<T>>;
  /** The height of the block in question: those that discarded its state are asked last. */
  readonly number?: number;
  /** Whether a problem ends the job, because another endpoint would have it as well. */
  isFinal?(problem: Problem): boolean;
};

export type EndpointProblem = { readonly endpoint: string; readonly problem: Problem };
export type Asked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly EndpointProblem[] };

export type AskTimes = {
  /** Another endpoint is asked if the first has not responded after this time, or four times its latency. */
  readonly hedgeMs: number;
  /** How long a job may take with all its repetitions. */
  readonly patienceMs: number;
};

export type AskDeps = {
  readonly endpoints: readonly Endpoint[];
  readonly times: AskTimes;
  /** Aborted when the origin closes: open jobs end. */
  readonly closing: AbortSignal;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  /** Calls back once after the next change of an endpoint's state. */
  onceChanged(listener: () => void): () => void;
};

/** How often one endpoint is asked for the same. */
const maxTries = 3;
/** Before an endpoint that failed is asked again; five times as long before the third time. */
const retryMs = 300;
/** They would be the same at once. */
const lasting: ReadonlySet<ProblemKind> = new Set([
  'noMethod',
  'unfit',
  'discarded',
  'unknown',
  'edited',
  'tooLarge',
]);

type Running = { readonly aborter: AbortController; readonly beganMs: number };

/** The endpoints that a job may still ask, best first. */
const createChoice = (endpoints: readonly Endpoint[], number: number) => {
  const tries = new Map<Endpoint, number>();
  const triesOf = (endpoint: Endpoint): number => tries.get(endpoint) ?? 0;
  const byRank = (a: Endpoint, b: Endpoint): number => a.rank(number) - b.rank(number);
  const left = (isRunning: (endpoint: Endpoint) => boolean): Endpoint[] =>
    endpoints
      .filter((one) => one.state() !== 'unfit' && triesOf(one) < maxTries && !isRunning(one))
      .sort(byRank);
  return {
    left,
    triesOf,
    count: (endpoint: Endpoint): void => void tries.set(endpoint, triesOf(endpoint) + 1),
    /** Being limited is no failure: it may be asked again as often as the patience lasts. */
    uncount: (endpoint: Endpoint): void => void tries.set(endpoint, triesOf(endpoint) - 1),
    exclude: (endpoint: Endpoint): void => void tries.set(endpoint, maxTries),
  };
};

type Timer = 'hedge' | 'pause' | 'patience';

/** What runs in a job, what the endpoints did so far, and its end. */
const createRuns = <T>(deps: AskDeps, settle: (asked: Asked<T>) => void) => {
  const { endpoints, schedule, now, closing } = deps;
  const running = new Map<Endpoint, Running>();
  const problems = new Map<Endpoint, Problem>();
  const cancels = new Map<Timer, () => void>();
  let isOver = false;

  const finish = (asked: Asked<T>): void => {
    isOver = true;
    closing.removeEventListener('abort', giveUp);
    for (const cancel of cancels.values()) cancel();
    for (const { aborter } of running.values()) aborter.abort();
    settle(asked);
  };
  const giveUp = (): void => {
    if (isOver) return;
    for (const endpoint of endpoints) {
      const { state, problem } = endpoint.stats();
      if (state === 'unfit' && !problems.has(endpoint))
        problems.set(endpoint, { kind: 'unfit', text: problem ?? '', waitMs: null });
    }
    finish({
      ok: false,
      problems: [...problems].map(([{ name }, problem]) => ({ endpoint: name, problem })),
    });
  };
  closing.addEventListener('abort', giveUp, { once: true });
  return {
    running,
    problems,
    isOver: () => isOver,
    succeed: (value: T): void => {
      for (const [other, { beganMs }] of running) other.noteSlow(now() - beganMs);
      finish({ ok: true, value });
    },
    giveUp,
    /** Replaces what the name waited for. */
    wait: (name: Timer, cancel: () => void): void => {
      cancels.get(name)?.();
      cancels.set(name, cancel);
    },
    after: (name: Timer, ms: number, run: () => void): void => {
      cancels.get(name)?.();
      cancels.set(name, schedule(ms, run));
    },
  };
};

/**
 * Asks the best endpoint; another one at once if it fails, and another one besides if it is slow. Liars are asked
 * when all others have failed, then without delay; the others a second and third time after a pause.
 */
const startJob = <T>(deps: AskDeps, job: Job<T>, settle: (asked: Asked<T>) => void): void => {
  const { endpoints, now, times } = deps;
  const choice = createChoice(endpoints, job.number ?? Number.POSITIVE_INFINITY);
  const runs = createRuns(deps, settle);
  const { running, problems, after } = runs;
  /** Never asked in this job, no liar, and known to be of the right chain. */
  const findFresh = (): Endpoint | undefined =>
    choice
      .left((one) => running.has(one))
      .find((one) => choice.triesOf(one) === 0 && one.state() !== 'liar' && one.state() !== 'asking');

  const take = (endpoint: Endpoint, outcome: Outcome<T>): void => {
    running.delete(endpoint);
    if (runs.isOver()) return;
    endpoint.note(outcome.ok ? null : outcome.problem);
    if (outcome.ok) {
      runs.succeed(outcome.value);
      return;
    }
    const { problem } = outcome;
    problems.set(endpoint, problem);
    if (problem.kind === 'discarded' && job.number !== undefined) endpoint.noteDiscarded(job.number);
    if (problem.kind === 'limited') choice.uncount(endpoint);
    if (lasting.has(problem.kind)) choice.exclude(endpoint);
    if (job.isFinal?.(problem) === true) runs.giveUp();
    else advance();
  };
  const launch = (endpoint: Endpoint): void => {
    choice.count(endpoint);
    const aborter = new AbortController();
    running.set(endpoint, { aborter, beganMs: now() });
    after('hedge', Math.max(times.hedgeMs, 4 * (endpoint.latencyMs() ?? 0)), () => {
      const next = findFresh();
      if (next !== undefined) launch(next);
    });
    void job
      .run(endpoint, aborter.signal)
      .catch((error: unknown) => bad('failed', `sent what could not be read: ${String(error)}`))
      .then((outcome) => take(endpoint, outcome));
  };
  const advance = (): void => {
    if (runs.isOver()) return;
    const fresh = findFresh();
    if (fresh !== undefined) launch(fresh);
    // Those that run may still succeed.
    if (running.size > 0) return;
    const left = choice.left(() => false);
    const next = left.find((one) => one.state() === 'liar') ?? left[0];
    if (left.some((one) => one.state() === 'asking')) runs.wait('pause', deps.onceChanged(advance));
    else if (next === undefined) runs.giveUp();
    else if (next.state() === 'liar' || choice.triesOf(next) === 0) launch(next);
    else after('pause', choice.triesOf(next) === 1 ? retryMs : 5 * retryMs, () => launch(next));
  };
  after('patience', times.patienceMs, runs.giveUp);
  advance();
};

/** Never rejects. */
export const ask = <T>(deps: AskDeps, job: Job<T>): Promise<Asked<T>> =>
  new Promise((resolve) => {
    if (deps.closing.aborted) resolve({ ok: false, problems: [] });
    else startJob(deps, job, resolve);
  });
