import { describe, expect, it } from 'vitest';
import { textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { type Call, openOrigin } from './fake-endpoint.fixture.ts';
import { createLiveChain } from './live-chain.fixture.ts';
import type { OriginDeps } from './origin.ts';

const chain = await createLiveChain();
const { hashOf, encoded } = chain;

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

  it('credentials may have any characters', async () => {
    const { origin, until, requests } = overHttp(
      (_, honest) => honest(),
      'http://zo%C3%AB:%E2%82%AC@node.example/',
    );
    await until(origin.header(hashOf(5)));
    const encoded = Buffer.from('zoë:€').toString('base64');
    expect(requests[0]?.init.headers).toMatchObject({ authorization: `Basic ${encoded}` });
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
