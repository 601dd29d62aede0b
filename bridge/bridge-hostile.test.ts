import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bridgeProtocol, idOfSecret, proveSecret } from '../src/protocol/bridge.ts';
import { openPage, pageOrigin, sharedNode, startBridge, withOrigin } from './bridge.fixture.ts';
import { callSocket, openSocket } from './test-clients.ts';

beforeAll(() => withOrigin());
const node = sharedNode();

/** A page that says what it likes. `ended` resolves to the code and reason of the close. */
const openRaw = async (url: string, origin: string | null = pageOrigin) => {
  const socket = new WebSocket(url, bridgeProtocol, origin === null ? {} : { origin });
  const frames: string[] = [];
  let wake = (): void => undefined;
  socket.on('message', (data: Uint8Array) => {
    frames.push(new TextDecoder().decode(data));
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

/** A raw page after both proofs, before it serves. */
const openProven = async (bridge: Awaited<ReturnType<typeof startBridge>>) => {
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

describe('what claims to be a page', () => {
  it.each([
    ['no JSON', 'hello'],
    ['another note first', { note: 'serve', name: 'x', genesisHash: '0x', tab: 't' }],
    ['a client’s text', '1 {}'],
    ['no nonce', { note: 'hello', secret: 'code', id: 'x' }],
    ['a nonce of a megabyte', { note: 'hello', secret: 'code', id: 'x', nonce: 'n'.repeat(1e6) }],
    ['bytes', new Uint8Array(9)],
  ])('is closed for %s', async (_name, first) => {
    const bridge = await startBridge();
    bridge.newCode();
    const raw = await openRaw(bridge.ws);
    if (first instanceof Uint8Array) raw.socket.send(first);
    else raw.send(first);
    expect(await raw.ended).toBe('4400 Out of order');
  });

  it('is closed for a wrong proof, and the code it did not know still works', async () => {
    const bridge = await startBridge();
    const code = bridge.newCode();
    const raw = await openRaw(bridge.ws);
    raw.send({ note: 'hello', secret: 'code', id: await idOfSecret(code), nonce: 'n' });
    await raw.next();
    raw.send({ note: 'proof', proof: 'A'.repeat(43) });
    expect(await raw.ended).toMatch(/^4401 /);
    const { openPort } = await node;
    const page = openPage({ url: bridge.ws, secret: { kind: 'code', value: code }, openPort });
    expect((await page.serving).name).toBe('Development');
  });

  it('cannot use a code twice at the same time', async () => {
    const bridge = await startBridge();
    const code = bridge.newCode();
    const id = await idOfSecret(code);
    const [one, two] = await Promise.all([openRaw(bridge.ws), openRaw(bridge.ws)]);
    const proofs: string[] = [];
    for (const raw of [one, two]) {
      raw.send({ note: 'hello', secret: 'code', id, nonce: 'n' });
      proofs.push(await proveSecret(code, 'page', { page: 'n', bridge: (await raw.next())['nonce'] ?? '' }));
    }
    one.send({ note: 'proof', proof: proofs[0] });
    expect((await one.next())['note']).toBe('welcome');
    two.send({ note: 'proof', proof: proofs[1] });
    expect(await two.ended).toMatch(/^4401 /);
  });

  it('needs the Origin that browsers add, and there are not endlessly many that wait', async () => {
    const bridge = await startBridge();
    expect((await openRaw(bridge.ws, null)).status).toBe(403);
    const waiting = await Promise.all(Array.from({ length: 40 }, () => openRaw(bridge.ws)));
    expect(waiting.filter(({ status }) => status === 101)).toHaveLength(32);
    expect(waiting.filter(({ status }) => status === 429)).toHaveLength(8);
    for (const { socket } of waiting) socket.terminate();
    await Promise.all(waiting.filter(({ status }) => status === 101).map(({ ended }) => ended));
    const { openPort } = await node;
    const page = openPage({ url: bridge.ws, secret: { kind: 'code', value: bridge.newCode() }, openPort });
    expect((await page.serving).name).toBe('Development');
  });
});

describe('a page that serves', () => {
  const serve = { note: 'serve', name: 'Evil', genesisHash: '0x00', tab: 't' };

  it('is closed for what is no frame, and its clients with it', async () => {
    const bridge = await startBridge();
    const raw = await openProven(bridge);
    raw.send(serve);
    await raw.next();
    const client = await openSocket(bridge.ws);
    const left = new Promise((resolve) => client.once('close', resolve));
    raw.send('no frame');
    expect(await raw.ended).toBe('4400 Not a frame');
    expect(await left).toBe(1001);
  });

  it('reaches its own clients only, and no channel that is not open', async () => {
    const bridge = await startBridge();
    const { openPort } = await node;
    const secret = { kind: 'code', value: bridge.newCode() } as const;
    const page = openPage({ url: bridge.ws, secret, openPort });
    await page.serving;
    const raw = await openProven(bridge);
    raw.send({ ...serve, name: 'development' });
    expect(await raw.next()).toMatchObject({ note: 'serving', name: 'development-2' });
    for (const frame of ['1 {}', '99#1 {}', '1*1,1 ab', '{"note":"closed","channel":1}', '{"note":"closed"}'])
      raw.send(frame);
    expect((await callSocket(bridge.ws, 'system_chain')).result).toBe('Development');
  });

  it.each(['../../x', '%2e%2e', 'a b/c?d#e', '🦊', '-'.repeat(500)])(
    'has a name that fits a URL for %s',
    async (name) => {
      const bridge = await startBridge();
      const raw = await openProven(bridge);
      raw.send({ ...serve, name: name.slice(0, 200) });
      const served = await raw.next();
      expect(served['name']).toMatch(/^[\w][\w.-]{0,63}$/);
    },
  );
});
