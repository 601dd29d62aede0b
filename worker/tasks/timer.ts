/** Time that passes only while there is something to vote on. */
export const createActiveTime = (now: () => number) => {
  let passed = 0;
  let since: number | null = now();
  const read = (): number => passed + (since === null ? 0 : now() - since);
  return {
    read,
    setRunning: (isRunning: boolean): void => {
      if (isRunning === (since !== null)) return;
      passed = read();
      since = isRunning ? now() : null;
    },
  };
};

/** One timer at a time. */
export const createTimer = (schedule: (ms: number, run: () => void) => () => void, run: () => void) => {
  let cancel: (() => void) | null = null;
  const clear = (): void => {
    cancel?.();
    cancel = null;
  };
  return {
    clear,
    set: (ms: number | null): void => {
      clear();
      if (ms === null) return;
      cancel = schedule(Math.max(0, Math.ceil(ms)), () => {
        cancel = null;
        run();
      });
    },
  };
};

/** Milliseconds since the thread began, whatever happens to the clock of the machine. */
export const elapsed = (): number => performance.now();

/** A clock that starts with the given one and does not jump when the clock of the machine is set. */
export const createMonotonicClock = (now: () => number): (() => number) => {
  const beganMs = now() - elapsed();
  return () => beganMs + elapsed();
};
