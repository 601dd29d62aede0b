import {
  maxBatch,
  maxInFlight,
  maxRateWaiting,
  maxRequestBytes,
  maxResponseBytes,
  maxSubscriptions,
} from '../../src/protocol/limits.ts';
import type { DenyUnsafe, Dialect, RpcLimits } from '../../src/protocol/node.ts';
import type { Route } from '../../src/protocol/rpc/index.ts';
import type { Pace } from '../chain/pace.ts';
import type { CustomTable } from './custom.ts';
import type { RpcDialect } from './dialects/dialect.ts';
import { dialects } from './dialects/dialects.ts';
import { type Answer, type AnyHandlers, createDispatch, refuse } from './dispatch.ts';
import { readIncoming, startsBatch, type WriteNotification } from './envelope.ts';
import {
  batchResponseTooLarge,
  batchTooLarge,
  invalidRequest,
  noBatches,
  type RpcErrorData,
  rateExceeded,
  requestTooBig,
  responseTooBig,
  serverBusy,
} from './errors.ts';
import type { Message } from './message.ts';
import { createOutbox, type Transmit } from './outbox.ts';
import { createRateLimit, type RateClock } from './rate-limit.ts';
import { andThen, type Soon } from './soon.ts';
import { createSubscriptions } from './subscriptions.ts';
import type { Spy } from './traffic.ts';

export type ConnectionOptions = {
  readonly dialect: Dialect;
  readonly denyUnsafe: DenyUnsafe;
  readonly transport: 'port' | 'ws' | 'http';
  readonly limits?: Partial<RpcLimits>;
  /** Whether the transport's own buffer is full; subscriptions that fall behind are dropped. */
  readonly isBlocked?: () => boolean;
};

export type Connection = {
  /** Handles a text from the client; responses are sent through `send`. Never throws. */
  receive(text: string): void;
  /** Handles a text from the client; resolves to the response, or null if there is none. */
  handle(text: string): Promise<string | null>;
  close(): void;
};

/**
 * Connects a client; `send` receives every outgoing text. Pass `sendAll` if the transport can send a list at
 * once.
 */
export type Connect = (
  send: Transmit['send'],
  options: ConnectionOptions,
  sendAll?: Transmit['sendAll'],
) => Connection;

export type ConnectionDeps = {
  readonly routes: ReadonlyMap<string, Route>;
  readonly custom: CustomTable;
  readonly handlers: AnyHandlers;
  readonly methods: readonly string[];
  readonly createId: () => string;
  readonly transmit: Transmit;
  readonly clock: RateClock;
  /** Number of the connection, counted from 1. */
  readonly number: number;
  readonly spy: Spy;
  readonly writeNotification: WriteNotification;
  /** Starts the pacing of a task that runs in slices. */
  readonly startPace: () => Pace;
};

const defaultLimits: RpcLimits = {
  maxRequestBytes,
  maxResponseBytes,
  maxBatch,
  maxSubscriptions,
  callsPerMinute: null,
};
/** A page's own port passes texts within one process, so their size is not limited. */
const portLimits: RpcLimits = {
  ...defaultLimits,
  maxRequestBytes: Number.POSITIVE_INFINITY,
  maxResponseBytes: Number.POSITIVE_INFINITY,
};

const encoder = /* @__PURE__ */ new TextEncoder();
/** A UTF-16 unit takes one to three bytes of UTF-8, so most texts need no counting. */
const isLonger = (text: string, limit: number): boolean => {
  if (text.length > limit) return true;
  return text.length * 3 > limit && encoder.encode(text).length > limit;
};

type Announce = (text: string) => void;
type Answers = (message: Message, caller: object) => Soon<Answer | null>;

/**
 * Processes the entries in order, in slices. Notifications get no response. `announce` receives the responses
 * to subscribe calls first, because jsonrpsee's WebSocket sends them individually and again in the batch.
 */
const answerBatch = async (
  dispatch: Answers,
  pace: Pace,
  messages: readonly Message[],
  caller: object,
  limits: RpcLimits,
  announce: Announce | null,
): Promise<Answer | null> => {
  if (messages.length > limits.maxBatch) return refuse(null, batchTooLarge(limits.maxBatch));
  if (messages.length === 0) return refuse(null, invalidRequest);
  const answers: Answer[] = [];
  let sizeBytes = 1;
  for (const message of messages) {
    const one = await dispatch(message, caller);
    // Pauses after every entry, even if it was answered synchronously: awaiting a settled promise does not
    // let other tasks run.
    await pace.pause();
    if (one === null) continue;
    answers.push(one);
    if (one.ofSubscription === true) announce?.(one.text);
    sizeBytes += encoder.encode(one.text).length + 1;
    if (sizeBytes <= limits.maxResponseBytes) continue;
    // If the ids of new subscriptions have been sent, they stay open; otherwise they are ended.
    for (const { undo, after } of answers) (announce === null || undo === undefined ? undo : after)?.();
    return refuse(null, batchResponseTooLarge(limits.maxResponseBytes));
  }
  if (answers.length === 0) return null;
  const after = (): void => {
    for (const one of answers) one.after?.();
  };
  return { id: null, text: `[${answers.map((one) => one.text).join(',')}]`, after };
};

