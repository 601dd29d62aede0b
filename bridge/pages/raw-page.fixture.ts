import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { bridgeProtocol, idOfSecret, proveSecret, readBundle } from '../../src/protocol/bridge.ts';
import { pageOrigin, type startBridge } from './bridge.fixture.ts';

/** A page that can send arbitrary messages. `ended` resolves to the code and reason of the close. */
export const openRaw = async (url: string, origin: string | null = pageOrigin, headers = {}) => {
  const socket = new WebSocket(url, bridgeProtocol, origin === null ? { headers } : { origin, headers });
  const frames: string[] = [];
  let wake = (): void => undefined;
  socket.on('message', (data: Uint8Array) => {
    frames.push(...(readBundle(new TextDecoder().decode(data)) ?? []));
    wake();
  });
  const ended = new Promise<string>((resolve) =>
    socket.once('close', (code: number, reason: Uint8Array) =>
      resolve(`${code} ${new TextDecoder().decode(reason)}`),
    ),
  );
  const opened = new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode ?? 0));
    socket.once('error', () => undefined);
  });
  const next = async (): Promise<Record<string, string>> => {
    while (frames.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return JSON.parse(frames.shift() as string) as Record<string, string>;
  };
  const send = (note: unknown): void => socket.send(typeof note === 'string' ? note : JSON.stringify(note));
  return { socket, status: await opened, ended, next, send };
};

/** A raw page that has passed both proofs but does not serve yet. */
export const openProven = async (bridge: Awaited<ReturnType<typeof startBridge>>) => {
  const code = bridge.newCode();
  const raw = await openRaw(bridge.ws);
  raw.send({ note: 'hello', secret: 'code', id: await idOfSecret(code), nonce: 'n' });
  const { nonce = '', proof } = await raw.next();
  const nonces = { page: 'n', bridge: nonce };
  expect(proof).toBe(await proveSecret(code, 'bridge', nonces));
  raw.send({ note: 'proof', proof: await proveSecret(code, 'page', nonces) });
  expect(await raw.next()).toMatchObject({ note: 'welcome', acceptFirst: false });
  return raw;
};
