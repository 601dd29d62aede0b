import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type Page, test } from '@playwright/test';
import { xxhashAsHex } from '@polkadot/util-crypto';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import {
  freePort,
  hasNativeNode,
  logsReports,
  type NativeNode,
  unpackNativeNode,
} from '../test/native/native-rig.ts';
import type { NetworkPage, PeerStatus } from './pages/network.ts';
import { e2eUrl } from './ports.ts';

const tabnode = fileURLToPath(new URL('../bridge/tabnode.ts', import.meta.url));
const run = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [tabnode, ...args], { maxBuffer: 1 << 28 })).stdout;

let native: NativeNode | null = null;
const running = new Set<ChildProcess>();
test.afterEach(() => {
  native?.close();
  native = null;
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

const names = ['Alice', 'Bob', 'Charlie'] as const;

/** A chain whose authorities are all three, as a raw specification in a file. */
const writeSpec = async (path: (name: string) => string): Promise<string> => {
  const addressOf = async (name: string, scheme: string): Promise<string> =>
    JSON.parse(await run('key', 'inspect', `//${name}`, '--scheme', scheme, '--json')).ss58Address;
  const keys = await Promise.all(
    names.map(async (name) => {
      const [babe, grandpa] = [await addressOf(name, 'sr25519'), await addressOf(name, 'ed25519')];
      return [babe, babe, { babe, grandpa }] as const;
    }),
  );
  // Sessions are short, so that a change of the set takes effect within the 20 blocks.
  const validators = { validators: keys.map(([address]) => address), sessionSlots: 6 };
  writeFileSync(path('patch.json'), JSON.stringify({ session: { keys }, validators }));
  const code = fileURLToPath(new URL('../public/tabnode-runtime.compact.compressed.wasm', import.meta.url));
  const preset = ['--chain', code, '--preset', 'local_testnet', '--patch', path('patch.json')];
  await run('build-spec', ...preset, '--raw', '--chain-id', 'three', '--output', path('three.json'));
  return path('three.json');
};

type Ready = { readonly http: string; readonly peerId: string; readonly addresses: readonly string[] };

/** Bob, a headless node, which keeps his chain and his votes in a folder. */
const serveBob = async (spec: string, folder: string, listen: number, bootNode: string) => {
  const place = ['--chain', spec, '--base-path', folder, '--bob', '--bootnodes', bootNode, '--json'];
  const own = ['--ws-port', '0', '--rpc-port', '0', '--dialect', 'polkadot-sdk', '--rpc-methods', 'unsafe'];
  const listens = ['--listen-addr', `/ip4/127.0.0.1/tcp/${listen}/ws`];
  const child = spawn(process.execPath, [tabnode, 'serve', ...place, ...own, ...listens], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.on('close', (code) => reject(new Error(`tabnode ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as Ready));
  });
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
    running.delete(child);
  };
  return { ...ready, kill };
};

const statusOf = (page: Page): Promise<PeerStatus> => page.evaluate(() => window.networkPage.status());

/** The index of a block's author, from its BABE pre-digest. */
const authorOf = (logs: readonly string[]): number => {
  const log = logs.find((one) => one.startsWith('0x0642414245')) ?? '';
  const bytes = Buffer.from(log.slice(2), 'hex');
  // The length has two bytes for a primary slot, which has a VRF output. A byte for the kind of slot comes before the index.
  const length = ((bytes[5] ?? 0) & 3) === 0 ? 1 : 2;
  return bytes.readUInt32LE(6 + length);
};

/** The keys of `Offences.Reports`, where the runtime keeps each equivocation of blocks or votes. */
const reportedOffences = async (at: string): Promise<unknown> => {
  const prefix = `${xxhashAsHex('Offences', 128)}${xxhashAsHex('Reports', 128).slice(2)}`;
  return callHttp(at, 'state_getKeysPaged', [prefix, 10]);
};

test('a native Alice, a headless Bob and Charlie in a tab seal in their slots and finalize together', async ({
  page,
}, info) => {
  test.skip(!hasNativeNode, 'there is no native node beside the repository');
  test.setTimeout(540_000);
  native = await unpackNativeNode();
  const program = native;
  const spec = await writeSpec((name) => info.outputPath(name));
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
  const startBob = () => serveBob(spec, info.outputPath('bob'), bobPort, aliceAddress);
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

  await bob.kill();
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
