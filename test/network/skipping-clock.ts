import { vi } from 'vitest';

/** A clock of the whole process that tests move; timers that are due then run at once. */
export const createSkippingClock = () => {
  const now = performance.now.bind(performance);
  let skippedMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly fire: () => void }>();
  vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs);
  return {
    schedule: (ms: number, run: () => void): (() => void) => {
      const fire = (): void => {
        cancel();
        run();
      };
      const one = { atMs: performance.now() + ms, fire };
      timers.add(one);
      const timer = setTimeout(fire, ms);
      const cancel = (): void => {
        clearTimeout(timer);
        timers.delete(one);
      };
      return cancel;
    },
    skip: (ms: number): void => {
      skippedMs += ms;
      const due = [...timers].filter(({ atMs }) => atMs <= performance.now());
      for (const one of due.sort((a, b) => a.atMs - b.atMs)) if (timers.has(one)) one.fire();
    },
  };
};

export type SkippingClock = ReturnType<typeof createSkippingClock>;
