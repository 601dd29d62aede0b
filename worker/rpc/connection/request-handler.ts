import { maxInFlight, maxRateWaiting, maxWholeText } from '../../../src/protocol/limits.ts';
import type { RpcLimits } from '../../../src/protocol/node.ts';
import type { Route } from '../../../src/protocol/rpc/index.ts';
import type { Pace } from '../../tasks/pace.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { type Answer, refuse } from '../dispatch.ts';
import {
  batchResponseTooLarge,
  batchTooLarge,
  invalidRequest,
  noBatches,
  rateExceeded,
  requestTooBig,
  responseTooBig,
  serverBusy,
} from '../errors.ts';
import { andThen, type MaybePromise } from '../results.ts';
import { readIncoming, startsBatch } from './envelope.ts';
import { broken, type Incoming, type Message, refuseText } from './message.ts';
import { createRateLimit, type RateClock } from './rate-limit.ts';
import { readLarge } from './read-large.ts';
import type { ResultSizes } from './result-window.ts';
import type { TrafficTap } from './traffic.ts';

const encoder = /* @__PURE__ */ new TextEncoder();
/** A UTF-16 unit takes one to three bytes of UTF-8, so most texts need no counting. */
const isLonger = (text: string, limit: number): boolean => {
  if (text.length > limit) return true;
  return text.length * 3 > limit && encoder.encode(text).length > limit;
};

type Announce = (text: string) => void;
type Dispatch = (message: Message, caller: object) => MaybePromise<Answer | null>;

/** How many calls of a batch run at the same time. */
const maxTogether = 64;

type RunsTogether = (message: Message) => boolean;

/** What is started at the same time: calls in a row whose methods allow it; any other message alone. */
const groupsOf = (messages: readonly Message[], runsTogether: RunsTogether): readonly Message[][] => {
  const groups: Message[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    const first = last?.[0];
    const joins = first !== undefined && runsTogether(first) && runsTogether(message);
    if (last !== undefined && joins && last.length < maxTogether) last.push(message);
    else groups.push([message]);
  }
  return groups;
};

function* startGroups<T>(groups: readonly Message[][], start: (message: Message) => T): Generator<T> {
  for (const group of groups) yield* group.map(start);
}

/**
 * Processes the entries in order, in slices. Notifications get no response. `announce` receives the responses
 * to subscribe calls first, because jsonrpsee's WebSocket sends them individually and again in the batch.
 */
const handleBatch = async (
  dispatch: Dispatch,
  pace: Pace,
  messages: readonly Message[],
  caller: object,
  limits: RpcLimits,
  announce: Announce | null,
  runsTogether: RunsTogether,
): Promise<Answer | null> => {
  if (messages.length > limits.maxBatch) return refuse(null, batchTooLarge(limits.maxBatch));
  if (messages.length === 0) return refuse(null, invalidRequest);
  const answers: Answer[] = [];
  let sizeBytes = 1;
  const start = (message: Message) => dispatch(message, caller);
  for (const answered of startGroups(groupsOf(messages, runsTogether), start)) {
    const one = await answered;
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
const limitInFlight = (dispatch: Dispatch): Dispatch => {
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
const limitRate = (dispatch: Dispatch, callsPerMinute: number | null, clock: RateClock): Dispatch => {
  if (callsPerMinute === null) return dispatch;
  const takeTurn = createRateLimit(callsPerMinute, clock);
  let waiting = 0;
  const begin = (): void => {
    waiting -= 1;
  };
  return async (message, caller) => {
    if (message.kind !== 'request') return dispatch(message, caller);
    if (waiting >= maxRateWaiting) return refuse(message.id, serverBusy);
    waiting += 1;
    const isMyTurn = await takeTurn().finally(begin);
    return isMyTurn ? dispatch(message, caller) : refuse(message.id, rateExceeded);
  };
};

/** A client's text, with its parsed content. */
export type Read = { readonly text: string; readonly incoming: Incoming };

export type RequestHandler = {
  /** Reads a text within the limits; a small one at once. Never throws. */
  read(text: string): MaybePromise<Read>;
  /** Handles the parsed text. Never throws. */
  answer(read: Read, caller: object): MaybePromise<Answer | null>;
};

export type RequestHandlerDeps = {
  readonly routes: ReadonlyMap<string, Route>;
  readonly dispatch: Dispatch;
  readonly limits: RpcLimits;
  readonly dialect: RpcDialect;
  readonly clock: RateClock;
  readonly tap: TrafficTap;
  readonly sizes: ResultSizes;
  readonly startPace: () => Pace;
  readonly announce: Announce | null;
  readonly signal: AbortSignal;
};

/** Reads a client's texts and answers them, within the limits of its connection. */
export const createRequestHandler = (deps: RequestHandlerDeps): RequestHandler => {
  const { limits, dialect, tap, sizes, startPace, announce, signal } = deps;
  const runsTogether: RunsTogether = (message) => {
    // Under a rate limit, calls that wait together would take each other's turns.
    if (limits.callsPerMinute !== null) return false;
    const route = message.kind === 'request' ? deps.routes.get(message.method) : undefined;
    return route?.kind === 'call' && route.entry.runsTogether === true;
  };
  const { maxBatch, maxRequestBytes, maxResponseBytes } = limits;
  const dispatch = limitInFlight(limitRate(deps.dispatch, limits.callsPerMinute, deps.clock));
  const readText = (text: string): MaybePromise<Incoming> => {
    if (isLonger(text, maxRequestBytes)) return refuseText(text, requestTooBig(maxRequestBytes));
    if (maxBatch === 0 && startsBatch(text)) return refuseText(text, noBatches);
    if (text.length <= maxWholeText) return readIncoming(text, dialect);
    return readLarge(text, { dialect, maxBatch, pace: startPace(), signal });
  };
  return {
    read: (text) => andThen(readText(text), (incoming) => ({ text, incoming })),
    answer: ({ text, incoming }, caller) => {
      if (incoming.kind === 'refused') {
        const answer = refuse(incoming.id, incoming.error);
        tap.onRequest(broken(incoming.id, incoming.error), text)?.(answer.text);
        return answer;
      }
      const bounded: Dispatch = (message, from) => {
        const onResponse = tap.onRequest(message, incoming.kind === 'batch' ? null : text);
        return andThen(dispatch(message, from), (answered) => {
          let one = answered;
          if (one !== null && isLonger(one.text, maxResponseBytes)) {
            one.undo?.();
            one = refuse(one.id, responseTooBig(maxResponseBytes));
          }
          if (one !== null && message.kind === 'request') sizes.learn(message.method, one.text.length);
          onResponse?.(one?.text ?? null);
          return one;
        });
      };
      return incoming.kind === 'batch'
        ? handleBatch(bounded, startPace(), incoming.messages, caller, limits, announce, runsTogether)
        : bounded(incoming.message, caller);
    },
  };
};
