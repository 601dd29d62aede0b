import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import {
  freePort,
  hasNativeNode,
  logsReports,
  type NativeNode,
  unpackNativeNode,
} from '../test/native/native-rig.ts';
import { killServed, serveAt } from '../test/network/serve-tabnode.ts';
import { authorOf, reportedOffences, writeAuthoritiesSpec } from './authorities.ts';
import type { NetworkPage, PeerStatus } from './pages/network.ts';
import { e2eUrl } from './ports.ts';

let native: NativeNode | null = null;
test.afterEach(() => {
  native?.close();
  native = null;
  killServed();
});

const names = ['Alice', 'Bob', 'Charlie'] as const;

const statusOf = (page: Page): Promise<PeerStatus> => page.evaluate(() => window.networkPage.status());

test('a native Alice, a headless Bob and Charlie in a tab seal in their slots and finalize together', async ({
  page,
}, info) => {
  test.skip(!hasNativeNode, 'there is no native node beside the repository');
  test.setTimeout(540_000);
  native = await unpackNativeNode();
  const program = native;
  await mkdir(info.outputPath(), { recursive: true });
  // Sessions are short, so that a change of the set takes effect within the 20 blocks.
  const spec = await writeAuthoritiesSpec(names, info.outputPath(), { sessionSlots: 6 });
  const [alicePort, bobPort] = [await freePort(), await freePort()];
  const startAlice = async () => {
    const place = ['--chain', spec, '--base-path', join(program.folder, 'alice'), '--alice', logsReports];
    const listens = ['--node-key', '11'.repeat(32), '--listen-addr', `/ip4/127.0.0.1/tcp/${alicePort}/ws`];
    const rpc = ['--rpc-methods', 'unsafe', '--force-authoring'];
    const started = await program.serve(...place, ...listens, ...rpc);
    await expect.poll(started.isUp, { timeout: 60_000 }).toBe(true);
    return { ...started, http: `http://${started.address}` };
  };
  let alice = await startAlice();
  const aliceId = await alice.call<string>('system_localPeerId');
  const aliceAddress = `/ip4/127.0.0.1/tcp/${alicePort}/ws/p2p/${aliceId}`;
  const startBob = () => serveAt(spec, info.outputPath('bob'), bobPort, '--bob', '--bootnodes', aliceAddress);
  let bob = await startBob();
  let charlieId = '';
  const startCharlie = async (): Promise<void> => {
    await page.goto(`${e2eUrl('pages')}network.html`);
    const boot = [aliceAddress, ...bob.addresses];
    const own: Parameters<NetworkPage['join']> = [readFileSync(spec, 'utf8'), boot, ['//Charlie']];
    charlieId = await page.evaluate((given) => window.networkPage.join(...given), own);
  };
  await startCharlie();
  const numberOf = async (at: string, hash?: unknown): Promise<number> =>
    Number(
      ((await callHttp(at, 'chain_getHeader', hash === undefined ? [] : [hash])) as { number: string })
        .number,
    );
  const finalOf = async (at: string): Promise<number> =>
    numberOf(at, await callHttp(at, 'chain_getFinalizedHead', []));
  const slots = { timeout: 180_000, intervals: [1000] };
  await expect.poll(() => finalOf(alice.http), slots).toBeGreaterThanOrEqual(1);
  const setOf = async (at: string): Promise<number> =>
    ((await callHttp(at, 'grandpa_roundState', [])) as { setId: number }).setId;
  expect(await setOf(alice.http)).toBe(0);
  await page.evaluate(() => window.networkPage.changeKeys('//Charlie'));

  // Of three, all must vote.
  await page.goto('about:blank');
  const gone = await numberOf(alice.http);
  await expect.poll(() => numberOf(alice.http), slots).toBeGreaterThanOrEqual(gone + 3);
  expect(await finalOf(alice.http)).toBeLessThanOrEqual(gone);
  await startCharlie();
  await expect.poll(() => finalOf(alice.http), slots).toBeGreaterThan(gone);

  await bob.stop('SIGKILL');
  bob = await startBob();
  const reports = alice.reports();
  await alice.stop('SIGKILL');
  alice = await startAlice();

  await expect.poll(() => finalOf(bob.http), slots).toBeGreaterThanOrEqual(20);
  await expect.poll(async () => (await statusOf(page)).finalized, slots).toBeGreaterThanOrEqual(20);
  await expect.poll(() => finalOf(alice.http), slots).toBeGreaterThanOrEqual(20);
  expect(await Promise.all([setOf(alice.http), setOf(bob.http)])).toEqual([1, 1]);
  expect(await reportedOffences(alice.http)).toEqual([]);
  const ours = [...reports, ...alice.reports()].filter(({ peer }) => [bob.peerId, charlieId].includes(peer));
  expect(ours.length).toBeGreaterThan(0);
  // While a node is killed, a native one charges its own failed attempts to open a link to it, up to 5 s late.
  const whileTheyRun = ours.filter(({ reason }) => reason !== 'Open failure');
  expect(whileTheyRun.filter(({ change }) => change <= -1024)).toEqual([]);
  const hashAt = (at: string) => callHttp(at, 'chain_getBlockHash', [20]);
  expect(await hashAt(bob.http)).toBe(await hashAt(alice.http));
  const authors = new Set<number>();
  for (let number = 1; number <= 20; number++) {
    const hash = await callHttp(alice.http, 'chain_getBlockHash', [number]);
    const { digest } = (await callHttp(alice.http, 'chain_getHeader', [hash])) as {
      digest: { logs: string[] };
    };
    authors.add(authorOf(digest.logs));
  }
  expect([...authors].sort()).toEqual([0, 1, 2]);
  await page.evaluate(() => window.networkPage.stop());
});
