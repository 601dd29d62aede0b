import { WebSocket } from 'ws';
import { bodyOf } from './test-clients.fixture.ts';

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
