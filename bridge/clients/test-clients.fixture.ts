import { request } from 'node:http';

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
