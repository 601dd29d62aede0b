/** One long piece of work, done in slices. */
export type Pace = {
  isDue(): boolean;
  /** Null until the slice is over, then lets what waits in the worker run. */
  pause(): Promise<void> | null;
};

/** A turn of the event loop by a message to itself. One channel serves all turns: a browser delivers each message as a task of its own. */
const createTurns = (): ((run: () => void) => void) => {
  const waiting: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => waiting.shift()?.();
  return (run) => {
    waiting.push(run);
    port2.postMessage(null);
  };
};

// Opened by the first turn, and without a state between turns: nothing of one node shows in another.
let takeTurn: ((run: () => void) => void) | undefined;

/**
 * Lets what waits in the worker run, by a turn behind what came before: in microseconds, where a timer takes 4 ms. Not by
 * `scheduler.yield`, whose continuation Chromium runs ahead of them: nothing was answered until the block was done. Not by
 * a channel in Node.js, which delivers up to a thousand messages of one port in the same turn.
 */
export const yieldNow = (): Promise<void> => {
  takeTurn ??= typeof setImmediate === 'function' ? setImmediate : createTurns();
  return new Promise(takeTurn);
};

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
