/** Runs a task in a later turn of the event loop, in Node.js and in browsers. */
export const inNextTurn = (run: () => void): void => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    run();
  };
  port2.postMessage(null);
};

/** Turns of the event loop without progress after which only a timer can make some. */
const idleTurns = 40;

/**
 * Time that passes only when nothing else is left to do, so that tests of deadlines take no time and do not depend
 * on the machine. What runs must settle by promises and `inNextTurn` alone.
 */
export const createVirtualTime = () => {
  let nowMs = 1_750_000_000_000;
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  const schedule = (ms: number, run: () => void): (() => void) => {
    const timer = { dueMs: nowMs + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const turn = (): Promise<void> => new Promise(inNextTurn);
  const advance = (): boolean => {
    const [next] = [...timers].sort((a, b) => a.dueMs - b.dueMs);
    if (next === undefined) return false;
    timers.delete(next);
    nowMs = Math.max(nowMs, next.dueMs);
    next.run();
    return true;
  };
  return {
    now: () => nowMs,
    schedule,
    /** How many timers are pending. */
    pending: () => timers.size,
    /** Lets time pass until the promise settles. Fails if it never can. */
    until: async <T>(promise: Promise<T>): Promise<T> => {
      let isSettled = false;
      const settle = (): void => {
        isSettled = true;
      };
      promise.then(settle, settle);
      for (;;) {
        for (let at = 0; at < idleTurns && !isSettled; at += 1) await turn();
        if (isSettled) return promise;
        if (!advance()) throw new Error('It never settles');
      }
    },
    /** Lets so much time pass. */
    pass: async (ms: number): Promise<void> => {
      let isOver = false;
      schedule(ms, () => {
        isOver = true;
      });
      while (!isOver) {
        for (let at = 0; at < idleTurns; at += 1) await turn();
        advance();
      }
      for (let at = 0; at < idleTurns; at += 1) await turn();
    },
  };
};
