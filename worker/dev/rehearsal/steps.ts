import { NodeError } from '../../../src/protocol/errors.ts';
import type { RehearsalPosition, RehearsalStep } from '../../../src/protocol/rehearsal.ts';
import type { Chain } from '../../chain/chain.ts';
import { startPace, yieldNow } from '../../tasks/pace.ts';
import { createReadCounter, type OnReads, type ReadCounter } from './read-counter.ts';

/** What follows a rehearsal from outside. */
export type Watching = {
  /** Called often, also while a call of the runtime blocks the thread. */
  readonly watch?: ((position: RehearsalPosition) => void) | undefined;
  /** Ends the rehearsal before its next attempt, which rejects with `Aborted`. */
  readonly signal?: AbortSignal | undefined;
};

export type RehearsalSteps = {
  /** Lets other work of the node run first. */
  begin(step: RehearsalStep, block: number | null): Promise<void>;
  /** The step has read that many keys so far. May be called from within a call of the runtime. */
  seen(keys: number): void;
  /** One more key was read ahead of the runtime. */
  ahead(): void;
  /** Counts what each run reads, which is seen. */
  readonly reads: ReadCounter;
  /** Pauses before each run, and ends it when the rehearsal is canceled. */
  readonly run: Chain['run'];
};

/** Runs the parts of a rehearsal beside the other work of a node. */
export const startSteps = (
  chain: Pick<Chain, 'run'>,
  { watch = () => undefined, signal, onReads }: Watching & { readonly onReads?: OnReads | undefined },
): RehearsalSteps => {
  const pace = startPace();
  let position: RehearsalPosition = { step: 'checks', block: null, keys: 0 };
  /** Keys of the steps before. */
  let before = 0;
  /** Of this step. */
  let readAhead = 0;
  const checkSignal = (): void => {
    if (signal?.aborted) throw new NodeError('Aborted', 'The rehearsal was canceled');
  };
  const seen = (keys: number): void => {
    if (before + keys <= position.keys) return;
    position = { ...position, keys: before + keys };
    watch(position);
  };
  return {
    begin: async (step, block) => {
      before = position.keys;
      readAhead = 0;
      position = { step, block, keys: before };
      watch(position);
      await yieldNow();
      checkSignal();
    },
    seen,
    ahead: () => {
      readAhead += 1;
      seen(readAhead);
    },
    reads: createReadCounter((values) => {
      onReads?.(values);
      seen(values);
    }),
    run: async (attempt, predict) => {
      await pace.pause();
      return chain.run(() => {
        checkSignal();
        return attempt();
      }, predict);
    },
  };
};
