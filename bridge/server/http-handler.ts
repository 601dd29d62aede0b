import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, writeJson } from '../../src/protocol/json.ts';
import { maxWholeText } from '../../src/protocol/limits.ts';
import type { DenyUnsafe, Dialect } from '../../src/protocol/node.ts';
import { readIds } from '../../src/protocol/request-ids.ts';
import type { Cors, RpcSettings } from '../cli/rpc-settings.ts';
import {
  type Admission,
  admitPage,
  deniedTo,
  type Refusal,
  rateOf,
  requestDialect,
  targetOf,
  tooBigText,
  tooMany,
} from './access.ts';
import type { HttpCaller, HttpCalls } from './http-calls.ts';
import { createHttpTurns, type HttpTurns, whenClosed } from './http-turns.ts';
import { type InputBudget, readBody } from './input-budget.ts';
import type { OutputBudget } from './output-budget.ts';
import { LostCall, writeLostText } from './pending-calls.ts';

/** What determines a request's rights: the address it arrived at. */
export type ListenerRights = { readonly denyUnsafe: DenyUnsafe };

/** The nodes behind a door that serves more than one, each at its own path. */
export type Directory = {
  /** The name of the node at a path, or a refusal. */
  find(path: string): string | Refusal;
  /** The JSON response to `GET /`. */
  list(): unknown;
};

export type HandlerOptions = {
  /** Null: one node serves every path. */
  readonly directory: Directory | null;
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  readonly admission: Admission;
  readonly inputBudget: InputBudget;
  readonly outputBudget: OutputBudget;
};

/** JSON-RPC over HTTP as in the SDK's server. */
const jsonType = { 'content-type': 'application/json; charset=utf-8' } as const;
const textType = { 'content-type': 'text/plain' } as const;
const parseErrorText = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'Parse error' },
});
/** The six spellings that the SDK's server accepts (jsonrpsee-server, `is_json`). */
const jsonContent = /^application\/json(-rpc)?(; ?charset=utf-8)?$/i;

const answer = (response: ServerResponse, status: number, type: object, text: string): void => {
  response.writeHead(status, { ...type, 'content-length': new TextEncoder().encode(text).length });
  response.end(text);
};

/**
 * With a list of origins, allows the origin of the request, which has already been checked against the list.
 * With `all`, allows any origin, as the SDK's server does.
 */
const setCors = (request: IncomingMessage, response: ServerResponse, cors: Cors): void => {
  response.setHeader('vary', 'origin, access-control-request-method, access-control-request-headers');
  const { origin } = request.headers;
  const isPreflight = request.method === 'OPTIONS';
  if (cors !== 'all' && origin === undefined) return;
  response.setHeader('access-control-allow-origin', cors === 'all' ? '*' : (origin as string));
  if (isPreflight && cors === 'all') {
    response.setHeader('access-control-allow-methods', '*');
    response.setHeader('access-control-allow-headers', '*');
  } else if (isPreflight) {
    // The native server sends a listed origin no further headers, but a page that sends a preflight request
    // cannot call without these.
    if ('access-control-request-method' in request.headers)
      response.setHeader('access-control-allow-methods', 'POST');
    if ('access-control-request-headers' in request.headers)
      response.setHeader('access-control-allow-headers', 'content-type');
  } else if (cors === 'all') response.setHeader('access-control-expose-headers', '*');
};

/**
 * What is kept of a body that is not valid UTF-8. The SDK's server still reads the id of the call and refuses
 * the rest. A large one is not read for its id, which would hold up the others.
 */
const readRest = (text: string, dialect: Dialect): string => {
  if (text.length > maxWholeText) return '{}';
  try {
    const { id } = parseJson(text) as { readonly id?: unknown };
    const isLost = dialect === 'psp-6' || (typeof id === 'string' && id.includes('\ufffd'));
    return writeJson(isLost ? {} : { id });
  } catch {
    return '{}';
  }
};

