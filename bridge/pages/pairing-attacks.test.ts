import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { idOfSecret, newNonce, proveSecret } from '../../src/protocol/bridge.ts';
import { callSocket } from '../clients/socket-clients.fixture.ts';
import { openPage, pageOrigin, sharedNode, startBridge, withOrigin } from './bridge.fixture.ts';
import { openRaw } from './raw-page.fixture.ts';

beforeAll(() => withOrigin());
const node = sharedNode();
const evil = 'https://evil.example';
const refusal = '4401 The pairing code is wrong, used or expired';

type Bridge = Awaited<ReturnType<typeof startBridge>>;

const pair = async (bridge: Bridge, value: string, kind: 'code' | 'token' = 'code', tab = 'tab-1') => {
  const { openPort } = await node;
  return openPage({ url: bridge.ws, secret: { kind, value }, openPort, tab });
};

/** The first proof with a guess: the close code, or the status of a refused upgrade. */
const guess = async (bridge: Bridge, secret: 'code' | 'token', origin: string): Promise<string> => {
  const raw = await openRaw(bridge.ws, origin);
  if (raw.status !== 101) return String(raw.status);
  raw.send({ note: 'hello', secret, id: await idOfSecret(newNonce()), nonce: newNonce() });
  return (await raw.ended).slice(0, 4);
};

/** The clocks of the bridge move only when the test says so; timers run. */
const withClock = (): void => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
};

describe('guessing', () => {
  it.each(['code', 'token'] as const)(
    'a %s, 1,000 times: never right, stopped after 20, and the page of the user pairs meanwhile',
    async (secret) => {
      withClock();
      const bridge = await startBridge();
      const code = bridge.newCode();
      const results: string[] = [];
      for (let round = 0; round < 250; round += 1)
        results.push(...(await Promise.all(Array.from({ length: 4 }, () => guess(bridge, secret, evil)))));
      expect(results).toHaveLength(1000);
      expect(new Set(results)).toEqual(new Set(['4401', '429']));
      // Those that were under way when the limit was reached are answered as well.
      const answered = results.filter((result) => result === '4401').length;
      expect(answered).toBeGreaterThanOrEqual(20);
      expect(answered).toBeLessThan(24);
      // One refusal is printed for each.
      expect(bridge.origins).toHaveLength(answered);
      expect((await (await pair(bridge, code)).serving).name).toBe('Development');
      vi.advanceTimersByTime(60_001);
      expect(await guess(bridge, secret, evil)).toBe('4401');
    },
    60_000,
  );

  it('with an origin of its own each time leaves the memory bounded and the code valid', async () => {
    const bridge = await startBridge();
    const code = bridge.newCode();
    for (let at = 0; at < 60; at += 1)
      expect(await guess(bridge, 'code', `https://site-${at}.example`)).toBe('4401');
    expect((await (await pair(bridge, code)).serving).name).toBe('Development');
  });
});

describe('reuse', () => {
  it('of a used, replaced or expired code is refused, also if it expires during the handshake', async () => {
    withClock();
    const bridge = await startBridge();
    const used = bridge.newCode();
    await (await pair(bridge, used)).serving;
    expect(await (await pair(bridge, used)).ended).toBe(refusal);
    const replaced = bridge.newCode();
    const late = bridge.newCode();
    expect(await (await pair(bridge, replaced)).ended).toBe(refusal);
    vi.advanceTimersByTime(10 * 60_000);
    expect(await (await pair(bridge, late)).ended).toBe(refusal);

    const code = bridge.newCode();
    const raw = await openRaw(bridge.ws);
    raw.send({ note: 'hello', secret: 'code', id: await idOfSecret(code), nonce: 'n' });
    const { nonce = '' } = await raw.next();
    raw.send({ note: 'proof', proof: await proveSecret(code, 'page', { page: 'n', bridge: nonce }) });
    expect((await raw.next())['note']).toBe('welcome');
    vi.advanceTimersByTime(10 * 60_000);
    raw.send({ note: 'serve', name: 'Late', genesisHash: '0x00', tab: 't' });
    expect(await raw.ended).toBe(refusal);
  });

  it.each([-3_650, 3_650])(
    'a code lives as long when the clock of the machine jumps by %s days',
    async (days) => {
      withClock();
      const bridge = await startBridge();
      const code = bridge.newCode();
      vi.advanceTimersByTime(5 * 60_000);
      vi.setSystemTime(Date.now() + days * 86_400_000);
      const page = await pair(bridge, code);
      expect((await page.serving).name).toBe('Development');
      const next = bridge.newCode();
      vi.setSystemTime(Date.now() - days * 86_400_000);
      vi.advanceTimersByTime(10 * 60_000);
      expect(await (await pair(bridge, next)).ended).toBe(refusal);
    },
  );

  it('of a recorded handshake is refused, because the bridge has a nonce of its own each time', async () => {
    const bridge = await startBridge();
    const code = bridge.newCode();
    const id = await idOfSecret(code);
    const hello = { note: 'hello', secret: 'code', id, nonce: 'recorded' };
    const first = await openRaw(bridge.ws);
    first.send(hello);
    const { nonce = '', proof = '' } = await first.next();
    const recorded = await proveSecret(code, 'page', { page: 'recorded', bridge: nonce });
    first.send({ note: 'proof', proof: recorded });
    expect((await first.next())['note']).toBe('welcome');
    first.socket.terminate();
    // The proof of the page, that of the bridge sent back to it, and one for another role.
    for (const replayed of [
      recorded,
      proof,
      await proveSecret(code, 'bridge', { page: 'recorded', bridge: nonce }),
    ]) {
      const raw = await openRaw(bridge.ws);
      raw.send(hello);
      const again = await raw.next();
      expect(again['nonce']).not.toBe(nonce);
      raw.send({ note: 'proof', proof: replayed === proof ? again['proof'] : replayed });
      expect(await raw.ended).toBe(refusal);
    }
    expect((await (await pair(bridge, code)).serving).name).toBe('Development');
  });
});

