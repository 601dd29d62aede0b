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

/** The next messages of a socket. */
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
