import { Trap } from '../executor/trap.ts';

/**
 * Thrown through the guest when a host function has to wait. The call is repeated when `settled` resolves. It
 * captures no stack.
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
 * The recorded results of host functions during one run of a worker, in order (docs/decisions/0009). When the
 * call is repeated, it gets the same results up to where it stopped, so each effect happens once and the
 * guest takes the same path.
 */
export type Answers = {
  /** Starts a new attempt. */
  rewind(): void;
  /**
   * Returns the recorded result of this step, or else records that of `compute`. If `compute` throws, nothing
   * is recorded.
   */
  now<T>(compute: () => T): T;
  /** An asynchronous result: the attempt ends, and the next one finds it recorded. */
  later<T>(start: () => Promise<T>): T;
};

/** Maximum number of results in one run of a worker. */
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
