/**
 * Calls a listener. An error that it throws must not affect other listeners or the messages that follow, so it is
 * reported as if it were thrown in an event.
 */
export const callListener = <T>(listener: (value: T) => void, value: T): void => {
  try {
    listener(value);
  } catch (fault) {
    queueMicrotask(() => {
      throw fault;
    });
  }
};
