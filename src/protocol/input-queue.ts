import { maxCharactersWaiting, maxTextsWaiting } from './limits.ts';

export type InputQueue = {
  /** Takes the next text of a client. False: too many wait, so this one is not taken. */
  push(text: string): boolean;
};

export type InputQueueDeps<R> = {
  read(text: string): R | Promise<R>;
  /** A promise makes the texts after it wait until it resolves; it must not reject. */
  handle(one: R): void | Promise<void>;
  /** Null as long as there is time, then a promise during which other work is done. */
  pause(): Promise<void> | null;
  /** Aborted when the client has gone; what waits is then dropped. */
  readonly signal: AbortSignal;
};

/**
 * Handles the texts of a client in their order. A text that can be read and handled at once is handled at once.
 * Those that arrive before one has been handled wait.
 */
export const createInputQueue = <R>({ read, handle, pause, signal }: InputQueueDeps<R>): InputQueue => {
  let waiting: string[] = [];
  let texts = 0;
  let characters = 0;
  let isBusy = false;

  const handleNext = (text: string): void | Promise<void> => {
    const one = read(text);
    return one instanceof Promise ? one.then(handle) : handle(one);
  };
  const finish = async (first: Promise<void>): Promise<void> => {
    isBusy = true;
    try {
      await first;
      while (waiting.length > 0 && !signal.aborted) {
        const next = waiting;
        waiting = [];
        for (const text of next) {
          if (signal.aborted) break;
          texts -= 1;
          characters -= text.length;
          await handleNext(text);
          await pause();
        }
      }
    } finally {
      isBusy = false;
    }
  };

  return {
    push: (text) => {
      if (isBusy) {
        const isFull = texts >= maxTextsWaiting || characters + text.length > maxCharactersWaiting;
        // Even the longest text that a client may send can wait, if no other does.
        if (isFull && texts > 0) return false;
        texts += 1;
        characters += text.length;
        waiting.push(text);
        return true;
      }
      const first = handleNext(text);
      if (first instanceof Promise) void finish(first);
      return true;
    },
  };
};
