import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callSocket, openSocket } from './clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, postAs } from './clients/test-clients.fixture.ts';
import { openPage, sharedNode, withOrigin } from './pages/bridge.fixture.ts';
import { tabnode } from './vite.ts';

const node = sharedNode();
let folder: string;
let server: ViteDevServer;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabnode-vite-'));
  await writeFile(join(folder, 'index.html'), '<title>a page</title>');
  server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1' },
    plugins: [tabnode()],
  });
  await server.listen();
  const address = server.httpServer?.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  withOrigin(origin);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const askPass = (site: string): Promise<Response> =>
  fetch(`${origin}/tabnode/pass`, { headers: { 'sec-fetch-site': site } });

it("relays to the page on Vite's own port", async () => {
  const { token } = (await (await askPass('same-origin')).json()) as { token: string };
  const { openPort } = await node;
  const ws = `${origin.replace('http', 'ws')}/tabnode`;
  const page = openPage({ url: ws, secret: { kind: 'token', value: token }, openPort });
  const address = await page.serving;
  expect(new URL(address.ws).pathname).toBe('/tabnode/Development');
  expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
  expect((await callSocket(`${ws}/Development?dialect=polkadot-sdk`, 'system_chain')).result).toBe(
    'Development',
  );
  expect(await callHttp(`${origin}/tabnode`, 'system_chain')).toBe('Development');
  expect(await (await fetch(`${origin}/`)).text()).toContain('a page');
  const socket = await openSocket(ws);
  const left = new Promise((resolve) => socket.once('close', resolve));
  page.link.close(true);
  expect(await left).toBe(1001);
});

it('gives its token to pages of its own origin only', async () => {
  expect((await askPass('cross-site')).status).toBe(403);
  expect((await askPass('none')).status).toBe(403);
  const rebound = await postAs(
    origin,
    { host: 'evil.example', 'sec-fetch-site': 'same-origin' },
    bodyOf('x'),
    '/tabnode/pass',
  );
  expect(rebound.status).toBe(403);
});