/** Refuses calls while too many are pending. */
const limitInFlight = (dispatch: Answers): Answers => {
  let inFlight = 0;
  const release = (): void => {
    inFlight -= 1;
  };
  return (message, caller) => {
    if (inFlight >= maxInFlight && message.kind === 'request') return refuse(message.id, serverBusy);
    const answered = dispatch(message, caller);
    if (!(answered instanceof Promise)) return answered;
    inFlight += 1;
    return answered.finally(release);
  };
};

/** Queues calls for the rate limit; without one they run at once. */
const limitRate = (dispatch: Answers, callsPerMinute: number | null, clock: RateClock): Answers => {
  if (callsPerMinute === null) return dispatch;
  const takeTurn = createRateLimit(callsPerMinute, clock);
  let waiting = 0;
  return async (message, caller) => {
    if (message.kind !== 'request') return dispatch(message, caller);
    if (waiting >= maxRateWaiting) return refuse(message.id, serverBusy);
    waiting += 1;
    const isMyTurn = await takeTurn();
    waiting -= 1;
    return isMyTurn ? dispatch(message, caller) : refuse(message.id, rateExceeded);
  };
};

/** Handles a text within the limits. Never throws. */
const createAnswering =
  (
    dispatch: Answers,
    limits: RpcLimits,
    dialect: RpcDialect,
    { spy, startPace }: Pick<ConnectionDeps, 'spy' | 'startPace'>,
    announce: Announce | null,
  ) =>
  (text: string, caller: object): Soon<Answer | null> => {
    const refuseAll = (error: RpcErrorData): Answer => {
      const answer = refuse(null, error);
      spy.asked({ kind: 'broken', id: null, error }, text)?.(answer.text);
      return answer;
    };
    if (isLonger(text, limits.maxRequestBytes)) return refuseAll(requestTooBig(limits.maxRequestBytes));
    if (limits.maxBatch === 0 && startsBatch(text)) return refuseAll(noBatches);
    const incoming = readIncoming(text, dialect);
    const bounded: Answers = (message, from) => {
      const tell = spy.asked(message, incoming.kind === 'batch' ? null : text);
      return andThen(dispatch(message, from), (answered) => {
        let one = answered;
        if (one !== null && isLonger(one.text, limits.maxResponseBytes)) {
          one.undo?.();
          one = refuse(one.id, responseTooBig(limits.maxResponseBytes));
        }
        tell?.(one?.text ?? null);
        return one;
      });
    };
    return incoming.kind === 'batch'
      ? answerBatch(bounded, startPace(), incoming.messages, caller, limits, announce)
      : bounded(incoming.message, caller);
  };

/** One client: its subscriptions, limits and dialect. */
export const createConnection = (deps: ConnectionDeps, options: ConnectionOptions): Connection => {
  const { denyUnsafe, transport } = options;
  const dialect = dialects[options.dialect];
  const limits: RpcLimits = { ...(transport === 'port' ? portLimits : defaultLimits), ...options.limits };
  const ended = new AbortController();
  const outbox = createOutbox(deps.transmit);
  const subscriptions = createSubscriptions({
    createId: deps.createId,
    notify: (event, id, item) => {
      const text = deps.writeNotification(event, id, item);
      outbox.notify(text);
      deps.spy.notified(event, id, text);
    },
    isBlocked: options.isBlocked ?? (() => false),
  });
  const dispatch = createDispatch(
    {
      ...deps,
      subscriptions,
      context: {
        connection: deps.number,
        dialect,
        denyUnsafe,
        methods: deps.methods,
        maxResponseBytes: limits.maxResponseBytes,
        isShared: transport === 'http',
        signal: ended.signal,
      },
    },
    { carriesNotifications: transport !== 'http', maxSubscriptions: limits.maxSubscriptions },
  );
  const answer = createAnswering(
    limitInFlight(limitRate(dispatch, limits.callsPerMinute, deps.clock)),
    limits,
    dialect,
    deps,
    transport === 'ws' && dialect.announcesInBatches ? outbox.respond : null,
  );
  const connection: Connection = {
    receive: (text) => {
      if (ended.signal.aborted) return;
      void andThen(answer(text, connection), (reply) => {
        // If a subscription opened while the connection was closing, nothing else would end it.
        if (ended.signal.aborted) subscriptions.closeAll();
        else if (reply !== null) {
          outbox.respond(reply.text);
          reply.after?.();
        }
      });
    },
    handle: async (text) => {
      const reply = await answer(text, transport === 'http' ? {} : connection);
      reply?.after?.();
      return reply?.text ?? null;
    },
    close: () => {
      ended.abort();
      subscriptions.closeAll();
      outbox.close();
    },
  };
  return connection;
};
