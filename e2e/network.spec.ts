import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { hasNativeNode, type NativeNode, nativeSpec, startNative } from './native-node.ts';
import type { NetworkPage, PeerStatus } from './pages/network.ts';
import { e2eUrl, freePort } from './ports.ts';

let native: NativeNode | null = null;
test.afterEach(() => {
  native?.kill();
  native = null;
});

const statusOf = (page: Page): Promise<PeerStatus> => page.evaluate(() => window.networkPage.status());

test('a tab takes all blocks of a native node, finality included, follows, and catches up after a reload', async ({
  page,
}, info) => {
  test.skip(!hasNativeNode, 'there is no native node beside the repository');
  const port = await freePort();
  const listens = ['--seal-grandpa', '--listen-addr', `/ip4/127.0.0.1/tcp/${port}/ws`];
  native = await startNative(info.outputPath('native-node'), listens);
  const { address } = native;
  const call = (method: string, ...params: unknown[]) => callHttp(`http://${address}`, method, params);
  const seal = () => call('engine_createBlock', true, false, null);
  for (let number = 1; number <= 150; number++) await seal();
  const id = (await call('system_localPeerId')) as string;
  const spec = readFileSync(nativeSpec, 'utf8');
  const bootNode = `/ip4/127.0.0.1/tcp/${port}/ws/p2p/${id}`;
  /** Starts the node of the page. Returns its peer id. */
  const join = async (): Promise<string> => {
    await page.goto(`${e2eUrl('pages')}network.html`);
    const own: Parameters<NetworkPage['join']> = [spec, [bootNode]];
    return page.evaluate((given) => window.networkPage.join(...given), own);
  };
  const ownId = await join();
  await expect.poll(async () => (await statusOf(page)).best, { timeout: 60_000 }).toBe(150);
  expect((await statusOf(page)).bestHash).toBe(await call('chain_getBlockHash', 150));
  expect((await statusOf(page)).peers).toEqual([id]);
  expect(await call('system_peers')).toMatchObject([{ peerId: ownId, roles: 'FULL' }]);
  await seal();
  await expect.poll(async () => (await statusOf(page)).best).toBe(151);
  await expect.poll(async () => (await statusOf(page)).finalized).toBeGreaterThanOrEqual(149);

  await page.goto('about:blank');
  for (let number = 1; number <= 20; number++) await seal();
  // The same node as before, with what it had stored.
  expect(await join()).toBe(ownId);
  expect((await statusOf(page)).best).toBeGreaterThanOrEqual(151);
  await expect.poll(async () => (await statusOf(page)).best, { timeout: 30_000 }).toBe(171);
  await page.evaluate(() => window.networkPage.stop());
});

test('a node that cannot be reached is named with the reason', async ({ page }) => {
  const id = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';
  const own: Parameters<NetworkPage['join']> = [
    readFileSync(nativeSpec, 'utf8'),
    [`/ip4/127.0.0.1/tcp/${await freePort()}/ws/p2p/${id}`],
  ];
  await page.goto(`${e2eUrl('pages')}network.html`);
  await page.evaluate((given) => window.networkPage.join(...given), own);
  await expect.poll(async () => Object.keys((await statusOf(page)).unreachable)).toEqual([id]);
  expect((await statusOf(page)).unreachable[id]).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/ /);
  await page.evaluate(() => window.networkPage.stop());
});
