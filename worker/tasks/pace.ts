/** The pacing of a long computation that runs in slices. */
export type Pace = {
  isDue(): boolean;
  /** Null until the slice is over, then a promise during which other work in the worker runs. */
  pause(): Promise<void> | null;
};

/**
 * One turn of the event loop, by a message to itself. All turns share one channel: a browser delivers each
 * message as a separate task.
 */
const createTurns = (): ((run: () => void) => void) => {
  const waiting: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => waiting.shift()?.();
  return (run) => {
    waiting.push(run);
    port2.postMessage(null);
  };
};

// Created by the first turn. Holds no state between turns, so nodes do not affect each other.
let takeTurn: ((run: () => void) => void) | undefined;

/**
 * Yields to tasks already queued in the worker, in microseconds; a timer takes 4 ms. `scheduler.yield` does
 * not work: Chromium runs its continuation ahead of them, so no request was handled until the block was done.
 * Nor does a channel in Node.js, which delivers up to a thousand messages of one port in the same turn.
 */
export const yieldNow = (): Promise<void> => {
  takeTurn ??= typeof setImmediate === 'function' ? setImmediate : createTurns();
  return new Promise(takeTurn);
};

/** The time slice of long work, in ms: a tenth of what a client may have to wait for a small read. */
export const sliceMs = 4;

/** Starts a computation that may occupy the worker for `ms` at a time. */
export const startPace = (ms: number = sliceMs): Pace => {
  let end = performance.now() + ms;
  const isDue = (): boolean => performance.now() >= end;
  const pause = async (): Promise<void> => {
    await yieldNow();
    end = performance.now() + ms;
  };
  return { isDue, pause: () => (isDue() ? pause() : null) };
};
