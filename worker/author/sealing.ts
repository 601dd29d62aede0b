import { errorToData } from '../../src/protocol/errors.ts';
import type { SealMode } from '../../src/protocol/node.ts';
import type { Pool } from '../pool/pool.ts';
import type { Author, SealResult } from './author.ts';

/**
 * Why a block was not sealed. For an unexpected exception, `cause` is the error and the code is `Internal`.
 */
export type SealFault = Extract<SealResult, { ok: false }> & { readonly cause?: unknown };

/** Runs the seal mode, which decides when a block is requested from the author. */
export type Sealing = {
  mode(): SealMode;
  /** Why the last block was not sealed; null after a sealed block or a change of mode. */
  fault(): SealFault | null;
  setMode(mode: SealMode): void;
  close(): void;
};

export type SealingDeps = {
  readonly author: Pick<Author, 'seal' | 'slotMs' | 'heldMs'>;
  readonly pool: Pick<Pool, 'onReady' | 'readyCount'>;
  readonly now: () => number;
  /** The best block's time in ms since 1970; null if its runtime has none. */
  readonly chainTime: () => Promise<number | null>;
  /** Why the network lets the node seal no block by slots for now; null if it does. */
  readonly findWait: () => Promise<string | null>;
  /** Calls back once after `ms`. Returns a function that cancels it. */
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly onFailure: (fault: SealFault) => void;
  /** Called for each mode that is set. */
  readonly onMode: (mode: SealMode) => void;
};

const empty = { createEmpty: true, finalize: false } as const;

/**
 * Delay of an interval's first block, so that the client that started the node gets its first responses
 * before.
 */
const settlingMs = 250;

/** How often instant sealing looks whether an import has ended. */
const retryMs = 1000;

/** Seals on demand: one block after another as long as each includes transactions. */
const startInstant = (deps: SealingDeps): (() => void) => {
  let stopped = false;
  let busy = false;
  let emptyRounds = 0;
  /** The only timer, however many transactions become ready. */
  let timer: { readonly ms: number; readonly cancel: () => void } | null = null;
  const wakeIn = (ms: number): void => {
    if (timer !== null && timer.ms <= ms) return;
    timer?.cancel();
    const cancel = deps.schedule(ms, () => {
      timer = null;
      void work();
    });
    timer = { ms, cancel };
  };
  const work = async (): Promise<void> => {
    if (busy || stopped) return;
    const heldMs = deps.author.heldMs();
    if (heldMs > 0) {
      wakeIn(Math.min(heldMs, retryMs));
      return;
    }
    busy = true;
    emptyRounds = 0;
    try {
      // The runtime fills a block that ends a session, so transactions that did not fit get one more block.
      while (!stopped && deps.pool.readyCount() > 0 && emptyRounds < 2) {
        const result = await deps.author.seal({ createEmpty: false, finalize: false });
        if (!result.ok) {
          if (result.code !== 'EmptyPool') deps.onFailure(result);
          break;
        }
        emptyRounds = result.included > 0 ? 0 : emptyRounds + 1;
      }
    } finally {
      busy = false;
    }
  };
  const off = deps.pool.onReady(() => {
    // While an import holds blocks, the timer that looks whether it has ended is enough.
    if (timer === null || deps.author.heldMs() === 0) wakeIn(0);
  });
  wakeIn(0);
  return () => {
    stopped = true;
    timer?.cancel();
    off();
  };
};

const slotMsOf = async ({ author }: SealingDeps): Promise<number> => (await author.slotMs()) ?? 6000;

/** Why no slot of the wall clock is due; null if there are slots, even if some belong to others. */
const findAhead = async (deps: SealingDeps): Promise<string | null> => {
  const ms = (await deps.chainTime()) ?? 0;
  if (ms <= deps.now()) return null;
  const slotMs = await slotMsOf(deps);
  // The slot of the best block is taken.
  const due = new Date((Math.floor(ms / slotMs) + 1) * slotMs).toISOString();
  return `Chain time is ahead of the clock: by slots no block is due before ${due.slice(0, 10)} ${due.slice(11, 19)} UTC. Wait, or choose another seal mode`;
};

type Runner = SealingDeps & { readonly onWait: (message: string | null) => void };

/** Requests blocks repeatedly. The next wait starts when the block is done, so requests never pile up. */
const startRepeating = (
  deps: Runner,
  firstMs: number,
  nextMs: () => Promise<number>,
  wall: boolean,
): (() => void) => {
  let cancel: (() => void) | null = null;
  let stopped = false;
  const seal = async (): Promise<void> => {
    const result = await deps.author.seal({ ...empty, wall });
    if (result.ok) return;
    if (!wall || result.code !== 'NoClaimableKey') return deps.onFailure(result);
    const ahead = await findAhead(deps).catch(() => null);
    if (!stopped) deps.onWait(ahead);
  };
  const findWait = async (): Promise<string | null> => {
    if (deps.author.heldMs() > 0) return 'Blocks are being imported';
    return wall ? deps.findWait() : null;
  };
  const step = async (): Promise<void> => {
    const waits = await findWait();
    if (stopped) return;
    if (waits === null) await seal();
    else deps.onWait(waits);
    const wait = await nextMs().catch(() => 1000);
    if (!stopped) cancel = deps.schedule(wait, () => void step());
  };
  cancel = deps.schedule(firstMs, () => void step());
  return () => {
    stopped = true;
    cancel?.();
  };
};

const start = (deps: Runner, mode: SealMode): (() => void) => {
  switch (mode.kind) {
    case 'manual':
      return () => undefined;
    case 'instant':
      return startInstant(deps);
    case 'interval':
      return startRepeating(deps, Math.min(mode.ms, settlingMs), () => Promise.resolve(mode.ms), false);
    case 'slots':
      return startRepeating(
        deps,
        0,
        async () => {
          const slotMs = await slotMsOf(deps);
          return slotMs - (deps.now() % slotMs);
        },
        true,
      );
    default:
      return mode satisfies never;
  }
};

const toFault = (cause: unknown): SealFault => {
  const { code, message } = errorToData(cause);
  return { ok: false, code, message, cause };
};

export const createSealing = (given: SealingDeps, first: SealMode): Sealing => {
  let mode = first;
  let fault: SealFault | null = null;
  // An unexpected exception only affects this block.
  const seal: SealingDeps['author']['seal'] = async (request) => {
    const result = await given.author.seal(request).catch(toFault);
    if (result.ok) fault = null;
    return result;
  };
  // A failure that repeats every two seconds is only logged once.
  const onFailure = (failure: SealFault): void => {
    const isKnown = failure.code === fault?.code && failure.message === fault.message;
    fault = failure;
    if (!isKnown) given.onFailure(failure);
  };
  // Not a failure, but users need to know why there are no blocks.
  const onWait = (message: string | null): void => {
    fault = message === null ? null : { ok: false, code: 'Unsupported', message };
  };
  const deps: Runner = { ...given, author: { ...given.author, seal }, onFailure, onWait };
  let stop = start(deps, mode);
  return {
    mode: () => mode,
    fault: () => fault,
    setMode: (next) => {
      stop();
      mode = next;
      fault = null;
      given.onMode(mode);
      stop = start(deps, mode);
    },
    close: () => stop(),
  };
};
