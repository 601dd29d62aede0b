import { NodeError } from '../../src/protocol/errors.ts';
import { isUnavailable } from '../chain/refusal.ts';
import { type RunDeps, runWorker, type WorkerBlock } from './run.ts';

/** The offchain workers of a node, one per block. They never delay an import. */
export type Workers = {
  start(block: WorkerBlock): void;
  /** Resolves when no worker is running. */
  idle(): Promise<void>;
  /** Aborts running workers and waits for them. */
  close(): Promise<void>;
};

export type WorkersDeps = RunDeps & { readonly onError: (error: unknown) => void };

/** Maximum number of workers that wait (for HTTP or a time) at once. Further blocks are skipped. */
const maxRuns = 32;
/** Longer than any worker of current runtimes waits. */
const maxRunMs = 60_000;

/** Maximum number of blocks skipped after workers that used up their fuel. */
const maxPause = 64;

/**
 * An endless worker would use up its fuel at each block, so after each such run twice as many blocks are
 * skipped.
 */
const createPause = () => {
  let pause = 0;
  let left = 0;
  return {
    /** Whether to skip the next block. */
    skips: (): boolean => left > 0 && left-- > 0,
    note: (ranOut: boolean): void => {
      pause = ranOut ? Math.min(Math.max(1, pause * 2), maxPause) : 0;
      left = pause;
    },
  };
};

const ranOut = (error: unknown): boolean => error instanceof NodeError && error.code === 'OutOfFuel';

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
      // Subscribers are notified of the block first.
      await new Promise<void>((resolve) => deps.schedule(0, resolve));
      await runWorker(deps, block, late.signal);
      pause.note(false);
    } catch (error) {
      if (ranOut(error)) pause.note(true);
      // A pruned block loses its state, which is not the worker's fault.
      if (!closing.signal.aborted && !isUnavailable(error)) deps.onError(error);
    } finally {
      cancel();
      closing.signal.removeEventListener('abort', giveUp);
      // Pending requests that the worker did not wait for end with the run.
      late.abort(tooLate);
    }
  };
  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    start: (block) => {
      if (closing.signal.aborted || pause.skips()) return;
      // If blocks arrive faster than their workers finish, some are skipped. The next worker sees the same
      // state and more.
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
