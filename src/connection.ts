import { JsonRpcError } from './json-rpc-error.ts';
import { isLastItem } from './last-items.ts';
import { NodeError } from './protocol/errors.ts';
import { hear, isNodePort } from './protocol/hear.ts';
import { parseJson, writeJson } from './protocol/json.ts';
import { holdLock, isPortNote, type PortNote, whenReleased } from './protocol/port.ts';
import {
  abortedBy,
  type CallOptions,
  createSubscribing,
  type Send,
  type Subscribing,
} from './subscribing.ts';

export type { CallOptions } from './subscribing.ts';

/** One call of a batch. */
export type BatchCall = { readonly method: string; readonly params: readonly unknown[] };
/** The outcome of one call of a batch. */
export type BatchAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: JsonRpcError };

/** A JSON-RPC client over one port. */
export type Connection = Subscribing & {
  /**
   * Rejects with JsonRpcError if the node refuses, or with NodeError `Disconnected` or `Aborted` if there is
   * no response.
   */
  request(method: string, params: readonly unknown[], options?: CallOptions): Promise<unknown>;
  /**
   * Sends the calls as one JSON-RPC batch. Returns the outcomes in order; if the whole batch is refused, each
   * outcome is that error. Rejects like `request` if there is no response. Do not put subscriptions in a
   * batch: their items would be lost.
   */
  batch(calls: readonly BatchCall[], options?: CallOptions): Promise<readonly BatchAnswer[]>;
  /** Sends a message with the caller's own id. The response goes to `onMessage`, like every other message. */
  post(message: object): void;
  /** Every message from the node, in order, before this connection processes it. */
  onMessage(listener: (message: unknown) => void): () => void;
  isOpen(): boolean;
  /** Called once, with the reason, when the connection closes. */
  onClose(listener: (reason: NodeError) => void): () => void;
  close(reason?: NodeError): void;
};

type Pending = {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onItem: ((item: unknown) => void) | null;
};

type Incoming = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Incoming =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toError = (error: unknown): JsonRpcError => {
  const { code, message, data } = isRecord(error) ? error : {};
  return new JsonRpcError(typeof code === 'number' ? code : -32603, String(message ?? 'Unknown error'), data);
};

const toAnswer = (asked: Promise<unknown>): Promise<BatchAnswer> =>
  asked.then(
    (value): BatchAnswer => ({ ok: true, value }),
    (error: unknown): BatchAnswer => {
      if (error instanceof JsonRpcError) return { ok: false, error };
      throw error;
    },
  );

