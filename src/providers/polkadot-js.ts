import type { ApiOptions } from '@polkadot/api/types';
import type { Connection } from '../connection.ts';
import { NodeError } from '../protocol/errors.ts';
import { JsonRpcError } from '../protocol/json-rpc/json-rpc-error.ts';
import type { TabNode } from '../tab-node.ts';

type Provider = NonNullable<ApiOptions['provider']>;
type EventName = Parameters<Provider['on']>[0];
type Listener = Parameters<Provider['on']>[1];

/** polkadot-js parses the code from the message, in the format that its own provider uses. */
const toProviderError = (error: unknown): unknown => {
  if (!(error instanceof JsonRpcError)) return error;
  const detail =
    error.data === undefined
      ? ''
      : `: ${typeof error.data === 'string' ? error.data : JSON.stringify(error.data)}`;
  return new JsonRpcError(error.code, `${error.code}: ${error.message}${detail}`, error.data);
};

const createEmitter = () => {
  const listeners = new Map<EventName, Set<Listener>>();
  return {
    on: (name: EventName, listener: Listener): (() => void) => {
      const found = listeners.get(name) ?? new Set();
      listeners.set(name, found.add(listener));
      return () => {
        found.delete(listener);
      };
    },
    emit: (name: EventName, value?: unknown): void => {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(value);
    },
  };
};

const createPending = () => {
  const pending = new Set<Promise<unknown>>();
  return {
    add: <T>(work: Promise<T>): Promise<T> => {
      pending.add(work);
      const forget = () => pending.delete(work);
      work.then(forget, forget);
      return work;
    },
    settled: () => Promise.allSettled(pending),
  };
};

/** If the connection is gone, so is the subscription: none is opened just to end it. */
const endSubscription = async (from: Connection | null, method: string, id: string): Promise<boolean> => {
  if (from === null) return true;
  try {
    return await from.unsubscribe(method, id);
  } catch (error) {
    if (error instanceof NodeError && error.code === 'Disconnected') return true;
    throw toProviderError(error);
  }
};

/**
 * A provider for `new ApiPromise({ provider })`. Given a node, it opens its own connections in the SDK's
 * dialect, immediately and again after a disconnect. Given a connection, it lives as long as the connection.
 */
export const polkadotJsProvider = (source: Pick<TabNode, 'connect'> | Connection): Provider => {
  const { on, emit } = createEmitter();
  let connection: Connection | null = null;
  let opening: Promise<Connection> | null = null;
  const subscribing = createPending();

  const open = async (): Promise<Connection> => {
    try {
      const opened = 'connect' in source ? await source.connect({ dialect: 'polkadot-sdk' }) : source;
      if (!opened.isOpen()) throw new NodeError('Disconnected');
      connection = opened;
      opened.onClose(() => {
        connection = null;
        opening = null;
        emit('disconnected');
      });
      emit('connected');
      return opened;
    } catch (error) {
      opening = null;
      emit('error', error);
      throw error;
    }
  };
  const ready = (): Promise<Connection> => {
    opening ??= open();
    return opening;
  };
  ready().catch(() => undefined);

  const attempt = async <T>(work: (open: Connection) => Promise<T>): Promise<T> => {
    try {
      return await work(await ready());
    } catch (error) {
      throw toProviderError(error);
    }
  };

  return {
    hasSubscriptions: true,
    isClonable: 'connect' in source,
    get isConnected() {
      return connection !== null;
    },
    clone: () => polkadotJsProvider(source),
    connect: async () => {
      await ready();
    },
    disconnect: async () => {
      if (opening === null) return;
      const opened = await opening.catch(() => null);
      // polkadot-js subscribes in the background, and logs an error for every subscription that a disconnect
      // interrupts.
      await subscribing.settled();
      opened?.close();
    },
    on,
    send: <T>(method: string, params: unknown[]) =>
      attempt(async (open) => (await open.request(method, params)) as T),
    subscribe: (_type, method, params, callback) =>
      subscribing.add(attempt((open) => open.subscribe(method, params, (item) => callback(null, item)))),
    unsubscribe: (_type, method, id) => endSubscription(connection, method, String(id)),
  };
};