const startsLikeJson = (text: string): boolean => /^[ \t\n\f\r]{0,127}[{[]/.test(text);

type Health = { readonly peers: number; readonly isSyncing: boolean; readonly shouldHavePeers: boolean };
const healthPaths: readonly string[] = ['/health', '/health/readiness'];

/**
 * A node is ready if it is not syncing and has the peers it should have (sc-rpc-server, `NodeHealthProxy`).
 */
const answerHealth = async (
  calls: HttpCalls,
  response: ServerResponse,
  readiness: boolean,
  node: string,
): Promise<void> => {
  const text = await calls.call(
    { dialect: 'polkadot-sdk', denyUnsafe: true, rate: null, node },
    '{"jsonrpc":"2.0","id":1,"method":"system_health","params":[]}',
  );
  const { result } = JSON.parse(text ?? '{}') as { result?: Health };
  const isReady =
    result !== undefined && ((!result.isSyncing && result.peers > 0) || !result.shouldHavePeers);
  answer(
    response,
    readiness && !isReady ? 500 : 200,
    jsonType,
    readiness ? '' : JSON.stringify(result ?? null),
  );
};

/** The page that runs the node may leave, or not respond. */
const answerLost = (response: ServerResponse, text: string, error: unknown): void => {
  if (!(error instanceof LostCall)) throw error;
  answer(response, error.status, jsonType, writeLostText(readIds(text), error.message));
};

/**
 * Takes a place among the connections until the response has ended and, if it is a call, the node is done with it;
 * null if there is none. A body that is still to come has none: slow ones would keep everybody else out (`Intake`
 * bounds their memory).
 */
const takePlace = (
  { admission }: HandlerOptions,
  { socket }: IncomingMessage,
  response: ServerResponse,
): { until(work: Promise<unknown>): void } | null => {
  const leave = admission.enter();
  if (leave === null) return null;
  const closed = whenClosed(socket, response);
  return {
    until: (work) => {
      void Promise.allSettled([work, closed]).then(leave);
    },
  };
};

/** Shorter results are not counted among what waits to be sent. */
const smallBytes = 65_536;
const noRoom = 'Too much waits to be sent to clients that do not read. Try again later.\n';

/** A client that does not read is disconnected in the middle of its response, which no status can announce. */
const answerResult = (outputBudget: OutputBudget, response: ServerResponse, text: string): void => {
  const isSmall = text.length < smallBytes;
  if (!isSmall && !outputBudget.admits(text.length)) {
    answer(response, 503, textType, noRoom);
    return;
  }
  answer(response, 200, jsonType, text);
  if (isSmall) return;
  const end = (): void => void response.destroy();
  const outgoing = outputBudget.open({ unsentBytes: () => response.writableLength, end, kill: end });
  outgoing.update();
  response.once('close', outgoing.leave);
};

type Deps = HandlerOptions & { readonly calls: HttpCalls; readonly turns: HttpTurns };

const answerCall = async (
  deps: Deps,
  request: IncomingMessage,
  response: ServerResponse,
  caller: HttpCaller,
): Promise<void> => {
  const { inputBudget, rpc, turns } = deps;
  const maxBytes = rpc.limits.maxRequestBytes;
  if (!jsonContent.test(request.headers['content-type'] ?? '')) {
    const why = 'Supplied content type is not allowed. Content-Type: application/json is required\n';
    return answer(response, 415, textType, why);
  }
  const incoming = inputBudget.open(() => request.destroy());
  const body = await readBody(request, maxBytes, incoming).finally(incoming.clear);
  if (!(await turns.take(request.socket, response))) return;
  const place = takePlace(deps, request, response);
  if (place === null) return answer(response, tooMany.status, textType, tooMany.text);
  const work = answerBody(deps, response, caller, body);
  place.until(work);
  return work;
};

const answerBody = async (
  { calls, rpc, outputBudget }: Deps,
  response: ServerResponse,
  caller: HttpCaller,
  body: Uint8Array | null,
): Promise<void> => {
  if (body === null) return answer(response, 413, jsonType, tooBigText(rpc.limits.maxRequestBytes));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  if (!startsLikeJson(text)) return answer(response, 400, jsonType, parseErrorText);
  const readable = isUtf8(body) ? text : readRest(text, caller.dialect);
  try {
    answerResult(outputBudget, response, (await calls.call(caller, readable)) ?? '');
  } catch (error) {
    answerLost(response, readable, error);
  }
};

const handle = async (
  deps: Deps,
  listener: ListenerRights,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { dialect: fallback, rpc, directory, calls } = deps;
  const page = admitPage(request, rpc.cors);
  if (typeof page !== 'string') return answer(response, page.status, textType, page.text);
  const { path } = targetOf(request);
  const asksHealth = healthPaths.includes(path);
  if (asksHealth && request.method !== 'GET') return answer(response, 405, jsonType, '');
  setCors(request, response, rpc.cors);
  if (request.method === 'OPTIONS') {
    response.end();
    return;
  }
  if (directory !== null && request.method === 'GET' && path === '/')
    return answer(response, 200, jsonType, JSON.stringify(directory.list()));
  const node = directory?.find(asksHealth ? '/' : path) ?? '';
  if (typeof node !== 'string') return answer(response, node.status, textType, node.text);
  if (asksHealth) return answerHealth(calls, response, path !== '/health', node);
  if (request.method !== 'POST') {
    return answer(response, 405, textType, 'Used HTTP Method is not allowed. POST is required\n');
  }
  const dialect = requestDialect(request, fallback);
  if (typeof dialect !== 'string') return answer(response, dialect.status, textType, dialect.text);
  const callsPerMinute = rateOf(request, rpc.rate);
  const rate = callsPerMinute === null ? null : { callsPerMinute, socket: request.socket };
  const caller = { dialect, denyUnsafe: deniedTo(page, listener, rpc.http), rate, node };
  return answerCall(deps, request, response, caller);
};

/** Handles an HTTP request that arrived at a listener. */
export type HttpHandler = (
  listener: ListenerRights,
  request: IncomingMessage,
  response: ServerResponse,
) => void;

/** Forwards the bodies of HTTP requests to the node. */
export const createHttpHandler = (calls: HttpCalls, options: HandlerOptions): HttpHandler => {
  const deps: Deps = { ...options, calls, turns: createHttpTurns() };
  return (listener, request, response) => {
    // If the client disconnects, only its own response is lost.
    request.on('error', () => response.destroy());
    response.on('error', () => response.destroy());
    if (request.method !== 'POST') {
      const place = takePlace(deps, request, response);
      if (place === null) return answer(response, tooMany.status, textType, tooMany.text);
      place.until(Promise.resolve());
    }
    handle(deps, listener, request, response).catch(() => {
      if (response.headersSent || response.destroyed) response.destroy();
      else answer(response, 500, textType, 'The node is gone.\n');
    });
  };
};
