import { beforeAll, describe, expect, it } from 'vitest';
import { idOfSecret, proveSecret } from '../../src/protocol/bridge.ts';
import { callSocket, openSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, post } from '../clients/test-clients.fixture.ts';
import { openPage, sharedNode, startBridge, withOrigin } from './bridge.fixture.ts';
import { openProven, openRaw } from './raw-page.fixture.ts';

beforeAll(() => withOrigin());
const node = sharedNode();

describe('a connection that claims to be a page', () => {
  it.each([
    ['no JSON', 'hello'],
    ['another note first', { note: 'serve', name: 'x', genesisHash: '0x', tab: 't' }],
    ['a client’s text', '1 {}'],
    ['no nonce', { note: 'hello', secret: 'code', id: 'x' }],
    ['a long nonce', { note: 'hello', secret: 'code', id: 'x', nonce: 'n'.repeat(1000) }],
    ['bytes', new Uint8Array(9)],
  ])('is closed for %s', async (_name, first) => {
    const bridge = await startBridge();
    bridge.newCode();
    const raw = await openRaw(bridge.ws);
    if (first instanceof Uint8Array) raw.socket.send(first);
    else raw.send(first);
    expect(await raw.ended).toBe('4400 Out of order');
  });

  it('is closed for a wrong proof, and the unused code stays valid', async () => {
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

  it('puts no text of its own into the terminal of the bridge', async () => {
    const bridge = await startBridge();
    const code = bridge.newCode();
    const raw = await openRaw(bridge.ws, 'http://a\u009b2J.example');
    raw.send({ note: 'hello', secret: 'code', id: await idOfSecret(code), nonce: 'n' });
    await raw.next();
    raw.socket.close(4000, '\u001b[2J\u001b]0;owned\u0007');
    await bridge.told('!The page left');
    expect(bridge.origins).toEqual(['http://a?2J.example']);
    expect(bridge.events).toEqual(['!The page left']);
  });

  it('cannot use a code twice concurrently', async () => {
    const bridge = await startBridge();
    const code = bridge.newCode();
    const id = await idOfSecret(code);
    const [one, two] = await Promise.all([openRaw(bridge.ws), openRaw(bridge.ws)]);
    const proofs: string[] = [];
    for (const raw of [one, two]) {
      raw.send({ note: 'hello', secret: 'code', id, nonce: 'n' });
      proofs.push(await proveSecret(code, 'page', { page: 'n', bridge: (await raw.next())['nonce'] ?? '' }));
    }
    for (const [index, raw] of [one, two].entries()) {
      raw.send({ note: 'proof', proof: proofs[index] });
      expect((await raw.next())['note']).toBe('welcome');
      raw.send({ note: 'serve', name: 'x', genesisHash: '0x00', tab: `t${index}` });
      if (raw === one) expect((await raw.next())['note']).toBe('serving');
    }
    expect(await two.ended).toMatch(/^4401 /);
  });

  it('needs an Origin header, and the number of waiting pages is limited', async () => {
    const bridge = await startBridge();
    expect((await openRaw(bridge.ws, null)).status).toBe(403);
    const siteOf = (index: number): string => `https://site-${index % 10}.example`;
    const waiting = await Promise.all(Array.from({ length: 50 }, (_, at) => openRaw(bridge.ws, siteOf(at))));
    expect(waiting.filter(({ status }) => status === 101)).toHaveLength(32);
    const same = await Promise.all(
      Array.from({ length: 3 }, () => openRaw(bridge.ws, 'https://site-0.example')),
    );
    expect(same.map(({ status }) => status)).toEqual([429, 429, 429]);
    for (const { socket } of waiting) socket.terminate();
    await Promise.all(waiting.filter(({ status }) => status === 101).map(({ ended }) => ended));
    const { openPort } = await node;
    const page = openPage({ url: bridge.ws, secret: { kind: 'code', value: bridge.newCode() }, openPort });
    expect((await page.serving).name).toBe('Development');
  });
});

/** A bridge to which a page with a node of its own is connected. */
const startServed = async () => {
  const bridge = await startBridge();
  const { openPort } = await node;
  const secret = { kind: 'code', value: bridge.newCode() } as const;
  await openPage({ url: bridge.ws, secret, openPort }).serving;
  return bridge;
};

describe('a serving page', () => {
  const serve = { note: 'serve', name: 'Evil', genesisHash: '0x00', tab: 't' };

  it.each([
    ['an answer to an HTTP request on the channel of a WebSocket', '1#5 {}'],
    ['a message on the channel of HTTP requests', '2 {}'],
  ])('is closed for %s, and other pages stay connected', async (_name, frame) => {
    const bridge = await startServed();
    const raw = await openProven(bridge);
    raw.send(serve);
    await raw.next();
    const client = await openSocket(`${bridge.ws}/Evil`);
    const called = post(`${bridge.http}/Evil`, bodyOf('system_name'));
    while ((await raw.next())['note'] !== 'open');
    while ((await raw.next())['note'] !== 'open');
    raw.send(frame);
    expect(await raw.ended).toBe('4400 Not a frame');
    expect((await called).status).toBe(503);
    client.terminate();
    expect((await callSocket(bridge.ws, 'system_chain')).result).toBe('Development');
  });

  it('cannot fill memory before its proof', async () => {
    const bridge = await startBridge();
    const raw = await openRaw(bridge.ws);
    raw.socket.send('x'.repeat(1000), { fin: false });
    raw.socket.send('x'.repeat(100_000), { fin: false });
    expect(await raw.ended).toMatch(/^1006/);
  });

  it('that reads slowly slows its clients down and loses no message', async () => {
    const bridge = await startBridge();
    const raw = await openProven(bridge);
    raw.send(serve);
    await raw.next();
    raw.socket.pause();
    const client = await openSocket(bridge.ws);
    const big = bodyOf('system_name', ['x'.repeat(4_000_000)]);
    const count = 12;
    for (let id = 0; id < count; id += 1) client.send(big);
    // Backpressure: unsent data accumulates in the client, not in the bridge.
    await new Promise<void>((resolve) => {
      const look = (): void => (client.bufferedAmount > 4_000_000 ? resolve() : void setImmediate(look));
      look();
    });
    let heard = 0;
    const all = new Promise<void>((resolve) => {
      raw.socket.on('message', (data: Uint8Array) => {
        heard += data.length;
        if (heard > count * big.length) resolve();
      });
    });
    raw.socket.resume();
    await all;
  });

  it('is closed for an invalid frame, together with its clients', async () => {
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

  it('reaches only its own clients, on open channels', async () => {
    const bridge = await startServed();
    const raw = await openProven(bridge);
    raw.send({ ...serve, name: 'development' });
    expect(await raw.next()).toMatchObject({ note: 'serving', name: 'development-2' });
    for (const frame of ['1 {}', '99#1 {}', '1*1,1 ab', '{"note":"closed","channel":1}', '{"note":"closed"}'])
      raw.send(frame);
    expect((await callSocket(bridge.ws, 'system_chain')).result).toBe('Development');
  });

  it.each(['../../../x', '%2e%2e', 'a b/c?d#e', '🦊', '-'.repeat(500)])(
    'gets a URL-safe name for %s',
    async (name) => {
      const bridge = await startBridge();
      const raw = await openProven(bridge);
      raw.send({ ...serve, name: name.slice(0, 200) });
      const served = await raw.next();
      expect(served['name']).toMatch(/^[\w][\w.-]{0,63}$/);
    },
  );
});
