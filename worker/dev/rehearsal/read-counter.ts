import type { Backend } from '../../state/backend.ts';

/** Called within a run, several times a second, with how many values it has read so far; with 0 once it has ended. */
export type OnReads = (values: number) => void;

/** Reads between two looks at the clock, and the time between two reports. */
const readsPerLook = 256;
const everyMs = 250;

/** A run through a large map is one call that takes seconds, in which nothing but a host function can report anything. */
export type ReadCounter = {
  /** The same state or overlay, whose reads are counted. */
  counted<T extends Reads>(reads: T): T;
  /** Counts from 0 for the time of a run. Its reports are made within it. */
  during<T>(run: () => T): T;
};

type Reads = Pick<Backend, 'get' | 'exists' | 'childGet' | 'childExists'>;

export const createReadCounter = (
  report: OnReads = () => undefined,
  nowMs: () => number = () => performance.now(),
): ReadCounter => {
  let values = 0;
  let isShown = false;
  let shownAt = Number.NEGATIVE_INFINITY;
  const count = (): void => {
    values += 1;
    if (values % readsPerLook !== 0 || nowMs() - shownAt < everyMs) return;
    shownAt = nowMs();
    isShown = true;
    report(values);
  };
  const counting =
    <A extends unknown[], T>(read: (...args: A) => T) =>
    (...args: A): T => {
      count();
      return read(...args);
    };
  return {
    counted: (reads) => ({
      ...reads,
      get: counting(reads.get),
      exists: counting(reads.exists),
      childGet: counting(reads.childGet),
      childExists: counting(reads.childExists),
    }),
    during: (run) => {
      values = 0;
      try {
        return run();
      } finally {
        if (isShown) report(0);
        isShown = false;
      }
    },
  };
};
