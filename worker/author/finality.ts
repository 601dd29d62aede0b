import { defaultFinality } from '../../src/protocol/finality.ts';
import type { FinalityMode, SealMode } from '../../src/protocol/node.ts';
import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import type { TreeBlock } from '../chain/tree.ts';
import type { BlockHash } from '../codec/identity.ts';

/** Finalizes our own blocks without a proof (decision 15). */
export type Finality = {
  mode(): FinalityMode;
  /** Whether the operator chose the mode; otherwise it follows the seal mode. */
  isChosen(): boolean;
  setMode(mode: FinalityMode): void;
  /** Informs finality about a change of the seal mode. */
  followSeal(seal: SealMode): void;
  /** Calls back after each change of the mode. */
  onMode(listener: () => void): void;
  close(): void;
};

export type FinalityDeps = {
  readonly chain: Pick<Chain, 'best' | 'finalized' | 'finalizeIfBest' | 'onEvent'> & {
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

type Options = {
  /** The operator's choice, if any. */
  readonly chosen: FinalityMode | null;
  readonly seal: SealMode;
};

/** An own block on the best chain, with the time at which clients were notified; null until they are. */
type Waiting = { readonly number: number; sinceMs: number | null };

/** The waiting blocks, in ascending order. Only own blocks on the best chain are included. */
const createWaiting = ({ chain }: FinalityDeps) => {
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
    const own: TreeBlock[] = [];
    const { number: floor } = chain.finalized();
    let block = tree.get(chain.best().hash);
    for (; block !== null && block.number > floor; block = tree.get(block.parent))
      if (block.isOwn) own.push(block);
    const fresh: Waiting[] = [];
    for (const one of own.reverse()) {
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
      return block?.isOwn === true ? [add(block)] : [];
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
    remove: (hash: BlockHash) => void blocks.delete(hash),
    clear: () => blocks.clear(),
    refill,
    /** Applies a chain event; returns the new blocks. */
    follow: (event: ChainEvent) => (event.kind === 'moved' ? refill() : step(event)),
  };
};

const isDue = (mode: FinalityMode, { number, sinceMs }: Waiting, best: number, nowMs: number): boolean => {
  if (mode.kind !== 'delayed' || sinceMs === null) return false;
  return 'ms' in mode ? nowMs - sinceMs >= mode.ms : best - number >= mode.blocks;
};

/**
 * If a timer is late by more than this share of the delay, the node was blocked; it then waits as long again.
 */
const lateness = 0.25;

/** Repeatedly finalizes the newest block whose delay is over, with one timer for the oldest. */
const createClockwork = (
  deps: FinalityDeps,
  waiting: ReturnType<typeof createWaiting>,
  mode: () => FinalityMode,
) => {
  const { chain, now, schedule, onError } = deps;
  let cancel: (() => void) | null = null;
  let isWorking = false;
  let isOver = false;
  const findDue = (): BlockHash | null => {
    let due: BlockHash | null = null;
    for (const [hash, block] of waiting.entries()) {
      if (!isDue(mode(), block, chain.best().number, now())) break;
      due = hash;
    }
    return due;
  };
  const finalizeDue = async (): Promise<void> => {
    isWorking = true;
    try {
      for (let due = findDue(); due !== null; due = findDue()) {
        await chain.finalizeIfBest(due);
        waiting.remove(due);
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
    await finalizeDue();
    const at = mode();
    const [first] = waiting.entries();
    const sinceMs = first?.[1].sinceMs ?? null;
    if (!isOver && cancel === null && 'ms' in at && sinceMs !== null)
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

/** Follows the chain from its creation on. Create it after the parts that `settled` waits for. */
export const createFinality = (deps: FinalityDeps, options: Options): Finality => {
  const { chain, now, settled, onError } = deps;
  let { chosen, seal } = options;
  const mode = (): FinalityMode => chosen ?? defaultFinality(seal);
  const listeners: (() => void)[] = [];
  const waiting = createWaiting(deps);
  const clockwork = createClockwork(deps, waiting, mode);
  const announce = async (fresh: readonly Waiting[]): Promise<void> => {
    await settled();
    for (const block of fresh) block.sinceMs = now();
    clockwork.wake();
  };
  const begin = (): void => {
    clockwork.rest();
    if (mode().kind === 'delayed') void announce(waiting.refill());
    else waiting.clear();
  };
  /** Blocks that are not finalized yet follow the new mode: finalized at once, or after its delay. */
  const change = (): void => {
    for (const listener of listeners) listener();
    if (mode().kind === 'instant') waiting.refill();
    const [last] = [...waiting.entries()].at(-1) ?? [];
    begin();
    if (mode().kind === 'instant' && last !== undefined) chain.finalizeIfBest(last).catch(onError);
  };
  const off = chain.onEvent((event) => {
    if (mode().kind === 'delayed') void announce(waiting.follow(event));
  });
  begin();
  return {
    mode,
    isChosen: () => chosen !== null,
    setMode: (next) => {
      chosen = next;
      change();
    },
    followSeal: (next) => {
      seal = next;
      change();
    },
    onMode: (listener) => void listeners.push(listener),
    close: () => {
      off();
      clockwork.close();
    },
  };
};
