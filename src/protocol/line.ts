import { maxCharactersWaiting, maxTextsWaiting } from './limits.ts';

export type Line = {
  /** Takes the next text of a client. False: too many wait, so this one is not taken. */
  take(text: string): boolean;
};

export type LineDeps<R> = {
  read(text: string): R | Promise<R>;
  handle(one: R): void;
  /** Null as long as there is time, then a promise during which other work is done. */
  pause(): Promise<void> | null;
  /** Aborted when the client has gone; what waits is then dropped. */
  readonly signal: AbortSignal;
};

/**
 * Handles the texts of a client in their order. A text that can be read at once is handled at once. Those that
 * arrive while one is being read wait until it has been handled.
 */
export const createLine = <R>({ read, handle, pause, signal }: LineDeps<R>): Line => {
  let waiting: string[] = [];
  let texts = 0;
  let characters = 0;
  let isReading = false;

  const finish = async (first: Promise<R>): Promise<void> => {
    isReading = true;
    handle(await first);
    while (waiting.length > 0 && !signal.aborted) {
      const next = waiting;
      waiting = [];
      for (const text of next) {
        if (signal.aborted) break;
        texts -= 1;
        characters -= text.length;
        handle(await read(text));
        await pause();
      }
    }
    isReading = false;
  };

  return {
    take: (text) => {
      if (isReading) {
        const isFull = texts >= maxTextsWaiting || characters + text.length > maxCharactersWaiting;
        // Even the longest text that a client may send can wait, if no other does.
        if (isFull && texts > 0) return false;
        texts += 1;
        characters += text.length;
        waiting.push(text);
        return true;
      }
      const one = read(text);
      if (one instanceof Promise) void finish(one);
      else handle(one);
      return true;
    },
  };
};
