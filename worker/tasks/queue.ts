import { NodeError } from '../../src/protocol/errors.ts';

/** Runs jobs one after another. A job that fails does not stop the next. */
export type Queue = { run<T>(job: () => Promise<T>): Promise<T>; idle(): Promise<void> };

/** Throws `QueueFull` when more than `limit` jobs wait. */
export const createQueue = (limit: number): Queue => {
  let tail: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    run: (job) => {
      if (waiting >= limit) return Promise.reject(new NodeError('QueueFull'));
      waiting++;
      const result = tail.then(job).finally(() => {
        waiting--;
      });
      tail = result.catch(() => undefined);
      return result;
    },
    idle: async () => {
      await tail;
    },
  };
};
