import { NodeError } from './protocol/errors.ts';
import { callListener } from './protocol/json-rpc/call-listener.ts';
import { type BatchAnswer, type BatchCall, createSession } from './protocol/json-rpc/session.ts';
import {
  type CallOptions,
  createSubscriptions,
  type Send,
  type Subscriptions,
} from './protocol/json-rpc/subscriptions.ts';
import {
  holdLock,
  isNodePort,
  isPortNote,
  onPortMessage,
  type PortNote,
  whenReleased,
} from './protocol/port.ts';

export type { BatchAnswer, BatchCall } from './protocol/json-rpc/session.ts';
export type { CallOptions } from './protocol/json-rpc/subscriptions.ts';

/** A JSON-RPC client over one port. */
export type Connection = Subscriptions & {
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

export type ConnectionOptions = {
  /** Longer texts are refused before they are sent, with the error of a Polkadot SDK node. Default: no limit. */
  readonly maxRequestBytes?: number;
};

/**
 * A client over a port whose other end the node serves. Closing it, or the end of the node, rejects every
 * pending call with the same `Disconnected` error.
 */
export const createConnection = (
  port: MessagePort,
  { maxRequestBytes = Number.POSITIVE_INFINITY }: ConnectionOptions = {},
): Connection => {
  const ended = new AbortController();
  const closeListeners = new Set<(reason: NodeError) => void>();
  const messageListeners = new Set<(message: unknown) => void>();
  const session = createSession({
    post: (text) => port.postMessage(text),
    receive: (message) => {
      for (const listener of [...messageListeners]) callListener(listener, message);
    },
    maxRequestBytes,
  });
  let failure: NodeError | null = null;
  const close = (reason = new NodeError('Disconnected')): void => {
    if (failure !== null) return;
    failure = reason;
    port.postMessage({ note: 'bye' } satisfies PortNote);
    port.close();
    ended.abort();
    session.fail(reason);
    for (const listener of [...closeListeners]) callListener(listener, reason);
    closeListeners.clear();
  };
  const send: Send = (method, params, onItem, options) =>
    failure === null ? session.send(method, params, onItem, options?.signal) : Promise.reject(failure);

  port.addEventListener('close', () => close());
  onPortMessage(port, (data) => {
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
    ...createSubscriptions(send, session.forget),
    post: (message) => {
      if (failure !== null) throw failure;
      session.post(message);
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
