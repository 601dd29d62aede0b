import { beforeAll, describe, expect, it, vi } from 'vitest';
import { onPortMessage } from '../../src/protocol/port.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { encodeHeader } from '../codec/header.ts';
import { type Call, openOrigin } from './fake-endpoint.fixture.ts';
import { createLiveChain, type LiveChain } from './live-chain.fixture.ts';
import type { OriginDeps } from './origin.ts';
import { openSessionLine } from './session-line.ts';

let chain: LiveChain;
beforeAll(async () => {
  chain = await createLiveChain();
});

const block = (number: number) => chain.blocks[number] as LiveChain['blocks'][number];
const hashOf = (number: number) => hexToBytes(block(number).hash);
const encoded = (number: number) => encodeHeader(block(number).header);

type Server = (call: Call, honest: () => Response, init: RequestInit) => Response | Promise<Response>;

/** An origin over HTTP with a server in this process. */
const overHttp = (server: Server, url = 'http://127.0.0.1:9933/') => {
  const requests: { readonly url: string; readonly init: RequestInit; readonly call: Call }[] = [];
  const fetch = (async (given: string, init: RequestInit) => {
    const call = JSON.parse(String(init.body)) as Call;
    requests.push({ url: given, init, call });
    const honest = (): Response =>
      Response.json({ jsonrpc: '2.0', id: call.id, result: chain.handle(call.method, call.params) });
    return server(call, honest, init);
  }) as OriginDeps['fetch'];
  return { ...openOrigin(chain, [url], { deps: { fetch } }), requests };
};

/** Only for this call; all others are honest. */
const only =
  (method: string, server: Server): Server =>
  (call, honest, init) =>
    call.method === method ? server(call, honest, init) : honest();

describe('over HTTP', () => {
  it('each call is a request', async () => {
    const { origin, until, requests } = overHttp((_, honest) => honest());
    expect(await until(origin.header(hashOf(5)))).toEqual(encoded(5));
    expect(requests.map(({ call }) => call.method).sort()).toEqual([
      'chain_getBlockHash',
      'chain_getHeader',
      'rpc_methods',
    ]);
    expect(requests[0]?.init).toMatchObject({ method: 'POST', credentials: 'omit', cache: 'no-store' });
    expect(origin.stats().endpoints[0]?.name).toBe('http://127.0.0.1:9933');
    origin.close();
  });

  it('credentials go into a header, and neither they nor keys are shown', async () => {
    const { origin, until, requests } = overHttp(
      (_, honest) => honest(),
      'https://me:a%20b@node.example/x?key=secret',
    );
    await until(origin.header(hashOf(5)));
    expect(requests[0]?.url).toBe('https://node.example/x?key=secret');
    expect(requests[0]?.init.headers).toMatchObject({ authorization: `Basic ${btoa('me:a b')}` });
    expect(origin.stats().endpoints[0]?.name).toBe('https://node.example/x');
    origin.close();
  });

  it('credentials that cannot be decoded are an error', async () => {
    const { origin, until } = overHttp((_, honest) => honest(), 'http://%ff:b@node.example/');
    await expect(until(origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringContaining('URI malformed'),
    });
    origin.close();
  });

  it.each([
    ['a number of seconds', 429, () => '7', 7000],
    ['a date', 429, (nowMs: number) => new Date(nowMs + 9000).toUTCString(), 9000],
    ['nothing', 429, () => null, 500],
    ['something else', 429, () => 'soon', 500],
    ['a number of seconds while it is unavailable', 503, () => '3', 3000],
  ])('waits as long as Retry-After with %s says', async (_name, status, after, waitMs) => {
    let isDue = true;
    const rig = overHttp(
      only('chain_getHeader', (_, honest) => {
        if (!isDue) return honest();
        isDue = false;
        const value = after(rig.time.now());
        return new Response('Too Many Requests', {
          status,
          headers: value === null ? {} : { 'retry-after': value },
        });
      }),
    );
    const before = rig.time.now();
    expect(await rig.until(rig.origin.header(hashOf(5)))).toEqual(encoded(5));
    expect(rig.time.now() - before).toBe(waitMs);
    rig.origin.close();
  });

  it.each<[string, Server, RegExp]>([
    ['a server error', () => new Response('<html>', { status: 502 }), /responded with HTTP 502/],
    ['a page', () => new Response('<html>'), /sent an answer that is not JSON-RPC/],
    ['a list', () => Response.json([]), /sent an answer that is not JSON-RPC/],
    ['nothing', () => new Response(null), /sent an answer that is not JSON-RPC/],
    [
      'another id',
      ({ id }) => Response.json({ id: id + 1, result: null }),
      /answered a request that was not sent/,
    ],
    ['no result', ({ id }) => Response.json({ id }), /sent an answer without a result/],
    [
      'an error with its status',
      ({ id }) => Response.json({ id, error: { code: -32000, message: 'no' } }, { status: 500 }),
      /responded with HTTP 500/,
    ],
    [
      'no connection',
      () => Promise.reject(new TypeError('fetch failed')),
      /could not be reached: fetch failed/,
    ],
  ])('an endpoint that sends %s has failed', async (_name, server, message) => {
    const { origin, until } = overHttp(only('chain_getHeader', server));
    await expect(until(origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringMatching(message),
    });
    origin.close();
  });

  it('an endpoint that drips has failed after its deadline', async () => {
    const { origin, until, time } = overHttp(
      only('chain_getHeader', (_call, _honest, { signal }) => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            controller.enqueue(textToBytes('{"jsonrpc":"2.0",'));
            signal?.addEventListener('abort', () => controller.error(signal.reason));
          },
        });
        return new Response(body);
      }),
    );
    const before = time.now();
    await expect(until(origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringContaining('did not respond within 15 s'),
    });
    expect(time.now() - before).toBe(3 * 15_000 + 300 + 1500);
    origin.close();
  });

  it('an endless answer is cut off', async () => {
    let sent = 0;
    const { origin, until } = overHttp(
      only('chain_getHeader', () => {
        const part = new Uint8Array(1024 * 1024).fill(0x20);
        return new Response(
          new ReadableStream({
            pull: (controller) => {
              sent += part.length;
              controller.enqueue(part);
            },
          }),
        );
      }),
    );
    await expect(until(origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringMatching(/sent more than \d+ characters/),
    });
    expect(sent).toBeLessThan(70 * 1024 * 1024);
    origin.close();
  });

  it('heads are asked for, as there are no subscriptions', async () => {
    const own = await createLiveChain({ blocks: 3 });
    const fetch = (async (_: string, { body }: RequestInit) => {
      const { id, method, params } = JSON.parse(String(body)) as Call;
      return Response.json({ id, result: own.handle(method, params) });
    }) as unknown as OriginDeps['fetch'];
    const { origin, time } = openOrigin(own, ['https://node.example'], { deps: { fetch } });
    const heads: Uint8Array[] = [];
    origin.follow('best', (hash) => heads.push(hash));
    await time.pass(0);
    own.grow();
    await time.pass(3000);
    expect(heads).toEqual(own.blocks.slice(3).map(({ hash }) => hexToBytes(hash)));
    origin.close();
  });
});

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
