import type { WorkerHost } from './begin.ts';

/** A worker that a node will run in; `failed` is an error that occurred before anyone listened. */
export const hostOf = (worker: Worker, failed?: Promise<ErrorEvent>): WorkerHost => {
  const ended = new AbortController();
  // An error before the first message means the script did not load; after later ones the worker is still
  // alive.
  let hasSpoken = false;
  // Comlink keeps a worker alive until its remote is garbage-collected, and what these listeners refer to
  // keeps the remote alive.
  const listening = new AbortController();
  const listenerOptions: AddEventListenerOptions = { signal: listening.signal };
  worker.addEventListener('message', () => (hasSpoken = true), listenerOptions);
  const onError = (event: ErrorEvent): void => {
    if (!hasSpoken)
      ended.abort(
        event.message === undefined
          ? 'The worker could not be loaded'
          : `The worker failed: ${event.message}`,
      );
  };
  worker.addEventListener('error', onError, listenerOptions);
  void failed?.then(onError);
  return {
    endpoint: worker,
    // It may have failed before anyone listens.
    onDeath: (listener) => {
      const report = (): void => listener(String(ended.signal.reason));
      if (ended.signal.aborted) report();
      else ended.signal.addEventListener('abort', report);
    },
    terminate: () => {
      listening.abort();
      worker.terminate();
    },
  };
};

/** Starts the worker that a node will run in. Its script starts loading and compiling immediately. */
export const createHost = (workerUrl?: string | URL): WorkerHost =>
  hostOf(
    workerUrl === undefined
      ? new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module' })
      : new Worker(workerUrl, { type: 'module' }),
  );
