/** Counts how often pages of an origin had a wrong secret. */
export type FailedAttempts = {
  /** Whether pages of this origin are refused for now. */
  isBlocked(origin: string): boolean;
  failed(origin: string): void;
};

const windowMs = 60_000;
/** A page tries a stored token once per visit, so no honest origin comes near it. */
const maxGuesses = 20;
/** A program can send any origin, so their number is bounded as well. */
const maxOrigins = 1000;

/**
 * A secret has at least 128 random bits, so no number of guesses finds it. The limit keeps a page that tries from
 * occupying the bridge and filling its terminal. It holds per origin, so that others can pair meanwhile.
 */
export const createFailedAttempts = (now: () => number): FailedAttempts => {
  const origins = new Map<string, { count: number; readonly untilMs: number }>();
  const ofOrigin = (origin: string) => {
    const found = origins.get(origin);
    if (found === undefined || now() < found.untilMs) return found;
    origins.delete(origin);
    return undefined;
  };
  return {
    isBlocked: (origin) => (ofOrigin(origin)?.count ?? 0) >= maxGuesses,
    failed: (origin) => {
      const found = ofOrigin(origin);
      if (found !== undefined) {
        found.count += 1;
        return;
      }
      if (origins.size >= maxOrigins) origins.delete(origins.keys().next().value as string);
      origins.set(origin, { count: 1, untilMs: now() + windowMs });
    },
  };
};
