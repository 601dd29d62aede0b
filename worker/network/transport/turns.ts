/** Runs a job soon. */
export type Turns = (job: () => void) => void;

/**
 * One job per turn of the event loop, in order: a step of a handshake takes milliseconds, and many handshakes at once
 * must not delay everything else by more than one of them.
 */
export const createTurns = (yieldNow: () => Promise<void>): Turns => {
  const jobs: (() => void)[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
        job();
        await yieldNow();
      }
    } finally {
      isRunning = false;
    }
  };
  return (job) => {
    jobs.push(job);
    if (!isRunning) void run();
  };
};
