import { createInputQueue } from '../../src/protocol/input-queue.ts';
import { parseJson, writeJson } from '../../src/protocol/json.ts';
import { type JsonRpcError, toJsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';
import { createPendingTexts } from '../../src/protocol/json-rpc/pending-texts.ts';
import { maxWholeText } from '../../src/protocol/limits.ts';
import type { RpcLimits } from '../../src/protocol/node.ts';
import { writeRefusal } from '../../src/protocol/request-ids.ts';
import type { AllowList } from './allow-list.ts';
import {
  type Call,
  type CallError,
  type Item,
  limited,
  type Pause,
  readCalls,
  readLargeCalls,
  refuseAll,
  type Text,
  writeError,
} from './read-calls.ts';

/** Maximum number of pending calls per client. */
const maxPending = 1024;

export type SessionDeps = {
  readonly allow: AllowList;
  readonly limits: Partial<RpcLimits>;
  /** HTTP does not support subscriptions. */
  readonly transport: 'ws' | 'http';
  /** Sends to the node; returns false if the node reads too slowly. */
  send(text: string): boolean;
  /** Monotonic milliseconds. */
  now(): number;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
};

/** One client's calls and their responses. */
export type Session = {
  /** Calls back once with the response, or with null if there is none. */
  ask(text: string, answer: (text: string | null) => void): void;
  /** Handles a message from the node. Returns it if it is a notification for the client, else null. */
  receive(text: string): string | null;
};

const busy: CallError = { code: -32009, message: 'Server is busy, try again later' };
const overRate: CallError = { code: -32999, message: 'RPC rate limit exceeded' };
const notFound = (data: string): CallError => ({ code: -32601, message: 'Method not found', data });
const noBatches: CallError = { code: -32005, message: 'Batched requests are not supported by this server' };

/** Token bucket that holds one minute's calls and is refilled continuously. */
const createRate = (callsPerMinute: number | null, now: () => number): (() => boolean) => {
  if (callsPerMinute === null) return () => true;
  let left = callsPerMinute;
  let at = now();
  return () => {
    const time = now();
    left = Math.min(callsPerMinute, left + ((time - at) * callsPerMinute) / 60_000);
    at = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
};

/** The response of `rpc_methods` reduced to the allowed methods, in the shape that the node uses. An error stays as it is. */
const listAllowed = (allow: AllowList, text: string): string => {
  const { result, ...rest } = parseJson(text) as { readonly result?: unknown };
  if (result === undefined) return text;
  const filter = (methods: unknown): unknown =>
    Array.isArray(methods) ? methods.filter((one) => typeof one === 'string' && allow.allows(one)) : methods;
  const list = (result ?? {}) as { readonly methods?: unknown };
  return writeJson({
    ...rest,
    result: Array.isArray(result) ? filter(result) : { methods: filter(list.methods) },
  });
};

/** How SDK nodes and this one start a response. Others are parsed. */
const usual = /^\{"jsonrpc":"2\.0","id":(\d{1,15}),/;

type Response =
  | { readonly kind: 'response'; readonly id: number; withId(id: string): string }
  /** Of a text that the node has not read. */
  | { readonly kind: 'refusal'; readonly error: JsonRpcError }
  | { readonly kind: 'notification' };

const readResponse = (text: string): Response => {
  const found = usual.exec(text);
  if (found !== null)
    return {
      kind: 'response',
      id: Number(found[1]),
      withId: (id) => `{"jsonrpc":"2.0","id":${id},${text.slice(found[0].length)}`,
    };
  const { id, method, result, error } = parseJson(text) as Readonly<Record<string, unknown>>;
  if (typeof id === 'number') {
    const rest = error === undefined ? `"result":${writeJson(result)}` : `"error":${writeJson(error)}`;
    return { kind: 'response', id, withId: (own) => `{"jsonrpc":"2.0","id":${own},${rest}}` };
  }
  return method === undefined ? { kind: 'refusal', error: toJsonRpcError(error) } : { kind: 'notification' };
};

/** Counts a client's subscriptions, both open and being opened. */
const createCount = (allow: AllowList) => {
  /** What each id subscribes to. */
  const open = new Map<string, string | null>();
  let opening = 0;
  return {
    size: () => open.size + opening,
    requested: (method: string, params: string) => {
      const kind = allow.kindOf(method);
      if (kind === 'subscribe') opening += 1;
      else if (kind === 'unsubscribe') {
        const id = String((JSON.parse(params) as readonly unknown[])[0]);
        // By another method the node would not end it.
        if (open.get(id) === allow.subscriptionOf(method)) open.delete(id);
      }
    },
    answered: (method: string, text: string) => {
      if (allow.kindOf(method) !== 'subscribe') return;
      opening -= 1;
      const { result } = JSON.parse(text) as { readonly result?: unknown };
      if (result !== undefined) open.set(String(result), allow.subscriptionOf(method));
    },
  };
};

type Answer = (text: string | null) => void;

/**
 * Sends the items of a batch individually, so that a refused one does not block the others. Responses are
 * dropped as soon as they exceed the size limit together.
 */
const askAll = (
  items: readonly Item[],
  askOne: (item: Item, answer: Answer) => void,
  maxResponseBytes: number,
  answer: Answer,
): void => {
  const texts: (string | null)[] = items.map(() => null);
  let left = items.length;
  let length = 2;
  const whole = (): string | null => {
    if (length > maxResponseBytes)
      return writeError('null', limited(-32011, 'The batch response was too large', maxResponseBytes));
    const all = texts.filter((one) => one !== null);
    return all.length === 0 ? null : `[${all.join(',')}]`;
  };
  for (const [index, item] of items.entries())
    askOne(item, (text) => {
      texts[index] = text;
      length += text === null ? 0 : text.length + 1;
      if (length > maxResponseBytes) texts.fill(null);
      left -= 1;
      if (left === 0) answer(whole());
    });
};

/** The pending calls, under ids of their own. */
const createCalls = ({ allow, limits, transport, send, now }: SessionDeps) => {
  const { maxSubscriptions = 0, maxResponseBytes = 0 } = limits;
  const pending = createPendingTexts();
  const subscriptions = createCount(allow);
  const takeTurn = createRate(limits.callsPerMinute ?? null, now);
  let lastId = 0;

  const refusal = (method: string): CallError | null => {
    if (!takeTurn()) return overRate;
    if (!allow.allows(method)) return notFound('This proxy does not pass this method on');
    const kind = allow.kindOf(method);
    if (kind !== 'call' && transport === 'http') return notFound('Subscriptions need a WebSocket');
    if (kind === 'subscribe' && subscriptions.size() >= maxSubscriptions)
      return limited(-32006, 'Too many subscriptions on the connection', maxSubscriptions);
    return pending.size() >= maxPending ? busy : null;
  };

  return {
    /** Null if the call was sent; `answer` is then called with the response. */
    start: ({ id, method, params }: Call, answer: Answer): CallError | null => {
      const error = refusal(method);
      if (error !== null) return error;
      lastId += 1;
      const text = `{"jsonrpc":"2.0","id":${lastId},"method":${JSON.stringify(method)},"params":${params}}`;
      if (!send(text)) return busy;
      const resolve = (given: unknown): void => {
        const { withId } = given as Extract<Response, { kind: 'response' }>;
        const whole = withId(id);
        subscriptions.answered(method, whole);
        if (whole.length > maxResponseBytes)
          answer(writeError(id, limited(-32008, 'Response is too big', maxResponseBytes)));
        else answer(method === 'rpc_methods' ? listAllowed(allow, whole) : whole);
      };
      const reject = (error: Error): void => {
        const { code, message, data } = error as JsonRpcError;
        const refused = writeError(id, { code, message, ...(typeof data === 'string' && { data }) });
        subscriptions.answered(method, refused);
        answer(refused);
      };
      pending.add([lastId], [{ resolve, reject, onItem: null }], false, text.length);
      subscriptions.requested(method, params);
      return null;
    },
    /** Calls back whoever waits for it. */
    settle: (response: Exclude<Response, { kind: 'notification' }>): void => {
      if (response.kind === 'refusal') pending.refuse(response.error);
      else pending.take(response.id)?.resolve(response);
    },
  };
};

/** How long the calls of one client may be read before others are served, in ms. */
const sliceMs = 4;

const createPause = (now: () => number): Pause => {
  let end = now() + sliceMs;
  const pause = async (): Promise<void> => {
    await new Promise(setImmediate);
    end = now() + sliceMs;
  };
  return () => (now() >= end ? pause() : null);
};

export const createSession = (deps: SessionDeps): Session => {
  const { transport, signal } = deps;
  const { maxBatch = 0, maxResponseBytes = 0 } = deps.limits;
  const calls = createCalls(deps);

  /** Calls back with the response to one item; with null for a notification, which is never forwarded. */
  const askOne = (item: Item, answer: Answer): void => {
    if (item.kind === 'notification') answer(null);
    else {
      const error = item.kind === 'refused' ? item.error : calls.start(item, answer);
      if (error !== null) answer(writeError(item.id, error));
    }
  };
  const batchError = (length: number): CallError | null => {
    if (maxBatch === 0) return noBatches;
    return length > maxBatch ? limited(-32010, 'The batch request was too large', maxBatch) : null;
  };

  const pause = createPause(deps.now);
  const read = (text: string): Text | Promise<Text> => {
    if (text.length <= maxWholeText) return readCalls(text);
    if (maxBatch === 0 && /^\s*\[/.test(text)) return refuseAll(noBatches);
    return readLargeCalls(text, maxBatch, pause);
  };
  const handle = ({ isBatch, items }: Text, answer: Answer): void => {
    const error = isBatch ? batchError(items.length) : null;
    if (error !== null) answer(writeError('null', error));
    else if (isBatch) askAll(items, askOne, maxResponseBytes, answer);
    else for (const item of items) askOne(item, answer);
  };
  /** Where the responses to the queued texts go, in the same order. */
  const answers: Answer[] = [];
  const line = createInputQueue({
    read,
    handle: (one: Text) => handle(one, answers.shift() as Answer),
    pause,
    signal,
  });

  return {
    ask: (text, answer) => {
      // Calls over HTTP are those of different clients.
      if (transport === 'http') return void Promise.resolve(read(text)).then((one) => handle(one, answer));
      answers.push(answer);
      if (line.push(text)) return;
      answers.pop();
      answer(writeRefusal(text, busy));
    },
    receive: (text) => {
      const response = readResponse(text);
      if (response.kind === 'notification') return transport === 'ws' ? text : null;
      calls.settle(response);
      return null;
    },
  };
};
