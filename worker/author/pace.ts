/** One long piece of work: `pause` is null until its slice is over, then lets what waits in the worker run. */
export type Pace = { pause(): Promise<void> | null };

/** How long a piece of work keeps the worker to itself. */
const sliceMs = 4;

/**
 * By a message to itself: it waits its turn behind the messages that came before, in microseconds where a timer takes
 * 4 ms. Not by `scheduler.yield`, whose continuation Chromium runs ahead of them: nothing was answered until the block
 * was done.
 */
const yieldNow = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** Begins a piece of work now. */
export const startPace = (): Pace => {
  let end = performance.now() + sliceMs;
  return {
    pause: () => {
      if (performance.now() < end) return null;
      return yieldNow().then(() => {
        end = performance.now() + sliceMs;
      });
    },
  };
};
