import { JsonRpcError } from './json-rpc-error.ts';
import { NodeError } from './protocol/errors.ts';
import { parseJson, writeJson } from './protocol/json.ts';
import { holdLock, isPortNote, type PortNote, whenReleased } from './protocol/port.ts';

export type CallOptions = { readonly signal?: AbortSignal };

/** A JSON-RPC client over one port. */
export type Connection = {
  /** Rejects with JsonRpcError when the node refuses, with NodeError `Disconnected` or `Aborted` when no answer comes. */
  request(method: string, params: readonly unknown[], options?: CallOptions): Promise<unknown>;
  /** Resolves with the subscription's id; items go to `onItem` from the first one on. */
  subscribe(
    method: string,
    params: readonly unknown[],
    onItem: (item: unknown) => void,
    options?: CallOptions,
  ): Promise<string>;
  /** Ends a subscription; false when it had ended already. */
  unsubscribe(method: string, id: string): Promise<boolean>;
  isOpen(): boolean;
  /** Called once, with the reason, when the connection is over. */
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

/** The part of a connection that knows JSON-RPC and nothing of ports. */
const createSession = (post: (text: string) => void) => {
  const pending = new Map<number, Pending>();
  const listeners = new Map<string, (item: unknown) => void>();
  let nextId = 1;
  const settle = (message: Incoming): void => {
    const found = pending.get(message['id'] as number);
    if (found === undefined) return;
    pending.delete(message['id'] as number);
    if (message['error'] !== undefined) {
      found.reject(toError(message['error']));
      return;
    }
    // Registered at once: notifications follow in the very next message.
    if (found.onItem !== null) listeners.set(String(message['result']), found.onItem);
    found.resolve(message['result']);
  };
  return {
    receive: (text: string): void => {
      const message = parseJson(text);
      if (!isRecord(message)) return;
      const params = message['params'];
      if (message['method'] === undefined) settle(message);
      else if (isRecord(params)) listeners.get(String(params['subscription']))?.(params['result']);
    },
    send: (
      method: string,
      params: readonly unknown[],
      onItem: Pending['onItem'],
      signal: AbortSignal | undefined,
    ): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(new NodeError('Aborted', undefined, { cause: signal.reason }));
          return;
        }
        const id = nextId++;
        const abort = (): void => {
          pending.delete(id);
          reject(new NodeError('Aborted', undefined, { cause: signal?.reason }));
        };
        const done =
          <T>(then: (value: T) => void) =>
          (value: T): void => {
            signal?.removeEventListener('abort', abort);
            then(value);
          };
        signal?.addEventListener('abort', abort, { once: true });
        pending.set(id, { resolve: done(resolve), reject: done(reject), onItem });
        post(`{"jsonrpc":"2.0","id":${id},"method":${writeJson(method)},"params":${writeJson(params)}}`);
      }),
    forget: (id: string): void => {
      listeners.delete(id);
    },
    fail: (reason: NodeError): void => {
      const waiting = [...pending.values()];
      pending.clear();
      listeners.clear();
      for (const { reject } of waiting) reject(reason);
    },
  };
};

/** A client over a port whose other end the node serves. Closing it, or the node's end, rejects every pending call with one `Disconnected`. */
export const createConnection = (port: MessagePort): Connection => {
  const ended = new AbortController();
  const closeListeners = new Set<(reason: NodeError) => void>();
  const session = createSession((text) => port.postMessage(text));
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
  const send = (
    method: string,
    params: readonly unknown[],
    onItem: Pending['onItem'],
    options?: CallOptions,
  ): Promise<unknown> =>
    failure === null ? session.send(method, params, onItem, options?.signal) : Promise.reject(failure);

  port.addEventListener('close', () => close());
  port.onmessage = ({ data }: { data: unknown }): void => {
    if (typeof data === 'string') session.receive(data);
    else if (Array.isArray(data)) for (const text of data as unknown[]) session.receive(String(text));
    else if (isPortNote(data) && data.note === 'lock') whenReleased(data.lock, ended.signal, () => close());
    else if (isPortNote(data)) close();
  };
  const lock = `tabnode-client:${globalThis.crypto.randomUUID()}`;
  holdLock(lock, ended.signal, () => port.postMessage({ note: 'lock', lock } satisfies PortNote));

  return {
    request: (method, params, options) => send(method, params, null, options),
    subscribe: async (method, params, onItem, options) => String(await send(method, params, onItem, options)),
    unsubscribe: async (method, id) => {
      session.forget(id);
      return (await send(method, [id], null)) === true;
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
