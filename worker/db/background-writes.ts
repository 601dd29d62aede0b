/** Writes that go on while their caller does something else. */
export type BackgroundWrites = {
  /** Keeps track of a write; a failure is also reported to `onError`. Returns the write. */
  add(write: Promise<void>): Promise<void>;
  /**
   * Resolves when all writes in progress are done; rejects if one of them fails. A write that failed earlier does
   * not matter any more.
   */
  flush(): Promise<void>;
};

export const createBackgroundWrites = (onError: (error: unknown) => void): BackgroundWrites => {
  const pending = new Set<Promise<void>>();
  return {
    add: (write) => {
      pending.add(write);
      const done = (): void => void pending.delete(write);
      write.then(done, (error: unknown) => {
        done();
        onError(error);
      });
      return write;
    },
    flush: async () => {
      const results = await Promise.allSettled(pending);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
};
