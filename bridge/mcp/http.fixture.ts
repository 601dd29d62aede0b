import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Context } from '../../ui/agents/tools/tool.ts';
import { type McpHttpArguments, parseMcpArguments } from '../cli/mcp-arguments.ts';
import { type HttpLimits, httpLimits, openMcpListener } from './http.ts';
import { createMcpServer } from './server.ts';

export const token = 'a-token-for-the-tests';

/** Tools over a fake node whose responses the test provides. */
const contextOf = (request: Context['request']): Context => ({
  allowWrites: false,
  accounts: [],
  permission: { name: '--allow-writes', refusal: 'read only' },
  request,
  connect: () => Promise.reject(new Error('no node')),
  inTurn: (work) => work(),
  meta: { at: () => Promise.reject(new Error('no node')) } as unknown as Context['meta'],
});

export const open = (
  request: Context['request'],
  limits: Partial<HttpLimits> = {},
  ...args: readonly string[]
) =>
  openMcpListener(
    () => createMcpServer(contextOf(request)),
    parseMcpArguments(['--http', '0', ...args]).http as McpHttpArguments,
    token,
    { ...httpLimits, ...limits },
  );

export const messageOf = (method: string, params: object = {}, id: number | undefined = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params });
export const list = messageOf('tools/list');
export const hashCall = messageOf('tools/call', {
  name: 'rpc_call',
  arguments: { method: 'chain_getBlockHash', params: [] },
});
export type Headers = Readonly<Record<string, string>>;
type Told = {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
};

export const usual: Headers = {
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/** Sends a request with any Host and Origin, which `fetch` does not allow. */
export const send = async (
  url: string,
  body: string | null,
  headers: Headers = {},
  method = 'POST',
): Promise<Told> => {
  const sent = httpRequest(url, { method, headers: { ...usual, ...headers } });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body ?? undefined);
  const [response] = await answered;
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode, headers: response.headers, text };
};
