/** What has been opened so far, to be closed in reverse. */
export type Closers = {
  add(close: () => unknown): void;
  /**
   * Closes the newest first, each whatever became of those before it. Rejects with what failed, once all are
   * closed; closing again does nothing.
   */
  closeAll(): Promise<void>;
};

export const createClosers = (): Closers => {
  const closers: (() => unknown)[] = [];
  return {
    add: (close) => void closers.push(close),
    closeAll: async () => {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
      if (failures.length === 1) throw failures[0];
    },
  };
};