describe('a program in the place of the bridge', () => {
  it('gets no proof from the page if it does not know the secret', async () => {
    const server: Server = createServer();
    const sockets = new WebSocketServer({ server });
    onTestFinished(() => {
      sockets.close();
      server.close();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const notes: Record<string, unknown>[] = [];
    sockets.on('connection', (socket) =>
      socket.on('message', (data: Uint8Array) => {
        notes.push(JSON.parse(new TextDecoder().decode(data)) as Record<string, unknown>);
        socket.send(JSON.stringify({ note: 'hello', nonce: newNonce(), proof: newNonce() }));
      }),
    );
    const { openPort } = await node;
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const page = openPage({ url, secret: { kind: 'code', value: 'the code' }, openPort });
    expect(await page.ended).toBe('4401 The program at this address is not the bridge that was paired');
    expect(notes.map(({ note }) => note)).toEqual(['hello']);
    expect(JSON.stringify(notes)).not.toContain('the code');
    expect(page.tokens).toEqual([]);
  });
});

describe('hijacking', () => {
  it('by a page of another origin fails with the token of the first, and with any mixture of headers', async () => {
    const bridge = await startBridge();
    const page = await pair(bridge, bridge.newCode());
    await page.serving;
    const [token = ''] = page.tokens;
    const id = await idOfSecret(token);
    const attempts = [evil, `${pageOrigin}.evil.example`, `${pageOrigin}, ${evil}`, 'null', `${pageOrigin}/`];
    for (const origin of attempts) {
      const raw = await openRaw(bridge.ws, origin);
      raw.send({ note: 'hello', secret: 'token', id, nonce: 'n' });
      expect(await raw.ended).toBe('4401 This page is not paired with this bridge');
    }
    expect((await callSocket(bridge.ws, 'system_chain')).result).toBe('Development');
  });

  it.each(['evil.example', '127.0.0.1.evil.example', '192.168.0.7:9944'])(
    'by DNS rebinding fails: Host %s',
    async (host) => {
      const bridge = await startBridge();
      const raw = await openRaw(bridge.ws, evil, { host });
      expect([400, 403]).toContain(raw.status);
    },
  );

  it('by a second tab of the same origin takes no place and no client from the first', async () => {
    const bridge = await startBridge();
    const first = await pair(bridge, bridge.newCode());
    await first.serving;
    const [token = ''] = first.tokens;
    const second = await pair(bridge, token, 'token', 'tab-2');
    expect((await second.serving).name).toBe('Development-2');
    for (const url of [bridge.ws, `${bridge.ws}/Development`])
      expect((await callSocket(url, 'system_chain')).result).toBe('Development');
    expect(second.clients()).toEqual([]);
    // The id of a tab counts only together with the origin that is paired.
    withOrigin(evil);
    const code = bridge.newCode();
    const thief = await pair(bridge, code, 'code', 'tab-1');
    withOrigin();
    expect((await thief.serving).name).toBe('Development-3');
    expect(bridge.events).not.toContain('-Development');
  });
});
