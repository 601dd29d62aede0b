import { WebSocket } from 'ws';

const open = (url: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });

/** Answers until the time is over, with a constant number of requests in flight on each socket. */
const countAnswers = (
  socket: WebSocket,
  text: string,
  { inFlight, untilMs }: { readonly inFlight: number; readonly untilMs: number },
): Promise<number> =>
  new Promise((resolve, reject) => {
    let answers = 0;
    let waiting = inFlight;
    socket.on('message', (data: Uint8Array) => {
      // Decoding each would measure the client.
      if (answers === 0 && `${data}`.includes('"error"')) reject(new Error(`${data}`));
      answers++;
      if (performance.now() < untilMs) socket.send(text);
      else if (--waiting === 0) resolve(answers);
    });
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    for (let sent = 0; sent < inFlight; sent++) socket.send(text);
  });

export type Load = {
  readonly connections: number;
  /** On each connection. */
  readonly inFlight: number;
  readonly ms: number;
};

/** Answers to one call, and the milliseconds that they took, the last ones in flight included. */
export const measureRate = async (
  url: string,
  [method, params]: readonly [method: string, params: readonly unknown[]],
  { connections, inFlight, ms }: Load,
): Promise<{ readonly answers: number; readonly ms: number }> => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const sockets: WebSocket[] = [];
  try {
    for (let at = 0; at < connections; at++) sockets.push(await open(url));
    const from = performance.now();
    const counts = await Promise.all(
      sockets.map((socket) => countAnswers(socket, text, { inFlight, untilMs: from + ms })),
    );
    return { answers: counts.reduce((sum, count) => sum + count, 0), ms: performance.now() - from };
  } finally {
    for (const socket of sockets) socket.terminate();
  }
};
