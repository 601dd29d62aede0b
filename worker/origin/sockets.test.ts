import { describe, expect, it, vi } from 'vitest';
import { onPortMessage } from '../../src/protocol/port.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { type Call, openOrigin } from './fake-endpoint.fixture.ts';
import { createLiveChain } from './live-chain.fixture.ts';
import type { OriginDeps } from './origin.ts';
import { openSessionLine } from './session-line.ts';

const chain = await createLiveChain();
const { hashOf, encoded } = chain;

/** A WebSocket that the test controls. */
const createSockets = (begin: (socket: FakeSocket) => void) => {
  class Socket {
    binaryType = '';
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    onerror: (() => void) | null = null;
    onclose: ((event: { code: number; reason: string }) => void) | null = null;
    isClosed = false;
    sent: string[] = [];
    readonly url: string;
    constructor(url: string) {
      this.url = url;
      setImmediate(() => begin(this));
    }
    send(text: string): void {
      this.sent.push(text);
      const { id, method, params } = JSON.parse(text) as Call;
      const result = chain.handle(method, params);
      setImmediate(() => this.answer(JSON.stringify({ jsonrpc: '2.0', id, result })));
    }
    answer(text: string): void {
      this.onmessage?.({ data: text });
    }
    close(): void {
      this.isClosed = true;
    }
  }
  return Socket as unknown as OriginDeps['WebSocket'];
};
type FakeSocket = {
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  isClosed: boolean;
  answer(text: string): void;
};

const overSocket = (begin: (socket: FakeSocket) => void) =>
  openOrigin(chain, ['ws://127.0.0.1:9944'], { deps: { WebSocket: createSockets(begin) } });

describe('over a WebSocket', () => {
  it('texts may come as bytes', async () => {
    const { origin, until } = overSocket((socket) => {
      socket.answer = (text) => socket.onmessage?.({ data: textToBytes(text).buffer });
      socket.onopen?.();
    });
    expect(await until(origin.header(hashOf(5)))).toEqual(encoded(5));
    origin.close();
  });

  it.each<[string, (socket: FakeSocket) => void, RegExp]>([
    ['is refused', (socket) => socket.onclose?.({ code: 1006, reason: '' }), /accepts no connection/],
    ['is blocked without a close event', (socket) => socket.onerror?.(), /accepts no connection/],
    ['never opens', () => undefined, /did not accept a connection in time/],
    [
      'closes at once',
      (socket) => {
        socket.onopen?.();
        socket.onclose?.({ code: 1013, reason: 'try  again\nlater' });
      },
      /closed the connection \(1013\): try again later/,
    ],
    [
      'sends bytes that are no text',
      (socket) => {
        socket.answer = () => socket.onmessage?.({ data: Uint8Array.of(0xff).buffer });
        socket.onopen?.();
      },
      /sent bytes that are not text/,
    ],
  ])('a connection that %s has failed', async (_name, begin, message) => {
    const { origin, until } = overSocket(begin);
    await expect(until(origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringMatching(message),
    });
    origin.close();
  });

  it('a socket that opens too late is closed', async () => {
    const sockets: FakeSocket[] = [];
    const { origin, until } = overSocket((socket) => sockets.push(socket));
    await expect(until(origin.header(hashOf(5)))).rejects.toMatchObject({ code: 'EndpointFailed' });
    expect(sockets.every(({ isClosed }) => isClosed)).toBe(true);
    origin.close();
  });

  it('a socket is closed with its origin, also while it opens', async () => {
    const sockets: FakeSocket[] = [];
    const opening = overSocket((socket) => sockets.push(socket));
    const open = overSocket((socket) => {
      sockets.push(socket);
      socket.onopen?.();
    });
    await open.until(open.origin.header(hashOf(5)));
    opening.origin.close();
    open.origin.close();
    await open.time.pass(0);
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  it('a connection that leaves too many requests unanswered ends', async () => {
    const ended: string[] = [];
    const { signal } = new AbortController();
    let sent = 0;
    const opened = await openSessionLine(
      async () => ({
        send: () => {
          sent += 1;
        },
        close: () => undefined,
      }),
      { count: () => undefined },
      signal,
    );
    if (!opened.ok) throw new Error(opened.problem.text);
    opened.value.onEnd((why) => ended.push(why));
    for (let at = 0; at < 512; at += 1) {
      const aborter = new AbortController();
      const answer = opened.value.request('chain_getHeader', [], aborter.signal);
      aborter.abort();
      expect(await answer).toMatchObject({ ok: false });
    }
    expect(ended).toEqual([]);
    expect(await opened.value.request('chain_getHeader', [], signal)).toMatchObject({ ok: false });
    expect(ended).toEqual(['left 512 requests unanswered']);
    expect(sent).toBe(512);
  });
});

describe('over a port', () => {
  /** The other end of each port that was opened. */
  const overPort = (serve: (port: MessagePort) => void) => {
    const ports: MessagePort[] = [];
    const openPort = async (): Promise<MessagePort> => {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1 as unknown as MessagePort);
      serve(port1 as unknown as MessagePort);
      return port2 as unknown as MessagePort;
    };
    return { ...openOrigin(chain, [{ name: 'tab', openPort }]), ports };
  };
  const answerOn = (port: MessagePort, send: (text: string) => void): void =>
    onPortMessage(port, (data) => {
      if (typeof data !== 'string') return;
      const { id, method, params } = JSON.parse(data) as Call;
      send(JSON.stringify({ jsonrpc: '2.0', id, result: chain.handle(method, params) }));
    });

  it('texts may come alone or in lists', async () => {
    const { origin, ports } = overPort((port) => {
      let isList = false;
      answerOn(port, (text) => {
        isList = !isList;
        port.postMessage(isList ? [text] : text);
      });
    });
    expect(await origin.header(hashOf(5))).toEqual(encoded(5));
    expect(await origin.header(hashOf(6))).toEqual(encoded(6));
    const ended = new Promise((resolve) => ports[0]?.addEventListener('close', resolve));
    origin.close();
    await ended;
  });

  it('a port that does not open in time has failed, and is closed when it does', async () => {
    const late = Promise.withResolvers<MessagePort>();
    const { port1, port2 } = new MessageChannel();
    const said = new Promise((resolve) => onPortMessage(port1 as unknown as MessagePort, resolve));
    const { origin, until } = openOrigin(chain, [{ name: 'tab', openPort: () => late.promise }]);
    await expect(until(origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringContaining('tab did not accept a connection in time'),
    });
    late.resolve(port2 as unknown as MessagePort);
    expect(await said).toEqual({ note: 'bye' });
    origin.close();
  });

  it.each<[string, (port: MessagePort) => void]>([
    ['says goodbye', (port) => port.postMessage({ note: 'bye' })],
    ['is closed', (port) => port.close()],
  ])('a port that %s is opened again', async (_name, end) => {
    const { origin, ports, time } = overPort((port) =>
      answerOn(port, (text) => {
        if (ports.length === 1 && text.includes('stateRoot')) end(port);
        else port.postMessage(text);
      }),
    );
    const header = origin.header(hashOf(5));
    // Until the call is tried again after a pause.
    await vi.waitUntil(() => origin.stats().endpoints[0]?.failures === 1);
    await time.pass(300);
    expect(await header).toEqual(encoded(5));
    expect(ports.length).toBe(2);
    origin.close();
  });
});
