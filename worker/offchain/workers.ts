import { NodeError } from '../../src/protocol/errors.ts';
import { type RunDeps, runWorker, type WorkerBlock } from './run.ts';

/** The offchain workers of a node, each block's on its own; none of them holds up an import. */
export type Workers = {
  start(block: WorkerBlock): void;
  /** Resolves when no worker runs. */
  idle(): Promise<void>;
  /** Gives up what runs and waits for it. */
  close(): Promise<void>;
};

export type WorkersDeps = RunDeps & { readonly onError: (error: unknown) => void };

/** Workers that wait (for http, for a time) at the same time; blocks beyond go without one. */
const maxRuns = 32;
/** Longer than a worker of today's runtimes ever waits. */
const maxRunMs = 60_000;

/** The longest pause, in blocks, after workers that used up their fuel. */
const maxPause = 64;

/**
 * A worker that never ends would cost its whole fuel at each block: after each such run twice as many blocks
 * go without.
 */
const createPause = () => {
  let pause = 0;
  let left = 0;
  return {
    /** Whether the next block goes without. */
    skips: (): boolean => left > 0 && left-- > 0,
    note: (ranOut: boolean): void => {
      pause = ranOut ? Math.min(Math.max(1, pause * 2), maxPause) : 0;
      left = pause;
    },
  };
};

const ranOut = (error: unknown): boolean => error instanceof NodeError && error.code === 'OutOfFuel';

/** A block that was cut off takes its state along; that is no fault of the worker. */
const isMoot = (error: unknown): boolean =>
  error instanceof NodeError && (error.code === 'UnknownBlock' || error.code === 'StateDiscarded');

export const createWorkers = (deps: WorkersDeps): Workers => {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const pause = createPause();
  const run = async (block: WorkerBlock): Promise<void> => {
    const late = new AbortController();
    const giveUp = (): void => late.abort(closing.signal.reason);
    closing.signal.addEventListener('abort', giveUp);
    const { number } = block.header;
    const tooLate = new NodeError('Aborted', `The offchain worker of block #${number} took too long`);
    const cancel = deps.schedule(maxRunMs, () => late.abort(tooLate));
    try {
      // Whoever waits for the block hears of it first.
      await new Promise<void>((resolve) => deps.schedule(0, resolve));
      await runWorker(deps, block, late.signal);
      pause.note(false);
    } catch (error) {
      if (ranOut(error)) pause.note(true);
      if (!closing.signal.aborted && !isMoot(error)) deps.onError(error);
    } finally {
      cancel();
      closing.signal.removeEventListener('abort', giveUp);
      // Requests that nobody waited for end with the run.
      late.abort(tooLate);
    }
  };
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    start: (block) => {
      if (closing.signal.aborted || pause.skips()) return;
      // Blocks that come faster than their workers end go without: the next one looks at the same state and
      // more.
      if (running.size >= maxRuns) return;
      const work: Promise<void> = run(block).finally(() => running.delete(work));
      running.add(work);
    },
    idle,
    close: () => {
      closing.abort(new NodeError('Aborted'));
      return idle();
    },
  };
};
