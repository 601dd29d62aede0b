import type { PoolEntry } from './transaction.ts';

/**
 * Submits lists of stored transactions in order. A newer list ends an older one: it begins when the submission under
 * way has ended, so that nothing of the older list enters later.
 */
export const createFill = (submit: (entry: PoolEntry) => Promise<unknown>) => {
  let lists = 0;
  let filling = Promise.resolve();
  const run = async (own: number, entries: readonly PoolEntry[]): Promise<void> => {
    for (const entry of entries) {
      if (own !== lists) return;
      await submit(entry);
    }
  };
  /** `prepare` runs between the older list and this one. Rejects if `submit` does. */
  return async (entries: readonly PoolEntry[], prepare = (): void => undefined): Promise<void> => {
    const own = ++lists;
    await filling.catch(() => undefined);
    prepare();
    filling = run(own, entries);
    await filling;
  };
};
