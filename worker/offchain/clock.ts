/** The time during one run of a worker. All waits end with the run. */
export type RunClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Resolves when the work does, or at the deadline (ms since 1970, null: none); rejects when the work does
   * or the run is aborted.
   */
  until(deadline: number | null, work?: Promise<unknown>): Promise<void>;
};

type Deps = {
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
};

/** Maximum delay of a timer. For later deadlines, the timer is renewed. */
const longestMs = 0x7fff_ffff;

export const createRunClock = ({ now, schedule }: Deps, signal: AbortSignal): RunClock => ({
  now,
  until: (deadline, work) =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => finish(() => reject(signal.reason));
      const cancel =
        deadline === null
          ? () => undefined
          : schedule(Math.min(Math.max(0, deadline - now()), longestMs), () => finish(resolve));
      const finish = (settle: () => void): void => {
        cancel();
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      work?.then(
        () => finish(resolve),
        (error: unknown) => finish(() => reject(error)),
      );
    }),
});
