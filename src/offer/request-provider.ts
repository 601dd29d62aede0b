import type { Connection } from '../connection.ts';
import { NodeError } from '../protocol/errors.ts';
import { callListener } from '../protocol/json-rpc/call-listener.ts';
import type { TabNode } from '../tab-node.ts';

/** A notification of a subscription, as the `message` event carries it. */
export type ProviderMessage = {
  /** The notification's method, such as `chain_newHead`. */
  readonly type: string;
  /** `subscription` is what the request that opened it returned. */
  readonly data: { readonly subscription: string; readonly result: unknown };
};

type Events = {
  readonly connect: { readonly genesisHash: string };
  readonly disconnect: ProviderError;
  readonly message: ProviderMessage;
};

/** Calls a node through one function, in the form that EIP-1193 defines for Ethereum providers. */
export type RequestProvider = {
  /**
   * Resolves to the result. Rejects with the node's error, which has a `code`, or with code 4900 while there
   * is no node. A subscription resolves to its id; its items are `message` events, until its unsubscribe
   * method is called.
   */
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): RequestProvider;
  removeListener<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): RequestProvider;
};

/** The error of a provider without a node (EIP-1193: 4900, disconnected). */
export class ProviderError extends Error {
  readonly code = 4900;
}

const toProviderError = (error: unknown): unknown =>
  error instanceof NodeError ? new ProviderError(error.message, { cause: error }) : error;

const toMessage = (message: unknown): ProviderMessage | null => {
  const { method, params } = (message ?? {}) as { readonly method?: unknown; readonly params?: unknown };
  if (typeof method !== 'string' || typeof params !== 'object' || params === null) return null;
  const { subscription, result } = params as { readonly subscription?: unknown; readonly result?: unknown };
  return { type: method, data: { subscription: String(subscription), result } };
};

type AnyListener = (value: never) => void;

const createEvents = () => {
  const listeners = new Map<keyof Events, Set<AnyListener>>();
  const of = (event: keyof Events): Set<AnyListener> => {
    const found = listeners.get(event) ?? new Set();
    listeners.set(event, found);
    return found;
  };
  return {
    of,
    emit: <E extends keyof Events>(event: E, value: Events[E]): void => {
      for (const listener of [...of(event)]) callListener(listener as (value: Events[E]) => void, value);
    },
  };
};

/**
 * A provider with its own connection, which the first request opens. When the node is gone, the provider
 * emits `disconnect`, and the next request reconnects.
 */
export const toRequestProvider = (node: Pick<TabNode, 'connect' | 'info'>): RequestProvider => {
  const { of, emit } = createEvents();
  let opening: Promise<Connection> | null = null;
  const open = async (): Promise<Connection> => {
    const connection = await node.connect({ dialect: 'polkadot-sdk' });
    connection.onMessage((message) => {
      const converted = toMessage(message);
      if (converted !== null) emit('message', converted);
    });
    connection.onClose((reason) => {
      opening = null;
      emit('disconnect', new ProviderError(reason.message, { cause: reason }));
    });
    emit('connect', { genesisHash: node.info.genesisHash });
    return connection;
  };
  const connect = (): Promise<Connection> => {
    opening ??= open().catch((fault: unknown) => {
      opening = null;
      throw fault;
    });
    return opening;
  };
  const provider: RequestProvider = {
    request: async ({ method, params = [] }) => {
      try {
        return await (await connect()).request(method, params);
      } catch (fault) {
        throw toProviderError(fault);
      }
    },
    on: (event, listener) => {
      of(event).add(listener as AnyListener);
      return provider;
    },
    removeListener: (event, listener) => {
      of(event).delete(listener as AnyListener);
      return provider;
    },
  };
  return Object.freeze(provider);
};
