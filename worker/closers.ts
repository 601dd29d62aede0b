/** A stack of functions that close resources, called in reverse order. */
export type Closers = {
  add(close: () => unknown): void;
  /**
   * Calls all of them, newest first, even if one fails; then rejects with the failures. A second call does
   * nothing.
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
