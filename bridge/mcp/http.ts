import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, type McpHttpHandler, type McpServer } from '@modelcontextprotocol/server';
import { NodeError } from '../../src/protocol/errors.ts';
import type { McpHttpArguments } from '../cli/mcp-arguments.ts';
import { admitPage, createAdmission, targetOf, tooBigText, tooMany } from '../server/access.ts';
import { createInputBudget, type InputBudget, readBody } from '../server/input-budget.ts';
import { createListener } from '../server/listener.ts';

/** Bounds of the server; tests lower them. */
export type HttpLimits = {
  /** A body beyond this is refused with 413. */
  readonly maxBodyBytes: number;
  /** Requests in progress, streams included; more are refused with 429. */
  readonly maxRequests: number;
  /** How long a client may take to send a request, including the first one after it has connected. */
  readonly requestMs: number;
};

export const httpLimits: HttpLimits = {
  // As over stdin.
  maxBodyBytes: 10 * 1024 * 1024,
  maxRequests: 100,
  requestMs: 20_000,
};

/** Maximum number of open streams for change notifications. Each is also a request in progress. */
const maxListeners = 32;

const path = '/mcp';

const answer = (response: ServerResponse, status: number, text: string, headers: object = {}): void => {
  const type = text.startsWith('{') ? 'application/json' : 'text/plain';
  const length = new TextEncoder().encode(text).length;
  response.writeHead(status, { 'content-type': type, 'content-length': length, ...headers });
  response.end(text);
};

/** The origin has been checked. Different MCP revisions use different request headers. */
const setCors = ({ headers }: IncomingMessage, response: ServerResponse): void => {
  const { origin } = headers;
  response.setHeader('vary', 'origin, access-control-request-headers');
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', 'POST');
  response.setHeader('access-control-expose-headers', 'www-authenticate');
  const requestedHeaders = headers['access-control-request-headers'];
  if (requestedHeaders !== undefined) response.setHeader('access-control-allow-headers', requestedHeaders);
};

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** Compares in constant time, so that response times do not reveal how much of the token is right. */
const hasToken = ({ headers }: IncomingMessage, token: string): boolean => {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
};

const tokenRefusal =
  'The request needs the header "Authorization: Bearer TOKEN" with the token that tabnode mcp --http prints when it starts.\n';

/** Handles one request. The handler's signal is aborted when the client disconnects. */
const exchange = async (
  handler: McpHttpHandler,
  { headers }: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
): Promise<void> => {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  // Not taken from the Host header: with --rpc-cors all that may be invalid, although it passed the check.
  const request = new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: given,
    body: body as Uint8Array<ArrayBuffer>,
    signal: left.signal,
  });
  const answered = await handler.fetch(request);
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) response.end();
  else await pipeline(Readable.fromWeb(answered.body as Parameters<typeof Readable.fromWeb>[0]), response);
};

type Options = {
  readonly settings: McpHttpArguments;
  readonly token: string | null;
  readonly limits: HttpLimits;
  readonly inputBudget: InputBudget;
};

const handle = async (
  handler: McpHttpHandler,
  { settings, token, limits, inputBudget }: Options,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const page = admitPage(request, settings.cors);
  if (typeof page !== 'string') return answer(response, page.status, page.text);
  setCors(request, response);
  if (targetOf(request).path !== path) return answer(response, 404, `MCP is served at ${path}.\n`);
  if (request.method === 'OPTIONS') {
    response.writeHead(204);
    response.end();
    return;
  }
  if (token !== null && !hasToken(request, token))
    return answer(response, 401, tokenRefusal, { 'www-authenticate': 'Bearer realm="tabnode"' });
  if (request.method !== 'POST')
    return answer(response, 405, 'This server has no sessions and no event stream. POST is required.\n', {
      allow: 'POST',
    });
  const incoming = inputBudget.open(() => request.destroy());
  const body = await readBody(request, limits.maxBodyBytes, incoming).finally(incoming.clear);
  if (body === null) return answer(response, 413, tooBigText(limits.maxBodyBytes));
  await exchange(handler, request, response, body);
};

/** A listening MCP server. `url` is its address. */
export type McpListener = { readonly url: string; close(): Promise<void> };

/**
 * Serves the tools by the Streamable HTTP transport of MCP 2026-07-28, and clients of the 2025 revisions
 * without sessions: `createMcp` returns a server for one request, and no state is kept between
 * requests. Rejects with `BadConfig` if the port cannot be opened.
 */
export const openMcpListener = async (
  createMcp: () => McpServer,
  settings: McpHttpArguments,
  token: string | null,
  limits: HttpLimits = httpLimits,
): Promise<McpListener> => {
  const handler = createMcpHandler(createMcp, {
    maxRequestBodySize: limits.maxBodyBytes,
    maxSubscriptions: maxListeners,
  });
  const options: Options = { settings, token, limits, inputBudget: createInputBudget() };
  const admission = createAdmission(limits.maxRequests);
  const { requestMs } = limits;
  const timeouts = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 4,
  };
  const server = createServer(timeouts, (request, response) => {
    request.on('error', () => response.destroy());
    response.on('error', () => response.destroy());
    const leave = admission.enter();
    if (leave === null) return answer(response, tooMany.status, tooMany.text);
    response.once('close', leave);
    handle(handler, options, request, response).catch(() => {
      if (response.headersSent || response.destroyed) response.destroy();
      else answer(response, 500, 'The request failed.\n');
    });
  });
  const listener = createListener(server);
  const address = await listener.listen(settings);
  return {
    url: `http://${address}${path}`,
    close: async () => {
      await Promise.all([listener.close(), handler.close()]);
    },
  };
};

/** The secret that HTTP clients have to present; `value` is null if none is needed. */
export type Token = { readonly value: string | null; readonly isGiven: boolean };

const variable = 'TABNODE_MCP_TOKEN';

/**
 * The token from the environment, which keeps client configurations valid across restarts, or else a random
 * one. There is no flag for it, because every user of the machine can read command lines. Throws `BadConfig`
 * if the token is too short or not valid in a header.
 */
export const readToken = (isNeeded: boolean): Token => {
  if (!isNeeded) return { value: null, isGiven: false };
  const given = process.env[variable];
  if (given === undefined) return { value: randomBytes(24).toString('base64url'), isGiven: false };
  if (/^[\w.~+/-]{16,}=*$/.test(given)) return { value: given, isGiven: true };
  throw new NodeError(
    'BadConfig',
    `${variable} must have 16 or more characters, all of them letters, digits or one of - . _ ~ + /`,
  );
};
