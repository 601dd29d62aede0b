import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DedotClient, LegacyClient } from '@dedot/api';
import { WsProvider as DedotProvider } from '@dedot/providers';
import { expect, type Page, test } from '@playwright/test';
import { ApiPromise, WsProvider } from '@polkadot/api';
import { createWsClient } from 'polkadot-api/ws';
import { callSocket, nextTexts, openSocket } from '../bridge/clients/socket-clients.fixture.ts';
import { bodyOf, post } from '../bridge/clients/test-clients.fixture.ts';
import { startProcess, type TestProcess } from '../bridge/clients/test-process.fixture.ts';
import { findPython } from '../test/clients/python.ts';
import { e2eUrl } from './ports.ts';

// The tab is reloaded while a client uses its node: each pending call gets one clear error, and the client
// reconnects.

type ApiOptions = NonNullable<Parameters<typeof ApiPromise.create>[0]>;
type Ready = { readonly ws: string; readonly http: string; readonly pairing: string };

const goneText = 'The page that runs this node is gone';
const gone = { code: -32000, message: goneText, data: 'Disconnected' };

let bridge: TestProcess;
let ready: Ready;
const clients = (page: Page, count: number) =>
  expect(page.getByRole('button', { name: `Bridge: ${count} client${count === 1 ? '' : 's'}`, exact: true }));

test.beforeEach(async ({ page }, info) => {
  const ports = ['--ws-port', '0', '--rpc-port', '0', '--base-path', info.outputPath('key')];
  bridge = startProcess('bridge', '--json', '--page', e2eUrl('app'), '--accept-first', ...ports);
  ready = JSON.parse(await bridge.firstLine) as Ready;
  await page.goto(`${ready.pairing}&accept=1&unsafe=1`);
  await clients(page, 0).toBeVisible();
});
test.afterEach(async () => {
  bridge.kill('SIGTERM');
  expect((await bridge.ended).code).toBe(0);
});

/** More blocks than the tab builds before it is reloaded. */
const manyBlocks = [{ count: 1000 }] as const;
/** Keeps the node busy, so that further calls wait. Resolves once it has begun. */
const keepBusy = async (): Promise<void> => {
  const socket = await openSocket(ready.ws);
  // More than 128 blocks that are not final would end each new `chainHead_v1_follow` at once, as in a native node. For
  // DedotClient that is a connection that never becomes ready.
  const isFinal = nextTexts(socket, 1);
  socket.send(bodyOf('dev_setFinality', [{ kind: 'instant' }]));
  await isFinal;
  const begun = nextTexts(socket, 3);
  socket.send(bodyOf('chain_subscribeNewHeads'));
  for (let id = 2; id < 12; id += 1) socket.send(bodyOf('dev_newBlock', manyBlocks, id));
  await begun;
};
const blockOf = async (): Promise<unknown> => (await callSocket(ready.ws, 'system_chain')).result;

test('bare texts and calls over HTTP', async ({ page }) => {
  await keepBusy();
  const socket = await openSocket(ready.ws);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const texts = nextTexts(socket, 1);
  socket.send(bodyOf('dev_newBlock', manyBlocks, 'x'));
  const called = post(ready.http, bodyOf('dev_newBlock', manyBlocks, 7));
  await clients(page, 3).toBeVisible();
  await page.reload();
  expect((await texts).map((text) => JSON.parse(text) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 'x', error: gone },
  ]);
  expect(await closed).toBe(1001);
  const lost = await called;
  expect([lost.status, await lost.json()]).toEqual([503, { jsonrpc: '2.0', id: 7, error: gone }]);
  await clients(page, 0).toBeVisible();
  expect(await blockOf()).toBe('Development');
  expect((await post(ready.http, bodyOf('system_chain'))).status).toBe(200);
});

test('polkadot-js', async ({ page }) => {
  const provider = new WsProvider(`${ready.ws}/?dialect=polkadot-sdk`, 100);
  const api = await ApiPromise.create({ provider, noInitWarn: true } as unknown as ApiOptions);
  const heads: number[] = [];
  await api.rpc.chain.subscribeNewHeads(({ number }) => void heads.push(number.toNumber()));
  await keepBusy();
  const lost = provider.send('dev_newBlock', [...manyBlocks]).then(String, (error: Error) => error.message);
  const again = new Promise<void>((resolve) => {
    api.once('disconnected', () => api.once('connected', resolve));
  });
  await page.reload();
  expect(await lost).toContain(goneText);
  await again;
  expect((await api.rpc.system.chain()).toString()).toBe('Development');
  // Its subscription continues on the new connection.
  heads.length = 0;
  await expect.poll(() => heads.length).toBeGreaterThan(0);
  await api.disconnect();
});

test('polkadot-api', async ({ page }) => {
  const client = createWsClient(ready.ws);
  const genesis = (await client.getChainSpecData()).genesisHash;
  const finals: string[] = [];
  const blocks = client.finalizedBlock$.subscribe({ next: ({ hash }) => finals.push(hash) });
  await expect.poll(() => finals.length).toBeGreaterThan(0);
  await keepBusy();
  const lost = client._request<unknown, unknown[]>('dev_newBlock', [...manyBlocks]).then(String, String);
  await page.reload();
  expect(await lost).toContain(goneText);
  await clients(page, 1).toBeVisible();
  finals.length = 0;
  await expect.poll(() => finals.length).toBeGreaterThan(0);
  expect((await client.getChainSpecData()).genesisHash).toBe(genesis);
  blocks.unsubscribe();
  client.destroy();
});

for (const [name, dedot] of [
  ['', DedotClient],
  [' legacy', LegacyClient],
] as const)
  test(`dedot${name}`, async ({ page }) => {
    const client = await dedot.new(new DedotProvider({ endpoint: ready.ws, retryDelayMs: 100 }));
    await keepBusy();
    const lost = client.provider.send('dev_newBlock', [...manyBlocks]).then(String, String);
    const again = new Promise<void>((resolve) => {
      client.once('ready', resolve);
    });
    await page.reload();
    expect(await lost).toContain(goneText);
    await again;
    const numbers: number[] = [];
    const stop = await client.query.system.number((number) => void numbers.push(number));
    await expect.poll(() => numbers.length).toBeGreaterThan(1);
    await stop();
    await client.disconnect();
  });

test('py-substrate-interface', async ({ page }) => {
  test.setTimeout(400_000);
  const found = await findPython();
  test.skip('missing' in found, 'missing' in found ? found.missing : '');
  if ('missing' in found) return;
  const script = fileURLToPath(new URL('../test/python/reload.py', import.meta.url));
  const child = spawn(found.python, [script, `${ready.ws}/?dialect=polkadot-sdk`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  expect(await nextLine()).toBe('Development');
  await keepBusy();
  await page.reload();
  expect(await nextLine()).toContain(goneText);
  await clients(page, 0).toBeVisible();
  child.stdin.end('\n');
  expect(await nextLine()).toBe('Development');
});
