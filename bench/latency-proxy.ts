import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** A way to a WebSocket server that takes this long for a request and its response together. */
export const openLatencyProxy = async (target: string, latencyMs: number) => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 1 << 28 });
  await once(server, 'listening');
  let requests = 0;
  const pass = (from: WebSocket, to: WebSocket): void => {
    from.on('message', (data, isBinary) => {
      setTimeout(() => {
        if (to.readyState === WebSocket.OPEN) to.send(data, { binary: isBinary });
      }, latencyMs / 2);
    });
    from.on('close', () => to.close());
    from.on('error', () => to.close());
  };
  server.on('connection', (near) => {
    const far = new WebSocket(target, { maxPayload: 1 << 28 });
    near.on('message', () => {
      requests += 1;
    });
    // What a client sends at once waits until the other side is open.
    near.pause();
    far.on('open', () => near.resume());
    pass(near, far);
    pass(far, near);
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: (): number => requests,
    close: (): void => {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
};
