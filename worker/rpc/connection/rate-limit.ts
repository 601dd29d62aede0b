/** The clock and randomness that a rate limit needs. */
export type RateClock = {
  /** Monotonic milliseconds. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** At least 0 and less than 1. */
  random(): number;
};

const maxJitterMs = 50;
const maxAttempts = 10;

export const systemClock: RateClock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};

/**
 * Allows up to `callsPerMinute` calls at once, then one per share of a minute (the generic cell rate
 * algorithm, as in the SDK's server). The returned function resolves to true when a call may run, either at
 * once or after waiting for its turn and up to 50 ms more; to false after ten turns that other calls took
 * (-32999).
 */
export const createRateLimit = (callsPerMinute: number, clock: RateClock): (() => Promise<boolean>) => {
  const shareMs = 60_000 / callsPerMinute;
  const burstMs = shareMs * (callsPerMinute - 1);
  let nextMs = Number.NEGATIVE_INFINITY;
  const takeTurn = (): number => {
    const now = clock.now();
    const dueMs = Math.max(nextMs, now);
    const waitMs = dueMs - burstMs - now;
    if (waitMs > 0) return waitMs;
    nextMs = dueMs + shareMs;
    return 0;
  };
  return async () => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const waitMs = takeTurn();
      if (waitMs === 0) return true;
      await clock.sleep(waitMs + clock.random() * maxJitterMs);
    }
    return false;
  };
};
