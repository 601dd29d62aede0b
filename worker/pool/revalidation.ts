import type { ExtrinsicHash } from '../codec/identity.ts';

export type RevalidationOptions = {
  /**
   * A full pass is due after this many blocks, though not sooner than `everyMsMin`, or after `everyMs`
   * (RPC.md §6.4).
   */
  readonly everyBlocks: number;
  readonly everyMs: number;
  /** Blocks sealed on demand come by the hundred a second; a pass for each twenty would never end. */
  readonly everyMsMin: number;
  /** The pause before each batch, so that a block to be built comes first. */
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

/** Works through the pool in the background, a quarter at a time. */
export type Revalidation = {
  /** A new best block; `now` begins a pass at once, `soon` after the pause. */
  onBlock(number: number, now: boolean, soon: boolean): void;
  /** Resolves when no pass is under way. */
  idle(): Promise<void>;
  close(): void;
};

/** Creates the background job; `list` names what a pass checks. */
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
      // Those that still wait go first, else the last ones would never have their turn when blocks come fast.
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
