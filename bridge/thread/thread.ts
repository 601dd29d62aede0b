import { Worker } from 'node:worker_threads';
import { dataToError, NodeError } from '../../src/protocol/errors.ts';
import type { Outcome } from '../../src/protocol/node.ts';

/** The worker's entry file: next to this file once built, in its own folder when run from source. */
export const workerEntry = import.meta.url.endsWith('.ts') ? '../../worker/main-node.ts' : './main-node.js';
/** The same for a file of this folder. */
export const bridgeEntry = (name: string): string =>
  `./${name}.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;

/** Returns the value of an outcome; throws a failure as `NodeError`. */
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
    execArgv: ['--disable-warning=ExperimentalWarning'], // for node:sqlite
  });
type WorkerOptions = NonNullable<ConstructorParameters<typeof Worker>[1]>;

/** Comlink calls never settle once the other side is gone, so each is raced against the thread's exit. */
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
    /** Makes a last call, during which the thread may exit. */
    finish: async (call: () => Promise<void>): Promise<void> => {
      stopping = true;
      await race(call()).catch((error: unknown) => {
        if (!(error instanceof NodeError && error.code === 'Disconnected')) throw error;
      });
    },
    /** The callback is called once if the thread ends unexpectedly. */
    onDeath: (callback: (error: NodeError) => void): void => {
      end.promise.catch((error: NodeError) => {
        if (!stopping) callback(error);
      });
    },
  };
};
