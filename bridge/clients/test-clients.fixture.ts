import { request } from 'node:http';
import { WebSocket } from 'ws';

/** A JSON-RPC request as text. */
export const bodyOf = (method: string, params: readonly unknown[] = [], id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const post = (
  address: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  globalThis.fetch(address, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

/**
 * A POST request with headers that fetch does not allow to be set, such as Host and Connection. A list of
 * headers is sent unchanged.
 */
export const postAs = (
  address: string,
  headers: Readonly<Record<string, string>> | readonly string[],
  body = bodyOf('system_name'),
  path = '/',
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const type = 'application/json';
    const all = Array.isArray(headers)
      ? [...headers, 'content-type', type, 'content-length', String(body.length)]
      : { 'content-type': type, ...headers };
    const sent = request(address, { method: 'POST', path, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });

/** The result of a call over HTTP. */
export const callHttp = async (
  address: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> =>
  ((await (await post(address, bodyOf(method, params))).json()) as { result?: unknown }).result;

export const openSocket = (address: string, headers: Record<string, string> = {}): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers });
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });

/** The next `count` messages of a socket. */
export const nextTexts = (socket: WebSocket, count: number): Promise<string[]> =>
  new Promise((resolve) => {
    const texts: string[] = [];
    const take = (data: Uint8Array): void => {
      texts.push(new TextDecoder().decode(data));
      if (texts.length < count) return;
      socket.off('message', take);
      resolve(texts);
    };
    socket.on('message', take);
  });

/** The response to one call over a new WebSocket. */
export const callSocket = async (
  address: string,
  method: string,
  params: readonly unknown[] = [],
  headers: Record<string, string> = {},
): Promise<{
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}> => {
  const socket = await openSocket(address, headers);
  const texts = nextTexts(socket, 1);
  socket.send(bodyOf(method, params));
  const answer = JSON.parse((await texts)[0] as string) as object;
  socket.close();
  return answer;
};

/** Status and body of a refused WebSocket upgrade. */
export const refusedSocket = (
  address: string,
  headers: Record<string, string>,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers });
    socket.once('open', () => reject(new Error('It was let in')));
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
