import { NodeError } from '../errors.ts';

/** Matches the last item of a subscription: the notification's method name, a space, and the item's event. */
const last =
  /^(archive.*(Done|Error)|chainHead.* stop|(author|transaction).* (dropped|error|final.*|invalid|usurped))$/;

/**
 * Whether this item ends the subscription, after which the node sends no more; `method` is the notification's
 * name.
 */
export const isLastItem = (method: string, item: unknown): boolean => {
  // `"ready"`, `{ event: 'stop' }`, `{ finalized: '0x…' }`.
  const { event = Object.keys(item ?? {})[0] } = Object(item);
  const name: unknown = typeof item === 'string' ? item : event;
  return typeof name === 'string' && last.test(`${method} ${name}`);
};

export type CallOptions = { readonly signal?: AbortSignal };

export type SubscribeOptions = CallOptions & { readonly unsubscribe?: string };

/** The subscriptions of a connection. */
export type Subscriptions = {
  /**
   * Resolves to the subscription's id; `onItem` receives all items from the first one on. If the signal is
   * aborted before the response, the subscription is ended with the method `unsubscribe` as soon as the
   * response arrives.
   */
  subscribe(
    method: string,
    params: readonly unknown[],
    onItem: (item: unknown) => void,
    options?: SubscribeOptions,
  ): Promise<string>;
  /** Ends a subscription; false if it had already ended. */
  unsubscribe(method: string, id: string): Promise<boolean>;
};

export const abortedBy = ({ reason }: AbortSignal): NodeError =>
  new NodeError('Aborted', undefined, { cause: reason });

/**
 * Settles like `opening`, or rejects when the signal is aborted; `end` is then called with the id that
 * arrives late.
 */
const openUntil = (
  opening: Promise<string>,
  signal: AbortSignal,
  end: (id: string) => Promise<unknown>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(abortedBy(signal));
      // If the connection ends first, the subscription ends with it.
      opening.then(end).catch(() => undefined);
    };
    signal.addEventListener('abort', abort, { once: true });
    const settle = (): void => signal.removeEventListener('abort', abort);
    opening.finally(settle).then(resolve, reject);
  });

/** Sends a call; `onItem` receives the items under the id it returns. */
export type Send = (
  method: string,
  params: readonly unknown[],
  onItem: ((item: unknown) => void) | null,
  options?: CallOptions,
) => Promise<unknown>;

/** `forget` is called with the id of a subscription whose items are no longer delivered. */
export const createSubscriptions = (send: Send, forget: (id: string) => void): Subscriptions => {
  const unsubscribe: Subscriptions['unsubscribe'] = async (method, id) => {
    forget(id);
    return (await send(method, [id], null)) === true;
  };
  return {
    subscribe: (method, params, onItem, { signal, unsubscribe: ending } = {}) => {
      if (signal === undefined) return send(method, params, onItem).then(String);
      if (signal.aborted) return Promise.reject(abortedBy(signal));
      const deliver = (item: unknown): void => {
        if (!signal.aborted) onItem(item);
      };
      return openUntil(send(method, params, deliver).then(String), signal, async (id) => {
        if (ending === undefined) forget(id);
        else await unsubscribe(ending, id);
      });
    },
    unsubscribe,
  };
};
