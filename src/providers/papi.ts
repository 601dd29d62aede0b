import type { JsonRpcProvider } from 'polkadot-api';
import type { Connection } from '../connection.ts';
import type { TabNode } from '../tab-node.ts';

type Message = Parameters<ReturnType<JsonRpcProvider>['send']>[0];
type Incoming = Parameters<Parameters<JsonRpcProvider>[0]>[0];

/**
 * Prefix of the ids given to the client's requests, so that they do not collide with the connection's own.
 */
const mark = 'papi:';

/** Converts a message from the node for the client; null for responses to other requests. */
const toIncoming = (message: unknown): Incoming | null => {
  if (typeof message !== 'object' || message === null) return null;
  const { id } = message as { readonly id?: unknown };
  if (id === undefined) return message as Incoming;
  if (typeof id !== 'string' || !id.startsWith(mark)) return null;
  return { ...message, id: JSON.parse(id.slice(mark.length)) as Message['id'] } as Incoming;
};

/**
 * A provider for polkadot-api's `createClient`. Given a node, it opens its own connection in the SDK's
 * dialect. Given a connection, it shares it, and closes it when the client disconnects. After the node has
 * ended, there are no more responses.
 */
export const papiProvider =
  (source: Pick<TabNode, 'connect'> | Connection): JsonRpcProvider =>
  (onMessage) => {
    let waiting: Message[] | null = [];
    let connection: Connection | null = null;
    let isOver = false;
    const post = ({ id, ...message }: Message): void => {
      if (connection?.isOpen() !== true) return;
      connection.post(id === undefined ? message : { ...message, id: mark + JSON.stringify(id) });
    };
    const open = async (): Promise<void> => {
      connection = 'connect' in source ? await source.connect({ dialect: 'polkadot-sdk' }) : source;
      if (isOver) {
        connection.close();
        return;
      }
      connection.onMessage((message) => {
        const incoming = toIncoming(message);
        if (incoming !== null && !isOver) onMessage(incoming);
      });
      for (const message of waiting ?? []) post(message);
      waiting = null;
    };
    open().catch(() => undefined);
    return {
      send: (message) => {
        if (waiting === null) post(message);
        else waiting.push(message);
      },
      disconnect: () => {
        isOver = true;
        connection?.close();
      },
    };
  };
