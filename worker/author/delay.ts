import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import type { TreeBlock } from '../chain/tree.ts';
import type { BlockHash } from '../codec/identity.ts';

export type DelayDeps = {
  readonly chain: Pick<Chain, 'best' | 'finalized'> & {
    readonly view: { readonly tree: Pick<Chain['view']['tree'], 'get'> };
  };
  /** Monotonic milliseconds, so that time travel and wall clock changes do not affect the delay. */
  readonly now: () => number;
  /** Calls back once after `ms`. Returns a function that cancels it. */
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Resolves when watchers have been notified of every block announced so far. */
  readonly settled: () => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** In milliseconds after clients were notified of a block, or in blocks on top of it. */
export type DelayLength = { readonly ms: number } | { readonly blocks: number };

export type DelayOptions = {
  /** Null while blocks do not wait. */
  readonly length: () => DelayLength | null;
  readonly isCandidate: (block: TreeBlock) => boolean;
  /** Called with the newest block whose delay is over. If it rejects, the blocks wait for as long again. */
  readonly onDue: (block: BlockHash) => Promise<void>;
};

/** Holds the unfinalized blocks of the best chain until their delay is over. */
export type Delay = {
  /** Starts over; blocks that were already waiting keep their time. */
  restart(): void;
  follow(event: ChainEvent): void;
  /** The newest candidate that is not finalized, or null. */
  newest(): BlockHash | null;
  close(): void;
};

/** A candidate on the best chain, with the time at which clients were notified; null until they are. */
type Waiting = { readonly number: number; sinceMs: number | null };

/** The waiting blocks, in ascending order. */
const createWaiting = ({ chain }: DelayDeps, isCandidate: DelayOptions['isCandidate']) => {
  const { tree } = chain.view;
  let blocks = new Map<BlockHash, Waiting>();
  const add = ({ hash, number }: TreeBlock): Waiting => {
    const block = { number, sinceMs: null };
    blocks.set(hash, block);
    return block;
  };
  /** Recomputed from the best chain. Blocks that were already waiting keep their time. */
  const refill = (): Waiting[] => {
    const before = blocks;
    blocks = new Map();
    const candidates: TreeBlock[] = [];
    const { number: floor } = chain.finalized();
    let block = tree.get(chain.best().hash);
    for (; block !== null && block.number > floor; block = tree.get(block.parent))
      if (isCandidate(block)) candidates.push(block);
    const fresh: Waiting[] = [];
    for (const one of candidates.reverse()) {
      const known = before.get(one.hash);
      if (known === undefined) fresh.push(add(one));
      else blocks.set(one.hash, known);
    }
    return fresh;
  };
  const step = ({ enacted, retracted }: Exclude<ChainEvent, { kind: 'moved' }>): Waiting[] => {
    for (const hash of retracted) blocks.delete(hash);
    const fresh = enacted.flatMap((hash) => {
      const block = tree.get(hash);
      return block !== null && isCandidate(block) ? [add(block)] : [];
    });
    const { number: floor } = chain.finalized();
    for (const [hash, { number }] of blocks) {
      if (number > floor) break;
      blocks.delete(hash);
    }
    return fresh;
  };
  return {
    entries: () => blocks.entries(),
    /** Removes a block and those below it. */
    removeUpTo: (last: BlockHash): void => {
      if (!blocks.has(last)) return;
      for (const hash of blocks.keys()) {
        blocks.delete(hash);
        if (hash === last) break;
      }
    },
    clear: () => blocks.clear(),
    refill,
    /** Applies a chain event; returns the new blocks. */
    follow: (event: ChainEvent) => (event.kind === 'moved' ? refill() : step(event)),
  };
};

const isDue = (
  length: DelayLength | null,
  { number, sinceMs }: Waiting,
  best: number,
  nowMs: number,
): boolean => {
  if (length === null || sinceMs === null) return false;
  return 'ms' in length ? nowMs - sinceMs >= length.ms : best - number >= length.blocks;
};

/**
 * If a timer is late by more than this share of the delay, the node was blocked; it then waits as long again.
 */
const lateness = 0.25;

/** Repeatedly reports the newest block whose delay is over, with one timer for the oldest. */
const createClockwork = (
  { chain, now, schedule, onError }: DelayDeps,
  { length, onDue }: DelayOptions,
  waiting: ReturnType<typeof createWaiting>,
) => {
  let cancel: (() => void) | null = null;
  let isWorking = false;
  let isOver = false;
  const findDue = (): BlockHash | null => {
    let due: BlockHash | null = null;
    for (const [hash, block] of waiting.entries()) {
      if (!isDue(length(), block, chain.best().number, now())) break;
      due = hash;
    }
    return due;
  };
  const reportDue = async (): Promise<void> => {
    isWorking = true;
    try {
      for (let due = findDue(); due !== null; due = findDue()) {
        await onDue(due);
        waiting.removeUpTo(due);
      }
    } catch (error) {
      onError(error);
      // Retries after another delay, or with the next block.
      for (const [, block] of waiting.entries()) block.sinceMs = now();
    } finally {
      isWorking = false;
    }
  };
  const sleep = (ms: number, graceMs: number): void => {
    const dueMs = now() + ms;
    cancel = schedule(ms, () => {
      cancel = null;
      // Requests that arrived while the node was blocked are handled first, because their clients still
      // expect the block to be best and not finalized.
      if (graceMs > 0 && now() - dueMs > graceMs) sleep(graceMs, 0);
      else void wake();
    });
  };
  const wake = async (): Promise<void> => {
    if (isOver || isWorking || cancel !== null) return;
    await reportDue();
    const at = length();
    const [first] = waiting.entries();
    const sinceMs = first?.[1].sinceMs ?? null;
    if (!isOver && cancel === null && at !== null && 'ms' in at && sinceMs !== null)
      sleep(Math.max(0, Math.ceil(sinceMs + at.ms - now())), at.ms * lateness);
  };
  const rest = (): void => {
    cancel?.();
    cancel = null;
  };
  return {
    wake: () => void wake(),
    rest,
    close: () => {
      isOver = true;
      rest();
    },
  };
};

export const createDelay = (deps: DelayDeps, options: DelayOptions): Delay => {
  const waiting = createWaiting(deps, options.isCandidate);
  const clockwork = createClockwork(deps, options, waiting);
  const announce = async (fresh: readonly Waiting[]): Promise<void> => {
    await deps.settled();
    for (const block of fresh) block.sinceMs = deps.now();
    clockwork.wake();
  };
  return {
    restart: () => {
      clockwork.rest();
      if (options.length() === null) waiting.clear();
      else void announce(waiting.refill());
    },
    follow: (event) => {
      if (options.length() !== null) void announce(waiting.follow(event));
    },
    newest: () => {
      waiting.refill();
      return [...waiting.entries()].at(-1)?.[0] ?? null;
    },
    close: clockwork.close,
  };
};
