import { NodeError } from './protocol/errors.ts';

export type CallOptions = { readonly signal?: AbortSignal };

export type SubscribeOptions = CallOptions & { readonly unsubscribe?: string };

/** The subscriptions of a connection. */
export type Subscribing = {
  /**
   * Resolves with the subscription's id; `onItem` receives all items from the first one on. If it is aborted
   * before the response, it is ended with `unsubscribe`, the method's name, as soon as the response arrives.
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
 * Settles as the opening does, or when the signal fires; then `end` is called with the id that arrives too
 * late.
 */
const openUntil = (
  opening: Promise<string>,
  signal: AbortSignal,
  end: (id: string) => Promise<unknown>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(abortedBy(signal));
      // If the connection ends first, so does the subscription.
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

/** `forget` takes an id whose items nobody receives any more. */
export const createSubscribing = (send: Send, forget: (id: string) => void): Subscribing => {
  const unsubscribe: Subscribing['unsubscribe'] = async (method, id) => {
    forget(id);
    return (await send(method, [id], null)) === true;
  };
  return {
    subscribe: (method, params, onItem, { signal, unsubscribe: ending } = {}) => {
      if (signal === undefined) return send(method, params, onItem).then(String);
      if (signal.aborted) return Promise.reject(abortedBy(signal));
      const hearItem = (item: unknown): void => {
        if (!signal.aborted) onItem(item);
      };
      return openUntil(send(method, params, hearItem).then(String), signal, async (id) => {
        if (ending === undefined) forget(id);
        else await unsubscribe(ending, id);
      });
    },
    unsubscribe,
  };
};
