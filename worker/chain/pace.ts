import { hear } from '../../src/protocol/hear.ts';

/** One long piece of work, done in slices. */
export type Pace = {
  isDue(): boolean;
  /** Null until the slice is over, then lets what waits in the worker run. */
  pause(): Promise<void> | null;
};

/**
 * Lets what waits in the worker run, by a message to itself that takes its turn behind those that came before: in
 * microseconds, where a timer takes 4 ms. Not by `scheduler.yield`, whose continuation Chromium runs ahead of them:
 * nothing was answered until the block was done.
 */
export const yieldNow = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    hear(port1, () => {
      port1.close();
      resolve();
    });
    port2.postMessage(null);
  });

/** Work in slices gives way this often, in ms: a tenth of what an answer may take (DESIGN §5). */
export const sliceMs = 4;

/** Begins a piece of work now; it keeps the worker to itself for `ms` at a time. */
export const startPace = (ms: number = sliceMs): Pace => {
  let end = performance.now() + ms;
  const isDue = (): boolean => performance.now() >= end;
  const pause = async (): Promise<void> => {
    await yieldNow();
    end = performance.now() + ms;
  };
  return { isDue, pause: () => (isDue() ? pause() : null) };
};
