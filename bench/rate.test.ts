import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { measureRate } from './rate.ts';

/** A server that handles each message by `respond`. */
const open = async (respond: (socket: WebSocket, text: string) => void): Promise<string> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => void server.close());
  server.on('connection', (socket) => socket.on('message', (data) => respond(socket, `${data}`)));
  if (server.address() === null) await new Promise((resolve) => server.once('listening', resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('rate of answers', () => {
  it('counts each answer, on all connections, and never has more in flight', async () => {
    const waiting = new Map<WebSocket, number>();
    let [answered, most] = [0, 0];
    const url = await open((socket, text) => {
      waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
      most = Math.max(most, waiting.get(socket) ?? 0);
      setImmediate(() => {
        waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
        answered++;
        socket.send(JSON.stringify({ result: JSON.parse(text).params }));
      });
    });
    const load = { connections: 3, inFlight: 4, ms: 50 };
    const { answers, ms } = await measureRate(url, ['echo', [1]], load);
    expect(answers).toBe(answered);
    expect([waiting.size, most]).toEqual([3, 4]);
    expect(answers).toBeGreaterThanOrEqual(12);
    expect(ms).toBeGreaterThanOrEqual(50);
  });

  it('rejects if the node refuses the call, or closes the connection', async () => {
    const load = { connections: 1, inFlight: 1, ms: 50 };
    const refusing = await open((socket) => socket.send('{"error":{"message":"no"}}'));
    await expect(measureRate(refusing, ['echo', []], load)).rejects.toThrow('no');
    const closing = await open((socket) => socket.close());
    await expect(measureRate(closing, ['echo', []], load)).rejects.toThrow('closed');
  });
});
