import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseJson, writeJson } from '../src/protocol/json.ts';
import type { DenyUnsafe, Dialect } from '../src/protocol/node.ts';
import {
  type Admission,
  admitPage,
  type Refusal,
  rateOf,
  requestDialect,
  targetOf,
  tooBigText,
  tooMany,
} from './access.ts';
import { readBody } from './http-body.ts';
import type { HttpCaller, HttpCalls } from './http-calls.ts';
import type { Intake } from './intake.ts';
import { deniedTo } from './rights.ts';
import type { Cors, RpcSettings } from './rpc-settings.ts';

/** The address that a request came in on, as far as its rights depend on it. */
export type Listener = { readonly denyUnsafe: DenyUnsafe };

/** The nodes behind a door that serves several of them, each under a path. */
export type Directory = {
  /** The name of the node at a path, or why there is none. */
  find(path: string): string | Refusal;
  /** What a GET of `/` returns, as JSON. */
  list(): unknown;
};

export type DoorOptions = {
  /** Null: there is one node, under every path. */
  readonly directory: Directory | null;
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  readonly admission: Admission;
  readonly intake: Intake;
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
 * With a list of origins, allows the request's origin, which is on the list. With `all`, allows everything
 * for everyone, as the SDK's server does.
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
    // The native server sends nothing more to a listed page, but a page that asks cannot call without these
    // headers.
    if ('access-control-request-method' in request.headers)
      response.setHeader('access-control-allow-methods', 'POST');
    if ('access-control-request-headers' in request.headers)
      response.setHeader('access-control-allow-headers', 'content-type');
  } else if (cors === 'all') response.setHeader('access-control-expose-headers', '*');
};

/**
 * What remains of a text that is not valid UTF-8: the SDK's server still reads the id of a call, and refuses
 * the rest.
 */
const readRest = (text: string, dialect: Dialect): string => {
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

const answerCall = async (
  calls: HttpCalls,
  { intake, rpc }: DoorOptions,
  request: IncomingMessage,
  response: ServerResponse,
  caller: HttpCaller,
): Promise<void> => {
  const maxBytes = rpc.limits.maxRequestBytes;
  if (!jsonContent.test(request.headers['content-type'] ?? '')) {
    const why = 'Supplied content type is not allowed. Content-Type: application/json is required\n';
    return answer(response, 415, textType, why);
  }
  const incoming = intake.open(() => request.destroy());
  const body = await readBody(request, maxBytes, incoming).finally(incoming.clear);
  if (body === null) return answer(response, 413, jsonType, tooBigText(maxBytes));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  if (!startsLikeJson(text)) return answer(response, 400, jsonType, parseErrorText);
  const readable = isUtf8(body) ? text : readRest(text, caller.dialect);
  answer(response, 200, jsonType, (await calls.call(caller, readable)) ?? '');
};

const handle = async (
  calls: HttpCalls,
  options: DoorOptions,
  listener: Listener,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { dialect: fallback, rpc, directory } = options;
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
  return answerCall(calls, options, request, response, caller);
};

/** Handles an HTTP request received by a listener. */
export type HttpHandler = (listener: Listener, request: IncomingMessage, response: ServerResponse) => void;

/** Passes the bodies of HTTP requests to the node. */
export const createHttpFront =
  (calls: HttpCalls, options: DoorOptions): HttpHandler =>
  (listener, request, response) => {
    // A client that disconnects only loses its own response.
    request.on('error', () => response.destroy());
    response.on('error', () => response.destroy());
    const leave = options.admission.enter();
    if (leave === null) return answer(response, tooMany.status, textType, tooMany.text);
    // A response that waits behind another emits nothing when its socket is upgraded or reset.
    const { socket } = request;
    const done = (): void => {
      socket.off('close', done);
      leave();
    };
    response.once('close', done);
    socket.once('close', done);
    if (socket.destroyed) done();
    handle(calls, options, listener, request, response).catch(() => {
      if (response.headersSent || response.destroyed) response.destroy();
      else answer(response, 500, textType, 'The node is gone.\n');
    });
  };