const write = (id: number, { method, params }: BatchCall): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${writeJson(method)},"params":${writeJson(params)}}`;

/** Pending calls by id. */
const createPending = () => {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  return {
    take: (id: unknown): Pending | undefined => {
      const found = pending.get(id as number);
      pending.delete(id as number);
      return found;
    },
    takeAll: (): readonly Pending[] => {
      const waiting = [...pending.values()];
      pending.clear();
      return waiting;
    },
    /** Settles with the response, or rejects when the signal is aborted. */
    ask: (
      onItem: Pending['onItem'],
      signal: AbortSignal | undefined,
    ): { readonly id: number; readonly asked: Promise<unknown> } => {
      const id = nextId++;
      const asked = new Promise((resolve, reject) => {
        if (signal === undefined) {
          pending.set(id, { resolve, reject, onItem });
          return;
        }
        const abort = (): void => {
          pending.delete(id);
          reject(abortedBy(signal));
        };
        const done =
          <T>(then: (value: T) => void) =>
          (value: T): void => {
            signal.removeEventListener('abort', abort);
            then(value);
          };
        signal.addEventListener('abort', abort, { once: true });
        pending.set(id, { resolve: done(resolve), reject: done(reject), onItem });
      });
      return { id, asked };
    },
  };
};

type Listeners = Map<string, (item: unknown) => void>;

const hearItem = (listeners: Listeners, method: unknown, { subscription, result }: Incoming): void => {
  const id = String(subscription);
  const listener = listeners.get(id);
  if (isLastItem(String(method), result)) listeners.delete(id);
  listener?.(result);
};

/** The part of a connection that handles JSON-RPC and is independent of ports. */
const createSession = (post: (text: string) => void, hear: (message: unknown) => void) => {
  const pending = createPending();
  const listeners: Listeners = new Map();
  /** Ids of the pending batches, oldest first. */
  const batches = new Set<readonly number[]>();
  const settle = (message: Incoming): void => {
    const found = pending.take(message['id']);
    if (found === undefined) return;
    if (message['error'] !== undefined) {
      found.reject(toError(message['error']));
      return;
    }
    // Registered immediately, because notifications may follow in the very next message.
    if (found.onItem !== null) listeners.set(String(message['result']), found.onItem);
    found.resolve(message['result']);
  };
  /**
   * An error without an id does not say which request it belongs to. This is how whole batches are refused.
   */
  const refuseBatch = (error: unknown): void => {
    for (const id of batches.values().next().value ?? []) pending.take(id)?.reject(toError(error));
  };
  return {
    receive: (text: string): void => {
      const message = parseJson(text);
      hear(message);
      if (Array.isArray(message)) for (const answer of message) if (isRecord(answer)) settle(answer);
      if (!isRecord(message)) return;
      const params = message['params'];
      if (message['method'] !== undefined) {
        if (isRecord(params)) hearItem(listeners, message['method'], params);
      } else if (message['id'] === null) refuseBatch(message['error']);
      else settle(message);
    },
    send: (
      method: string,
      params: readonly unknown[],
      onItem: Pending['onItem'],
      signal: AbortSignal | undefined,
    ): Promise<unknown> => {
      if (signal?.aborted === true) return Promise.reject(abortedBy(signal));
      const { id, asked } = pending.ask(onItem, signal);
      try {
        post(write(id, { method, params }));
      } catch (error) {
        // A value without a JSON form is never sent; only the caller gets the error.
        pending.take(id)?.reject(error as Error);
      }
      return asked;
    },
    sendBatch: async (
      calls: readonly BatchCall[],
      signal: AbortSignal | undefined,
    ): Promise<readonly BatchAnswer[]> => {
      if (signal?.aborted === true) throw abortedBy(signal);
      const asked = calls.map((call) => ({ call, ...pending.ask(null, signal) }));
      const ids = asked.map(({ id }) => id);
      batches.add(ids);
      post(`[${asked.map(({ id, call }) => write(id, call)).join(',')}]`);
      try {
        return await Promise.all(asked.map((one) => toAnswer(one.asked)));
      } finally {
        batches.delete(ids);
      }
    },
    forget: (id: string): void => {
      listeners.delete(id);
    },
    fail: (reason: NodeError): void => {
      listeners.clear();
      for (const { reject } of pending.takeAll()) reject(reason);
    },
  };
};

/**
 * A client over a port whose other end the node serves. Closing it, or the end of the node, rejects every
 * pending call with the same `Disconnected` error.
 */
export const createConnection = (port: MessagePort): Connection => {
  const ended = new AbortController();
  const closeListeners = new Set<(reason: NodeError) => void>();
  const messageListeners = new Set<(message: unknown) => void>();
  const session = createSession(
    (text) => port.postMessage(text),
    (message) => {
      for (const listener of [...messageListeners]) listener(message);
    },
  );
  let failure: NodeError | null = null;
  const close = (reason = new NodeError('Disconnected')): void => {
    if (failure !== null) return;
    failure = reason;
    port.postMessage({ note: 'bye' } satisfies PortNote);
    port.close();
    ended.abort();
    session.fail(reason);
    for (const listener of [...closeListeners]) listener(reason);
    closeListeners.clear();
  };
  const send: Send = (method, params, onItem, options) =>
    failure === null ? session.send(method, params, onItem, options?.signal) : Promise.reject(failure);

  port.addEventListener('close', () => close());
  hear(port, (data) => {
    if (typeof data === 'string') session.receive(data);
    else if (Array.isArray(data)) for (const text of data as unknown[]) session.receive(String(text));
    else if (isPortNote(data) && data.note === 'lock') whenReleased(data.lock, ended.signal, () => close());
    else if (isPortNote(data)) close();
  });
  // Ports of Node.js emit `close` themselves, and threads that wait for each other's locks keep Node.js busy.
  if (!isNodePort(port)) {
    const lock = `tabnode-client:${globalThis.crypto.randomUUID()}`;
    holdLock(lock, ended.signal, () => port.postMessage({ note: 'lock', lock } satisfies PortNote));
  }

  return {
    request: (method, params, options) => send(method, params, null, options),
    batch: (calls, options) => {
      if (calls.length === 0) return Promise.resolve([]);
      return failure === null ? session.sendBatch(calls, options?.signal) : Promise.reject(failure);
    },
    ...createSubscribing(send, session.forget),
    post: (message) => {
      if (failure !== null) throw failure;
      port.postMessage(writeJson(message));
    },
    onMessage: (listener) => {
      messageListeners.add(listener);
      return () => {
        messageListeners.delete(listener);
      };
    },
    isOpen: () => failure === null,
    onClose: (listener) => {
      closeListeners.add(listener);
      return () => {
        closeListeners.delete(listener);
      };
    },
    close,
  };
};
