/** A value or a promise of it. A value known synchronously is passed on without an extra tick. */
export type Soon<T> = T | Promise<T>;

/** Calls `next` with the value, synchronously if possible. */
export const andThen = <T, R>(value: Soon<T>, next: (value: T) => R): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/**
 * Calls `done` with the result of the work, or `failed` with what the work or `done` throws; synchronously if
 * possible.
 */
export const settle = <T, R>(
  work: () => Soon<T>,
  done: (value: T) => R,
  failed: (error: unknown) => R,
): Soon<R> => {
  try {
    const value = work();
    return value instanceof Promise ? value.then(done).catch(failed) : done(value);
  } catch (error) {
    return failed(error);
  }
};
