import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { killServed, serveAt } from '../test/network/serve-tabnode.ts';
import { writeAuthoritiesSpec } from './authorities.ts';
import type { NetworkPage } from './pages/network.ts';
import { e2eUrl, freePort } from './ports.ts';
import { openRelay, type Relay } from './relay.ts';

let relay: Relay | null = null;
test.afterEach(() => {
  killServed();
  relay?.close();
  relay = null;
});

const addressAt = (port: number, id: string): string => `/ip4/127.0.0.1/tcp/${port}/ws/p2p/${id}`;

const numberOf = async (at: string, hash?: unknown): Promise<number> =>
  Number(
    ((await callHttp(at, 'chain_getHeader', hash === undefined ? [] : [hash])) as { number: string }).number,
  );
const finalOf = async (at: string): Promise<number> =>
  numberOf(at, await callHttp(at, 'chain_getFinalizedHead', []));
const finalIn = async (page: Page): Promise<number> =>
  (await page.evaluate(() => window.networkPage.status())).finalized;

const slots = { timeout: 150_000, intervals: [500] };

test('two headless authorities and two in tabs, cut two and two, have one chain and finality again', async ({
  browser,
}, info) => {
  test.setTimeout(420_000);
  await mkdir(info.outputPath(), { recursive: true });
  const spec = await writeAuthoritiesSpec(['Alice', 'Bob', 'Charlie', 'Dave'], info.outputPath());
  const [alicePort, bobPort] = [await freePort(), await freePort()];
  const alice = await serveAt(spec, info.outputPath('alice'), alicePort, '--alice', '--force-authoring');
  relay = await openRelay(alicePort);
  const boot = ['--bootnodes', addressAt(relay.port, alice.peerId)];
  const bob = await serveAt(spec, info.outputPath('bob'), bobPort, '--bob', ...boot);
  /** A tab whose only peer is a headless node. */
  const startTab = async (name: string, peer: string): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${e2eUrl('pages')}network.html`);
    const own: Parameters<NetworkPage['join']> = [readFileSync(spec, 'utf8'), [peer], [`//${name}`]];
    await page.evaluate((given) => window.networkPage.join(...given), own);
    return page;
  };
  const charlie = await startTab('Charlie', addressAt(alicePort, alice.peerId));
  const dave = await startTab('Dave', addressAt(bobPort, bob.peerId));
  await expect.poll(() => finalOf(alice.http), slots).toBeGreaterThanOrEqual(1);
  await expect.poll(() => finalOf(bob.http), slots).toBeGreaterThanOrEqual(1);

  relay.cut();
  await expect.poll(() => callHttp(alice.http, 'system_health'), slots).toMatchObject({ peers: 1 });
  const cutAt = Math.max(await numberOf(alice.http), await numberOf(bob.http));
  for (const { http } of [alice, bob])
    await expect.poll(() => numberOf(http), slots).toBeGreaterThanOrEqual(cutAt + 2);
  const [ours, theirs] = await Promise.all(
    [alice, bob].map(({ http }) => callHttp(http, 'chain_getBlockHash', [cutAt + 2])),
  );
  expect(ours).not.toBe(theirs);
  // Three of four votes are needed.
  for (const { http } of [alice, bob]) expect(await finalOf(http)).toBeLessThanOrEqual(cutAt);

  relay.join();
  const last = cutAt + 3;
  for (const { http } of [alice, bob])
    await expect.poll(() => finalOf(http), slots).toBeGreaterThanOrEqual(last);
  for (const page of [charlie, dave])
    await expect.poll(() => finalIn(page), slots).toBeGreaterThanOrEqual(last);
  const hashAt = (at: string) => callHttp(at, 'chain_getBlockHash', [last]);
  expect(await hashAt(bob.http)).toBe(await hashAt(alice.http));
  for (const page of [charlie, dave]) {
    await page.evaluate(() => window.networkPage.stop());
    await page.context().close();
  }
});
