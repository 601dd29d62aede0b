import type { ExtrinsicHash } from '../codec/identity.ts';

/** Temporarily banned hashes. */
export type Bans = {
  ban(hash: ExtrinsicHash): void;
  isBanned(hash: ExtrinsicHash): boolean;
  /** Lifts the ban of an included extrinsic. */
  lift(hash: ExtrinsicHash): void;
  /** Current bans with their expiry in milliseconds since 1970, in order of expiry. */
  list(): readonly (readonly [hash: ExtrinsicHash, untilMs: number])[];
};

/** Trimmed to half of `maxSize` when it exceeds it. With `banMs` 0, nothing is banned. */
export const createBans = (
  deps: { readonly now: () => number },
  options: { readonly banMs: number; readonly maxSize: number },
): Bans => {
  // A renewed ban moves to the end, so the map stays in order of expiry.
  const until = new Map<ExtrinsicHash, number>();
  const clean = (): void => {
    const now = deps.now();
    for (const [hash, end] of until) {
      if (end > now && until.size <= options.maxSize / 2) break;
      until.delete(hash);
    }
  };
  return {
    ban: (hash) => {
      if (options.banMs <= 0) return;
      until.delete(hash);
      until.set(hash, deps.now() + options.banMs);
      if (until.size > options.maxSize) clean();
    },
    lift: (hash) => void until.delete(hash),
    list: () => {
      const now = deps.now();
      return [...until].filter(([, end]) => end > now);
    },
    isBanned: (hash) => {
      const end = until.get(hash);
      if (end === undefined) return false;
      if (end > deps.now()) return true;
      until.delete(hash);
      return false;
    },
  };
};
