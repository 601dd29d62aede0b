import type { NodeError } from '../errors.ts';
import { parseJson, writeJson } from '../json.ts';
import { callListener } from './call-listener.ts';
import { JsonRpcError, toJsonRpcError } from './json-rpc-error.ts';
import { type Caller, type CallId, createPendingTexts, type PendingTexts } from './pending-texts.ts';
import { abortedBy, isLastItem } from './subscriptions.ts';

/** One call of a batch. */
export type BatchCall = { readonly method: string; readonly params: readonly unknown[] };
/** The outcome of one call of a batch. */
export type BatchAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: JsonRpcError };

type Incoming = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Incoming =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toAnswer = (pendingCalls: Promise<unknown>): Promise<BatchAnswer> =>
  pendingCalls.then(
    (value): BatchAnswer => ({ ok: true, value }),
    (error: unknown): BatchAnswer => {
      if (error instanceof JsonRpcError) return { ok: false, error };
      throw error;
    },
  );

const write = (id: number, { method, params }: BatchCall): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${writeJson(method)},"params":${writeJson(params)}}`;

const tooBig = (limit: number): JsonRpcError =>
  new JsonRpcError(-32007, 'Request is too big', `Exceeded max limit of ${limit}`);

const encoder = new TextEncoder();
/** A UTF-16 unit takes one to three bytes of UTF-8, so most texts need no counting. */
const isLonger = (text: string, maxBytes: number): boolean =>
  text.length * 3 > maxBytes && (text.length > maxBytes || encoder.encode(text).length > maxBytes);

type PendingRequest = { readonly caller: Caller; readonly outcome: Promise<unknown> };

/** A caller whose promise settles with the response, or rejects when the signal is aborted. */
const createCaller = (onItem: Caller['onItem'], signal: AbortSignal | undefined): PendingRequest => {
  let resolve: Caller['resolve'] = () => undefined;
  let reject: Caller['reject'] = () => undefined;
  const outcome = new Promise<unknown>((...ends) => {
    [resolve, reject] = ends;
  });
  if (signal === undefined) return { caller: { resolve, reject, onItem }, outcome };
  const abort = (): void => reject(abortedBy(signal));
  const done =
    <T>(then: (value: T) => void) =>
    (value: T): void => {
      signal.removeEventListener('abort', abort);
      then(value);
    };
  signal.addEventListener('abort', abort, { once: true });
  return { caller: { resolve: done(resolve), reject: done(reject), onItem }, outcome };
};

/** The ids of a message that a caller has written. */
const idsOf = (message: object): readonly CallId[] =>
  (Array.isArray(message) ? (message as unknown[]) : [message])
    .map((call) => (isRecord(call) ? call['id'] : undefined))
    .filter((id): id is CallId => typeof id === 'number' || typeof id === 'string');

type Listeners = Map<string, (item: unknown) => void>;

/** The id of a subscription. Never throws, as `String` does for some objects. */
const toId = (value: unknown): string => (typeof value === 'object' ? '' : String(value));

const deliverItem = (listeners: Listeners, method: unknown, { subscription, result }: Incoming): void => {
  const id = toId(subscription);
  const listener = listeners.get(id);
  if (isLastItem(toId(method), result)) listeners.delete(id);
  if (listener !== undefined) callListener(listener, result);
};

export type SessionDeps = {
  /** Sends a text to the node. */
  post(text: string): void;
  /** Receives every message from the node before it is processed. */
  receive(message: unknown): void;
  /** Longer texts are not sent, but refused. */
  readonly maxRequestBytes: number;
  /** Called with a response to a call that was never sent, or that already has one. */
  onStray?(message: unknown): void;
};

const createSending = ({ post, receive, maxRequestBytes }: SessionDeps, pending: PendingTexts) => {
  let lastId = 0;
  const nextId = (): number => {
    do lastId += 1;
    while (pending.has(lastId));
    return lastId;
  };
  const sendText = (
    text: string,
    ids: readonly CallId[],
    callers: readonly Caller[],
    isBatch: boolean,
  ): void => {
    // The node's refusal would not say which text it belongs to, and some nodes close the connection instead.
    if (isLonger(text, maxRequestBytes)) {
      const error = tooBig(maxRequestBytes);
      for (const { reject } of callers) reject(error);
      return;
    }
    if (ids.length > 0) pending.add(ids, callers, isBatch, text.length);
    post(text);
  };
  /** The caller of a message that was posted with an own id, which a refusal without an id does not reach. */
  const posterOf = (id: CallId): Caller => ({
    resolve: () => undefined,
    reject: (error) => {
      if (!(error instanceof JsonRpcError)) return;
      const { code, message, data } = error;
      queueMicrotask(() => receive({ jsonrpc: '2.0', id, error: { code, message, data } }));
    },
    onItem: null,
    isPosted: true,
  });
  return {
    send: async (
      method: string,
      params: readonly unknown[],
      onItem: Caller['onItem'],
      signal: AbortSignal | undefined,
    ): Promise<unknown> => {
      if (signal?.aborted === true) throw abortedBy(signal);
      const id = nextId();
      // A value without a JSON form is never sent; only the caller gets the error.
      const text = write(id, { method, params });
      const { caller, outcome } = createCaller(onItem, signal);
      sendText(text, [id], [caller], false);
      return outcome;
    },
    sendBatch: async (
      calls: readonly BatchCall[],
      signal: AbortSignal | undefined,
    ): Promise<readonly BatchAnswer[]> => {
      if (signal?.aborted === true) throw abortedBy(signal);
      const ids = calls.map(nextId);
      const text = `[${calls.map((call, at) => write(ids[at] as number, call)).join(',')}]`;
      const pendingCalls = calls.map(() => createCaller(null, signal));
      const callers = pendingCalls.map(({ caller }) => caller);
      sendText(text, ids, callers, true);
      return Promise.all(pendingCalls.map(({ outcome }) => toAnswer(outcome)));
    },
    post: (message: object): void => {
      const ids = idsOf(message).filter((id) => !pending.has(id));
      sendText(writeJson(message), ids, ids.map(posterOf), Array.isArray(message));
    },
  };
};

/** The part of a connection that handles JSON-RPC and is independent of ports. */
export const createSession = (deps: SessionDeps) => {
  const pending = createPendingTexts();
  const listeners: Listeners = new Map();
  const settle = (message: Incoming): void => {
    const found = pending.take(message['id']);
    if (found === undefined) deps.onStray?.(message);
    if (found === undefined || found.isPosted === true) return;
    if (message['error'] !== undefined) {
      found.reject(toJsonRpcError(message['error']));
      return;
    }
    // Registered immediately, because notifications may follow in the very next message.
    if (found.onItem !== null) listeners.set(toId(message['result']), found.onItem);
    found.resolve(message['result']);
  };
  return {
    ...createSending(deps, pending),
    receive: (text: string): void => {
      const message = parseJson(text);
      deps.receive(message);
      if (Array.isArray(message)) for (const answer of message) if (isRecord(answer)) settle(answer);
      if (!isRecord(message)) return;
      const params = message['params'];
      if (message['method'] !== undefined) {
        if (isRecord(params)) deliverItem(listeners, message['method'], params);
      } else if ((message['id'] ?? null) === null) pending.refuse(toJsonRpcError(message['error']));
      else settle(message);
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
