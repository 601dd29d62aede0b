import { Trap } from '../executor/trap.ts';

/**
 * Thrown through the guest when a host function has to wait; the call is run again when `settled` resolves.
 * It carries no stack.
 */
export class Waiting extends Error {
  readonly settled: Promise<unknown>;
  constructor(settled: Promise<unknown>) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super('An offchain host function waits');
    Error.stackTraceLimit = limit;
    this.name = 'Waiting';
    this.settled = settled;
  }
}

/**
 * What host functions answered to one run of a worker, in order (docs/decisions/0009). A call that is run
 * again gets the same answers up to where it stopped, so each effect happens once and the guest takes the
 * same way.
 */
export type Answers = {
  /** A new attempt begins. */
  rewind(): void;
  /** The recorded answer of this step, else what `compute` gives. When that throws, nothing is recorded. */
  now<T>(compute: () => T): T;
  /** An answer that takes time: the attempt ends, and the next one finds it. */
  later<T>(start: () => Promise<T>): T;
};

/** A worker asks so often at most in one run. */
export const maxAnswers = 100_000;

export const createAnswers = (): Answers => {
  const given: unknown[] = [];
  let at = 0;
  const isKnown = (): boolean => {
    if (at >= maxAnswers) throw new Trap('The offchain worker asks too much of its host');
    return at < given.length;
  };
  return {
    rewind: () => {
      at = 0;
    },
    now: <T>(compute: () => T): T => {
      if (!isKnown()) given.push(compute());
      return given[at++] as T;
    },
    later: <T>(start: () => Promise<T>): T => {
      if (isKnown()) return given[at++] as T;
      throw new Waiting(start().then((answer) => given.push(answer)));
    },
  };
};
