import { isOriginFault } from '../chain/refusal.ts';
import { startPace } from '../tasks/pace.ts';
import type { PoolEntry } from './transaction.ts';

/**
 * Submits lists of stored transactions in order. A newer list ends an older one: it begins when the submission under
 * way has ended, so that nothing of the older list enters later. Between them, the worker does its other work: a
 * validation is all computation, and thousands of them take seconds.
 */
export const createFill = (
  submit: (entry: PoolEntry) => Promise<unknown>,
  onError: (error: unknown) => void = () => undefined,
) => {
  /** What a transaction needs of a live chain's state may be lost. The others are submitted all the same. */
  const submitOne = (entry: PoolEntry): Promise<unknown> =>
    submit(entry).catch((error: unknown) => {
      if (!isOriginFault(error)) throw error;
      onError(error);
    });
  let lists = 0;
  let filling = Promise.resolve();
  const run = async (own: number, entries: readonly PoolEntry[]): Promise<void> => {
    const pace = startPace();
    for (const entry of entries) {
      if (own !== lists) return;
      await submitOne(entry);
      await pace.pause();
    }
  };
  /** `prepare` runs between the older list and this one. Rejects if `submit` does. */
  const fill = async (entries: readonly PoolEntry[], prepare = (): void => undefined): Promise<void> => {
    const own = ++lists;
    await filling.catch(() => undefined);
    prepare();
    filling = run(own, entries);
    await filling;
  };
  return { fill, filled: (): Promise<void> => filling.catch(() => undefined) };
};
