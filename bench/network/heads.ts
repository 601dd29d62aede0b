import { WebSocket } from 'ws';

/** The best block of a node as it moves, over its JSON-RPC. Times are of `performance.now()`. */
export const watchHeads = async (url: string) => {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const seen = new Map<number, number>();
  let wake = (): void => undefined;
  let best = 0;
  socket.on('message', (data: Uint8Array) => {
    const message = JSON.parse(`${data}`) as { params?: { result?: { number?: string } } };
    const number = message.params?.result?.number;
    if (number === undefined) return;
    best = Math.max(best, Number(number));
    seen.set(Number(number), performance.now());
    wake();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.send('{"jsonrpc":"2.0","id":1,"method":"chain_subscribeNewHeads","params":[]}');
  return {
    /** Resolves with the time at which a block of this height, or a higher one, was the best. */
    reaches: async (number: number): Promise<number> => {
      while (best < number)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return seen.get(number) ?? seen.get(best) ?? performance.now();
    },
    close: () => socket.terminate(),
  };
};
