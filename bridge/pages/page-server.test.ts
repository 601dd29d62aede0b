import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPageServer, type PageServer, pageHeaders } from './page-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-page-'));
const page = `${join(folder, 'app')}/`;
const more = `${join(folder, 'public')}/`;
mkdirSync(join(page, 'assets'), { recursive: true });
mkdirSync(more);
writeFileSync(join(page, 'index.html'), '<title>Tabnode</title>');
writeFileSync(join(page, 'assets', 'a-1.js'), 'export {};');
writeFileSync(join(more, 'runtime.wasm'), 'wasm');
writeFileSync(join(folder, 'secret.txt'), 'secret');
symlinkSync(join(folder, 'secret.txt'), join(page, 'link.txt'));

let server: PageServer;
let url: string;
beforeAll(async () => {
  server = await createPageServer([page, more]);
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Sends a raw request, which `fetch` would normalize. */
const send = (lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('end', () => resolve(text)).on('error', reject);
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  });

describe('the page server', () => {
  it('serves the page with the headers of npm start', async () => {
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('<title>Tabnode</title>');
    const { headers } = answer;
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    for (const [name, value] of Object.entries(pageHeaders(new URLSearchParams())))
      expect(headers.get(name)).toBe(value);
  });

  it.each([
    ['assets/a-1.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['runtime.wasm', 'application/wasm', 'no-cache'],
  ])('serves %s as %s', async (path, type, caching) => {
    const { status, headers } = await fetch(url + path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('cache-control')).toBe(caching);
  });

  it('responds to HEAD without a body', async () => {
    const answer = await fetch(url, { method: 'HEAD' });
    expect(answer.headers.get('content-length')).toBe('22');
    expect(await answer.text()).toBe('');
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..\\secret.txt',
    '//etc/passwd',
    '/link.txt',
    '/assets',
    '/assets/',
    '/index.html%00.js',
    '//',
    'http://[/missing',
    '/%',
    '/missing.js',
  ])('%s is not served', async (path) => {
    const text = await send([`GET ${path} HTTP/1.1`, 'Host: localhost']);
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(text).not.toContain('secret');
  });

  it.each([
    ['another name (DNS rebinding)', ['Host: evil.example'], 403],
    ['two names', ['Host: localhost', 'Host: localhost'], 400],
    ['no name', [], 400],
    ['a page of another site', ['Host: localhost', 'Origin: https://evil.example'], 403],
  ])('refuses %s', async (_what, lines, status) => {
    expect(await send(['GET / HTTP/1.1', ...lines])).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('refuses methods other than GET and HEAD', async () => {
    const answer = await fetch(url, { method: 'POST', body: 'x' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  it('rejects with BadConfig if the port is in use or there is no page', async () => {
    const second = await createPageServer([page]);
    const { port } = new URL(url);
    await expect(second.listen({ host: '127.0.0.1', port: Number(port) })).rejects.toMatchObject({
      code: 'BadConfig',
      message: expect.stringContaining(port),
    });
    await expect(createPageServer([more])).rejects.toMatchObject({
      code: 'BadConfig',
      message: expect.stringContaining('page'),
    });
    await expect(createPageServer([`${join(folder, 'absent')}/`])).rejects.toMatchObject({
      code: 'BadConfig',
    });
  });
});

describe('the policy of a page whose URL names a node', () => {
  const policyOf = (...named: readonly [name: string, address: string][]): string =>
    pageHeaders(new URLSearchParams(named.map((pair) => [...pair])))['Content-Security-Policy'] ?? '';
  const sourcesIn = (policy: string): string => /connect-src ([^;]*)/.exec(policy)?.[1] ?? '';
  const connectSource = (rpc: string): string => sourcesIn(policyOf(['rpc', rpc]));
  const own = sourcesIn(policyOf());

  it('allows each node of a live chain that the URL names, and 16 at most', async () => {
    const nodes = Array.from({ length: 20 }, (_, index) => `wss://node${index}.example`);
    const policy = sourcesIn(policyOf(...nodes.map((node) => ['fork', node] as [string, string])));
    const sources = nodes.slice(0, 16).map((node) => ` ${node} ${node.replace('wss', 'https')}`);
    expect(policy).toBe(own + sources.join(''));
    const answer = await fetch(`${url}?fork=wss%3A%2F%2Fone.example&fork=wss%3A%2F%2Ftwo.example`);
    expect(answer.headers.get('content-security-policy')).toContain(
      `${own} wss://one.example https://one.example wss://two.example https://two.example`,
    );
  });

  it('allows that node and no other', async () => {
    expect(connectSource('wss://rpc.polkadot.io/a?b=1#c')).toBe(
      `${own} wss://rpc.polkadot.io https://rpc.polkadot.io`,
    );
    expect(connectSource('WS://Node.Example:9944')).toBe(
      `${own} ws://node.example:9944 http://node.example:9944`,
    );
    const answer = await fetch(`${url}?rpc=wss%3A%2F%2Frpc.polkadot.io`);
    expect(answer.headers.get('content-security-policy')).toContain(`${own} wss://rpc.polkadot.io https`);
  });

  it('allows the whole scheme for an IPv6 address, which CSP cannot express', () => {
    expect(connectSource('ws://[::1]:9944')).toBe(`${own} ws:`);
  });

  it.each([
    '',
    'no address',
    'https://evil.example',
    'javascript:alert(1)',
    "wss://a;script-src 'unsafe-inline'",
    'wss://a;b',
    'wss://a,b',
    "wss://'none'",
    'wss://*',
    'wss://*.example',
    'wss://a\r\nSet-Cookie: b',
  ])('allows nothing for %j', (rpc) => {
    expect(connectSource(rpc)).toBe(own);
    expect(policyOf(['rpc', rpc], ['fork', rpc])).not.toMatch(/[\r\n]/);
  });
});

it('the node’s script alone may open any WebSocket', () => {
  const sourcesOf = (path: string): string => {
    const policy = pageHeaders(new URLSearchParams(), path)['Content-Security-Policy'] ?? '';
    return /connect-src ([^;]*)/.exec(policy)?.[1] ?? '';
  };
  expect(sourcesOf('/assets/worker-main-DXQ8VigG.js')).toBe(`${sourcesOf('/')} ws: wss:`);
  for (const path of [
    '/index.html',
    '/assets/worker-network-x.js',
    '/worker-main-x.js',
    '/assets/worker-main-x.js.map',
  ])
    expect(sourcesOf(path)).toBe(sourcesOf('/'));
});
