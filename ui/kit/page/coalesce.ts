/** Repeats work requested while it runs, as it may have read older values. All callers share the runs. */
export const coalesce = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  let again = false;
  const run = async (): Promise<void> => {
    try {
      while (again) {
        again = false;
        await work();
      }
    } finally {
      // At once: a call after the last run would be lost otherwise.
      running = null;
    }
  };
  return () => {
    again = true;
    running ??= run();
    return running;
  };
};
