export type Limiter = {
  /**
   * Resolves when a request may start, to a function to call when it has ended; null: too many wait, or the signal
   * was aborted.
   */
  take(signal: AbortSignal): Promise<(() => void) | null>;
  /** A request beside those that took their turn: the next one waits for it, too. */
  spend(): void;
  /** The endpoint counts our requests. `waitMs`: how long it wants to be left alone; null: it did not say. */
  slowDown(waitMs: number | null): void;
  /** A request succeeded. */
  speedUp(): void;
  /** Milliseconds until a request may start; 0: at once, if not too many run. */
  pausedMs(): number;
  /** Stops its timer. Requests that wait end by their signals. */
  close(): void;
};

export type LimiterDeps = {
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  /** The user's number, which is kept; null: learned from refusals. */
  readonly perSecond: number | null;
};

/** Requests that run at once. */
const maxRunning = 8;
/** Requests that wait for their turn: more than the calls of an origin make at once. */
const maxWaiting = 8192;
/** The first pause after a refusal, which doubles with each further one. */
const firstPauseMs = 500;
const longestPauseMs = 60_000;
/** The learned distance of requests: the first one, which doubles with each further refusal, and the largest. */
const firstGapMs = 50;
const longestGapMs = 5000;
/** The learned distance shrinks after so many successes in a row, as limits are often those of a busy moment. */
const successesToShrink = 20;
const smallestGapMs = 10;

/** How far apart requests start, in ms. */
const createGap = (perSecond: number | null) => {
  if (perSecond !== null)
    return { ms: () => 1000 / perSecond, grow: () => undefined, shrink: () => undefined };
  let gapMs = 0;
  let successes = 0;
  return {
    ms: () => gapMs,
    grow: (): void => {
      gapMs = Math.min(longestGapMs, gapMs === 0 ? firstGapMs : gapMs * 2);
      successes = 0;
    },
    shrink: (): void => {
      successes += 1;
      if (successes < successesToShrink) return;
      successes = 0;
      gapMs = gapMs <= smallestGapMs ? 0 : gapMs / 2;
    },
  };
};

type Waiter = { readonly start: (release: (() => void) | null) => void };

/** When the requests to one endpoint start: few at a time, and as far apart as it demands. */
export const createLimiter = ({ now, schedule, perSecond }: LimiterDeps): Limiter => {
  const gap = createGap(perSecond);
  const queue = new Set<Waiter>();
  let running = 0;
  let nextStartMs = 0;
  let pausedUntilMs = 0;
  let pauseMs = firstPauseMs;
  let cancelTimer: (() => void) | null = null;

  const release = (): (() => void) => {
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      running -= 1;
      pump();
    };
  };
  const pump = (): void => {
    while (queue.size > 0 && running < maxRunning) {
      const waitMs = Math.max(nextStartMs, pausedUntilMs) - now();
      if (waitMs > 0) {
        cancelTimer ??= schedule(Math.ceil(waitMs), () => {
          cancelTimer = null;
          pump();
        });
        return;
      }
      const [first] = queue as unknown as [Waiter];
      queue.delete(first);
      running += 1;
      nextStartMs = now() + gap.ms();
      first.start(release());
    }
  };
  return {
    take: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted || queue.size >= maxWaiting) {
          resolve(null);
          return;
        }
        const leave = (): void => {
          queue.delete(waiter);
          resolve(null);
        };
        const waiter: Waiter = {
          start: (end) => {
            signal.removeEventListener('abort', leave);
            resolve(end);
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        queue.add(waiter);
        pump();
      }),
    spend: () => {
      nextStartMs = Math.max(nextStartMs, now()) + gap.ms();
    },
    slowDown: (waitMs) => {
      const isPaused = now() < pausedUntilMs;
      // Requests that ran together are refused together: that is one refusal, but the longest wait counts.
      if (isPaused && waitMs === null) return;
      pausedUntilMs = Math.max(pausedUntilMs, now() + Math.min(longestPauseMs, waitMs ?? pauseMs));
      if (isPaused) return;
      pauseMs = Math.min(longestPauseMs, pauseMs * 2);
      gap.grow();
    },
    speedUp: () => {
      pauseMs = firstPauseMs;
      gap.shrink();
    },
    pausedMs: () => Math.max(0, pausedUntilMs - now()),
    close: () => cancelTimer?.(),
  };
};
