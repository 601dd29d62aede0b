import { createClient, type PolkadotClient } from 'polkadot-api';
import { getSmProvider } from 'polkadot-api/sm-provider';
import { type Client, start as startSmoldot } from 'smoldot';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OpenPeers } from '../../bridge/network/open-network.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { changeKeys, shortSessions, whenFinal } from '../consensus/grandpa-rig.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { listenAsPeer } from './listen.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const platform = createTestPlatform({ now: () => Date.now() });
/** What smoldot says about its work. */
const said: string[] = [];

let node: Node;
let peers: OpenPeers;
let smoldot: Client;
let client: PolkadotClient;

const call = <T>(method: string, ...params: unknown[]): Promise<T> =>
  connectRpc(node).call<T>(method, ...params);
const sealTo = async (height: number): Promise<void> => {
  while (node.parts.chain.best().number < height) await call('engine_createBlock', true, false, null);
};
const hashAt = (number: number): Promise<string> => call('chain_getBlockHash', number);

/** Both authorities of the chain. It begins in the past, so that it may be sealed as fast as possible. */
const startBoth = async (): Promise<void> => {
  node = await createNode(
    platform,
    testConfig(await shortSessions('local_testnet', 20), {
      keys: ['//Alice', '//Bob'],
      finality: { kind: 'grandpa' },
      clock: { startMs: Date.UTC(2026, 0, 1) },
      network: {},
    }),
  );
  peers = await listenAsPeer(node);
};

beforeAll(async () => {
  await startBoth();
  await changeKeys(node);
  await sealTo(3);
  await whenFinal(node, 3);
  const spec = await call<object>('sync_state_genSyncSpec', true);
  await sealTo(70);
  await whenFinal(node, 70);
  smoldot = startSmoldot({
    maxLogLevel: 4,
    logCallback: (_level, target, text) => said.push(`${target}: ${text}`),
  });
  const bootNodes = node.parts.localPeer.addresses();
  const chain = smoldot.addChain({ chainSpec: JSON.stringify({ ...spec, bootNodes }) });
  client = createClient(getSmProvider(() => chain));
}, 120_000);

afterAll(async () => {
  client.destroy();
  await smoldot.terminate();
  await peers.close();
  await node.close();
  expect(platform.errors).toEqual([]);
});

const find = (part: string): string[] => said.filter((line) => line.includes(part));

test('smoldot warps over a set change to the newest final block', async () => {
  expect((await node.parts.grandpa.authoritySet())?.setId).toBe(1n);
  await expect.poll(() => find('GrandPa warp sync finished to #70'), { timeout: 50_000 }).toHaveLength(1);
  const [proof] = find('warp-sync-request-success');
  expect(proof).toMatch(/num_fragments=2, is_finished=true/);
  // smoldot tells an application nothing of the best block before there is a new one.
  await sealTo(71);
  const { number, hash } = await client.getFinalizedBlock();
  expect(number).toBeGreaterThanOrEqual(70);
  expect(hash).toBe(await hashAt(number));
  expect(node.parts.network.peers()).toMatchObject([{ role: 'light' }]);
}, 60_000);

test('it answers queries and calls by proofs of ours', async () => {
  const { chain } = node.parts;
  // Nobody else reads a state meanwhile.
  const [runtimes, reads] = [vi.spyOn(chain, 'runtimeAt'), vi.spyOn(chain, 'withState')];
  const api = client.getUnsafeApi();
  const account = (await api.query['System']?.['Account']?.getValue(alice)) as { data: { free: bigint } };
  expect(account.data.free).toBeGreaterThan(0n);
  expect(reads.mock.calls.length).toBeGreaterThan(0);
  const before = { runtimes: runtimes.mock.calls.length, reads: reads.mock.calls.length };
  const set = (await api.apis['GrandpaApi']?.['current_set_id']?.()) as bigint;
  expect(set).toBe(1n);
  expect(runtimes.mock.calls.length).toBeGreaterThan(before.runtimes);
  expect(reads.mock.calls.length).toBeGreaterThan(before.reads);
  const [block, storage] = [find('call-proof-request-error'), find('storage-proof-request-error')];
  expect([block, storage]).toEqual([[], []]);
}, 60_000);

test('it follows 50 blocks, and their finality', async () => {
  const finalized: number[] = [];
  const subscription = client.finalizedBlock$.subscribe(({ number }) => finalized.push(number));
  // Above a gap of 32 final blocks smoldot warps again instead.
  for (let height = 81; height <= 121; height += 10) {
    await sealTo(height);
    await whenFinal(node, height);
    await expect.poll(() => finalized.at(-1), { timeout: 20_000 }).toBe(height);
  }
  subscription.unsubscribe();
  expect((await client.getFinalizedBlock()).hash).toBe(await hashAt(121));
  const api = client.getUnsafeApi();
  expect(await api.query['System']?.['Number']?.getValue({ at: await hashAt(121) })).toBe(121);
  expect(node.parts.network.peers()).toHaveLength(1);
}, 120_000);
