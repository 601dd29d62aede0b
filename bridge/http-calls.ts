import type { Dialect } from '../src/protocol/node.ts';
import type { NumberedAnswer, NumberedText, PortNote } from '../src/protocol/port.ts';
import type { NodeThread } from './node-thread.ts';

/** Answers one HTTP body; null when it held only notifications. */
export type HttpCalls = {
  call(dialect: Dialect, text: string): Promise<string | null>;
  close(): void;
};

const bye: PortNote = { note: 'bye' };

/** All HTTP requests of a dialect share one port, on which each text and its answer carry a number. */
export const createHttpCalls = (node: Pick<NodeThread, 'openPort' | 'onDeath'>): HttpCalls => {
  const ports = new Map<Dialect, Promise<MessagePort>>();
  const pending = new Map<number, PromiseWithResolvers<string | null>>();
  let lastId = 0;

  const openPort = async (dialect: Dialect): Promise<MessagePort> => {
    const port = await node.openPort({ dialect, denyUnsafe: false, transport: 'http' });
    port.onmessage = ({ data }: { data: NumberedAnswer }) => {
      pending.get(data.id)?.resolve(data.text);
      pending.delete(data.id);
    };
    return port;
  };

  const portOf = (dialect: Dialect): Promise<MessagePort> => {
    const port = ports.get(dialect) ?? openPort(dialect);
    ports.set(dialect, port);
    return port;
  };

  node.onDeath((error) => {
    for (const waiting of pending.values()) waiting.reject(error);
    pending.clear();
  });

  return {
    call: async (dialect, text) => {
      const port = await portOf(dialect);
      lastId += 1;
      const waiting = Promise.withResolvers<string | null>();
      pending.set(lastId, waiting);
      port.postMessage({ id: lastId, text } satisfies NumberedText);
      return waiting.promise;
    },
    close: () => {
      for (const port of ports.values()) port.then((open) => open.postMessage(bye)).catch(() => undefined);
      ports.clear();
    },
  };
};
