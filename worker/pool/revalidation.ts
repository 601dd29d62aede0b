import type { ExtrinsicHash } from '../codec/identity.ts';

export type RevalidationOptions = {
  /** A full pass is due after this many blocks but not sooner than `everyMsMin`, or after `everyMs`. */
  readonly everyBlocks: number;
  readonly everyMs: number;
  /**
   * Sealing on demand may produce a hundred blocks per second; with a pass for every twenty, it would never
   * end.
   */
  readonly everyMsMin: number;
  /** The pause before each batch, which gives priority to building blocks. */
  readonly pauseMs: number;
  readonly minBatch: number;
};

export const defaultRevalidation: RevalidationOptions = {
  everyBlocks: 20,
  everyMs: 60_000,
  everyMsMin: 6_000,
  pauseMs: 200,
  minBatch: 20,
};

/** Revalidates the pool in the background, a quarter at a time. */
export type Revalidation = {
  /** Called for a new best block. `now` starts a pass at once, `soon` after the pause. */
  onBlock(number: number, now: boolean, soon: boolean): void;
  /** Resolves when no pass is running. */
  idle(): Promise<void>;
  close(): void;
};

/** Creates the background job. `list` returns the hashes that a pass checks. */
export const createRevalidation = (
  deps: {
    readonly list: () => ExtrinsicHash[];
    readonly revalidate: (hashes: readonly ExtrinsicHash[]) => Promise<void>;
    readonly now: () => number;
    readonly sleep: (ms: number) => Promise<void>;
    readonly onError: (error: unknown) => void;
  },
  options: RevalidationOptions,
): Revalidation => {
  let closed = false;
  let queue: ExtrinsicHash[] = [];
  let batch = 0;
  let lastNumber = 0;
  let lastMs = deps.now();
  let running: Promise<void> | null = null;
  const run = async (now: boolean): Promise<void> => {
    for (let waits = !now; queue.length > 0 && !closed; waits = true) {
      if (waits) await deps.sleep(options.pauseMs);
      await deps.revalidate(queue.splice(0, batch));
    }
  };
  const isDue = (number: number): boolean => {
    const sinceMs = deps.now() - lastMs;
    return (
      sinceMs >= options.everyMs ||
      (number - lastNumber >= options.everyBlocks && sinceMs >= options.everyMsMin)
    );
  };
  return {
    onBlock: (number, now, soon) => {
      if (closed || !(now || soon || isDue(number))) return;
      lastNumber = number;
      lastMs = deps.now();
      // Hashes still in the queue go first. Otherwise the last ones would never be checked when blocks arrive
      // quickly.
      const all = new Set(deps.list());
      queue = [...new Set([...queue.filter((hash) => all.has(hash)), ...all])];
      batch = Math.max(options.minBatch, Math.ceil(queue.length / 4));
      if (queue.length === 0) return;
      running ??= run(now)
        .catch(deps.onError)
        .finally(() => {
          running = null;
        });
    },
    idle: async () => {
      while (running !== null) await running;
    },
    close: () => {
      closed = true;
      queue = [];
    },
  };
};
