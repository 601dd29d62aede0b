import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Headers, hashCall, list, messageOf, open, send, token, usual } from './http.fixture.ts';
import type { McpListener } from './http.ts';

const hello = messageOf('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

describe('over HTTP', () => {
  let listener: McpListener;
  beforeAll(async () => {
    listener = await open(async () => '0x12', { maxBodyBytes: 100_000 });
  });
  afterAll(() => listener.close());

  it('responds to a client with the token', async () => {
    const { status, headers, text } = await send(listener.url, hashCall);
    expect(status).toBe(200);
    expect(text).toContain('0x12');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each([
    ['none', { authorization: '' }],
    ['a wrong one', { authorization: 'Bearer a-token-for-the-test' }],
    ['a longer one', { authorization: `Bearer ${token}s` }],
    ['another scheme', { authorization: `Basic ${token}` }],
  ])('refuses a request without the token: %s', async (_name, given) => {
    const { status, headers, text } = await send(listener.url, list, given);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="tabnode"']);
    expect(text).not.toContain(token);
  });

  it.each([
    ['a Host of DNS rebinding', { host: 'evil.example' }],
    ['a Host that only looks local', { host: 'localhost.evil.example:9950' }],
    ['a Host with a port that does not exist', { host: 'localhost:99999' }],
    ['a page from elsewhere', { origin: 'https://evil.example' }],
    ['a guest of serve', { origin: 'https://polkadot.js.org' }],
    ['a sandboxed page', { origin: 'null' }],
  ])('refuses %s, even with the token', async (_name, given: Headers) => {
    const answered = await send(listener.url, list, given);
    expect(answered.status).toBe(403);
    expect(answered.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('lets pages of this machine call', async () => {
    const origin = 'http://localhost:6274';
    const requestedHeaders = { 'access-control-request-headers': 'authorization,mcp-protocol-version' };
    const preflight = await send(
      listener.url,
      null,
      { origin, authorization: '', ...requestedHeaders },
      'OPTIONS',
    );
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization,mcp-protocol-version',
      },
    });
    const { status, headers } = await send(listener.url, list, { origin });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, origin]);
  });

  it.each([
    ['cut off', '{"jsonrpc":', 400, -32700],
    ['not JSON', 'hello?', 400, -32700],
    ['empty', '', 400, -32700],
    ['not a message', '{}', 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a long batch', `[${Array.from({ length: 101 }, () => list).join()}]`, 400, -32600],
    ['nested a thousand times', '['.repeat(1000), 400, -32700],
    ['no method', messageOf('no/method'), 200, -32601],
  ])('returns the error for a body that is %s', async (_name, body, status, code) => {
    const answered = await send(listener.url, body);
    expect(answered.status).toBe(status);
    expect(answered.text).toContain(`"code":${code}`);
    expect((await send(listener.url, list)).status).toBe(200);
  });

  it.each([
    ['rpc_call', (deep: string) => `{"method":"chain_getBlockHash","params":${deep}}`],
    ['chain_status', (deep: string) => deep],
    ['read_block', (deep: string) => `{"at":${deep}}`],
  ])('refuses arguments of %s that are nested deeply', async (name, toArguments) => {
    const body = (depth: number) => {
      const deep = `${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`;
      return messageOf('tools/call', { name, arguments: 'here' }).replace('"here"', toArguments(deep));
    };
    for (const depth of [200, 20_000]) {
      const { status, text } = await send(listener.url, body(depth));
      expect(status).toBe(200);
      expect(text).toContain('nested more than 128 levels deep');
    }
    expect((await send(listener.url, body(100))).text).not.toContain('Internal');
  });

  it('refuses a body that is too large, with and without a declared length', async () => {
    const large = messageOf('tools/list', { padding: 'x'.repeat(200_000) });
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }])
      expect(await send(listener.url, large, headers)).toMatchObject({
        status: 413,
        text: expect.stringContaining('Request is too big'),
      });
  });

  it.each([
    ['GET', '', 405],
    ['DELETE', '', 405],
    ['PUT', '', 405],
    ['POST', 'else', 404],
    ['GET', '/../etc/passwd', 404],
  ])('responds to %s of %s with %i', async (method, path, status) => {
    expect(await send(`${listener.url}${path}`, null, {}, method)).toMatchObject({ status });
  });

  it.each([
    [{ 'content-type': 'text/plain' }, 415],
    [{ accept: 'text/html' }, 406],
    [{ 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('refuses headers %j', async (headers, status) => {
    expect(await send(listener.url, list, headers)).toMatchObject({ status });
  });

  it('has no sessions: serves 1,000 clients, and ignores session ids', async () => {
    for (let group = 0; group < 20; group += 1) {
      const answered = await Promise.all(Array.from({ length: 50 }, () => send(listener.url, hello)));
      for (const { status, headers, text } of answered) {
        expect(status).toBe(200);
        expect(headers).not.toHaveProperty('mcp-session-id');
        expect(text).toContain('"serverInfo"');
      }
    }
    expect(await send(listener.url, hashCall, { 'mcp-session-id': 'unknown' })).toMatchObject({
      status: 200,
    });
  });

  it('refuses a request with two Hosts', async () => {
    const { port } = new URL(listener.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('POST /mcp HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\ncontent-length: 0\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 400 /);
  });

  it('responds to pipelined requests, and survives a client that resets its connection', async () => {
    const { port } = new URL(listener.url);
    const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n`;
    const types = `content-type: application/json\r\naccept: ${usual['accept']}\r\n`;
    const one = `${head}${types}content-length: ${hashCall.length}\r\n\r\n${hashCall}`;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(one.repeat(20));
    await once(socket, 'data');
    socket.resetAndDestroy();
    expect((await send(listener.url, hashCall)).status).toBe(200);
  });
});

it('accepts any Host with --rpc-cors all', async () => {
  const listener = await open(async () => '0x12', {}, '--rpc-cors', 'all');
  onTestFinished(listener.close);
  expect(await send(listener.url, hashCall, { host: 'localhost:99999' })).toMatchObject({ status: 200 });
});
