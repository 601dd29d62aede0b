/** A value, or a promise of it. A value that is known synchronously is returned without an extra turn. */
export type Soon<T> = T | Promise<T>;

/** `next` with the value, at once or later. */
export const andThen = <T, R>(value: Soon<T>, next: (value: T) => R): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** `done` with the result of the work, or `failed` with what the work or `done` throws, at once or later. */
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
