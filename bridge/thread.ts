import { Worker } from 'node:worker_threads';
import { dataToError, NodeError } from '../src/protocol/errors.ts';
import type { Outcome } from '../src/protocol/node.ts';

/** The location of the worker's own file: next to this one once built, in its folder as source. */
export const workerEntry = import.meta.url.endsWith('.ts') ? '../worker/main-node.ts' : './main-node.js';
/** The same for a file of this folder. */
export const bridgeEntry = (name: string): string =>
  `./${name}.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;

/** The value of an outcome; a failure is thrown as `NodeError`. */
export const unwrap = <T>(outcome: Outcome<T>): T => {
  if (!outcome.ok) throw dataToError(outcome.error);
  return outcome.value;
};

export const spawnThread = (
  entry: string,
  options: Pick<WorkerOptions, 'workerData' | 'transferList'>,
): Worker =>
  new Worker(new URL(entry, import.meta.url), {
    ...options,
    execArgv: ['--disable-warning=ExperimentalWarning'], // node:sqlite
  });
type WorkerOptions = NonNullable<ConstructorParameters<typeof Worker>[1]>;

/**
 * Comlink's calls never settle once the other side is gone, so each is raced against the end of the thread.
 */
export const createLife = (thread: Worker) => {
  let stopping = false;
  const end = Promise.withResolvers<never>();
  end.promise.catch(() => undefined);
  const fail = (message: string, cause?: unknown): void =>
    end.reject(new NodeError('Disconnected', message, { cause }));
  thread.once('error', (cause: unknown) =>
    fail(`The node's thread failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause),
  );
  thread.once('exit', (code) => fail(`The node's thread ended with code ${code}`));
  const race = <T>(call: Promise<T>): Promise<T> => Promise.race([call, end.promise]);
  return {
    race,
    /** Makes a final call, during which the thread may end. */
    finish: async (call: () => Promise<void>): Promise<void> => {
      stopping = true;
      await race(call()).catch((error: unknown) => {
        if (!(error instanceof NodeError && error.code === 'Disconnected')) throw error;
      });
    },
    /** Called once if the thread ends unexpectedly. */
    onDeath: (callback: (error: NodeError) => void): void => {
      end.promise.catch((error: NodeError) => {
        if (!stopping) callback(error);
      });
    },
  };
};
