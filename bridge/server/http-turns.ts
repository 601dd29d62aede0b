import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Resolves when the response was sent, or its socket has closed: a queued response then emits no event of its own. */
export const whenClosed = (socket: Socket, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed || response.closed) {
      resolve();
      return;
    }
    const done = (): void => {
      socket.off('close', done);
      response.off('close', done);
      resolve();
    };
    socket.once('close', done);
    response.once('close', done);
  });

/**
 * The requests of one connection, one after another: a client that pipelines and does not read would otherwise have
 * all of them executed, whose results nobody takes.
 */
export type HttpTurns = {
  /**
   * Waits until the responses to the connection's earlier requests were sent. While requests wait, no more are read
   * from it. False if it has closed meanwhile.
   */
  take(socket: Socket, response: ServerResponse): Promise<boolean>;
};

type Line = { last: Promise<void>; waiting: number };

export const createHttpTurns = (): HttpTurns => {
  const lines = new WeakMap<Socket, Line>();
  return {
    take: async (socket, response) => {
      const line = lines.get(socket) ?? { last: Promise.resolve(), waiting: 0 };
      lines.set(socket, line);
      const before = line.last;
      line.last = before.then(() => whenClosed(socket, response));
      line.waiting += 1;
      if (line.waiting > 1) socket.pause();
      try {
        await before;
      } finally {
        line.waiting -= 1;
        if (line.waiting === 0) socket.resume();
      }
      return !socket.destroyed;
    },
  };
};
