import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Origin } from '../../worker/chain/origin.ts';
import { openSqliteNodeStore } from '../../worker/db/node-store-sqlite.ts';
import { openRealOrigin } from '../origin/origin-rig.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { type ForkOptions, importFork, type OpenedFork, openForkOf, openWhole } from './fork-rig.ts';
import { type Misbehavior, rpcEndpoint } from './rpc-origin.ts';

// What users of other tools have reported about forks, as tests of this one. docs/fork.md lists the reports and the tests.

const baseNumber = 4;
const folder = mkdtempSync(join(tmpdir(), 'tabnode-reports-'));
/** It has the states of its newest three blocks. */
let live: DevNode;
beforeAll(async () => {
  live = await startDevNode({ changes: { statePruning: 3 } });
  for (let block = 0; block < baseNumber; block++) await live.call('engine_createBlock', true, true);
}, 60_000);
afterAll(async () => {
  await live.stop();
  rmSync(folder, { recursive: true });
});

const forks: OpenedFork[] = [];
afterEach(async () => {
  for (const { node } of forks.splice(0)) await node.close();
});
const open = async (options: ForkOptions): Promise<OpenedFork> => {
  const fork = await openForkOf(live.node, { keys: [], ...options });
  forks.push(fork);
  return fork;
};

const heads = async ({ call }: OpenedFork): Promise<readonly [number, string]> => [
  Number((await call<{ number: string }>('chain_getHeader')).number),
  await call<string>('chain_getBlockHash'),
];

/** The live chain over its JSON-RPC, whose endpoints do what they are told to. */
const openOrigin = async (
  endpoints: readonly ((method: string) => Misbehavior | null)[],
  times: Record<string, number> = {},
): Promise<Origin> => {
  const providers = endpoints.map((instead, at) => rpcEndpoint(`endpoint ${at}`, live.node, { instead }));
  return (await openRealOrigin(providers, { times })).origin;
};

const isProof = (method: string): boolean => method === 'state_getReadProof';

describe('foundry #1531: what is changed on a fork', () => {
  it('is not there when the same block is forked again, also from what was read before', async () => {
    const openNodeStore = async () => openSqliteNodeStore(join(folder, 'shared.sqlite'));
    const key = live.accountKey(live.pair('//Alice').publicKey);
    const block = live.best().hash;
    const first = await open({ openNodeStore, block });
    const before = await first.call('state_getStorage', key);
    await first.call('dev_setStorage', [[key, `0x${'07'.repeat(80)}`]]);
    await first.call('engine_createBlock', true, true);
    expect(await first.call('state_getStorage', key)).toBe(`0x${'07'.repeat(80)}`);
    await first.node.close();
    const second = await open({ openNodeStore, block });
    expect(await second.call('state_getStorage', key)).toBe(before);
    await second.call('engine_createBlock', true, true);
    expect(await second.call('state_getStorage', key)).toBe(before);
    const { fork } = await second.call<{ fork: { shared: { found: number } } }>('dev_status');
    expect(fork.shared.found).toBeGreaterThan(0);
  });
});

describe('foundry #5810 and #4894: an endpoint that limits requests', () => {
  it('in the middle of a block holds it up, and the head can be moved back to the base', async () => {
    let refusals = 0;
    const state = { left: 0 };
    const refusing = (method: string): Misbehavior | null => {
      if (!isProof(method) || state.left === 0) return null;
      state.left -= 1;
      refusals += 1;
      return { code: 429, message: 'Too Many Requests' };
    };
    const fork = await open({ origin: await openOrigin([refusing]) });
    const base = await heads(fork);
    // An endpoint that only failed would be given up after three times.
    state.left = 3;
    const [transfer] = await Promise.all([
      live.transfer('//Alice', new Uint8Array(32).fill(9), 10n ** 12n, 0),
      fork.call('engine_createBlock', true, true),
    ]);
    expect(refusals).toBe(3);
    await fork.call('author_submitExtrinsic', transfer);
    const hash = await fork.call<string>('dev_newBlock');
    expect(await heads(fork)).toEqual([baseNumber + 2, hash]);
    expect(fork.errors).toEqual([]);
    const whole = await openWhole(live.node, 'development', baseNumber, { trustBlocks: true });
    await importFork(whole, fork.node);
    await whole.close();
    expect(await fork.call('dev_setHead', base[1])).toBe(base[1]);
    expect(await heads(fork)).toEqual(base);
    const status = await fork.call<{ fork: { lies: number } }>('dev_status');
    expect(status.fork.lies).toBe(0);
  });
});

describe('polkadot-ecosystem-tests #660: a request that is never answered', () => {
  it('is made to another endpoint, and the method settles', async () => {
    // Whichever is asked for the first proof of the block.
    const silent: string[] = [];
    const state = { isSilent: false };
    const once = (method: string): Misbehavior | null => {
      if (!state.isSilent || !isProof(method)) return null;
      state.isSilent = false;
      silent.push(method);
      return 'silent';
    };
    const fork = await open({ origin: await openOrigin([once, once], { hedgeMs: 20 }) });
    state.isSilent = true;
    const hash = await fork.call<string>('dev_newBlock');
    expect(await heads(fork)).toEqual([baseNumber + 1, hash]);
    expect(silent).toHaveLength(1);
  });

  it('fails after its deadline if there is no other, and the block is built when it is answered again', async () => {
    const state = { isSilent: false };
    const silent = (method: string): Misbehavior | null =>
      state.isSilent && isProof(method) ? 'silent' : null;
    const fork = await open({ origin: await openOrigin([silent], { requestMs: 100 }) });
    const base = await heads(fork);
    state.isSilent = true;
    await expect(fork.call('dev_newBlock')).rejects.toMatchObject({
      message: expect.stringMatching(/endpoint 0 did not respond within/),
    });
    expect(await heads(fork)).toEqual(base);
    state.isSilent = false;
    await fork.call('dev_newBlock');
    expect((await heads(fork))[0]).toBe(baseNumber + 1);
  });
});

// It goes last, because the live chain goes on.
describe('hardhat #4519 and edr #388: an endpoint that discards the state of the base', () => {
  it('after the first block: what has not changed since is read, what has is named, and blocks go on', async () => {
    const [alice, eve] = [live.pair('//Alice').publicKey, live.pair('//Eve').publicKey];
    const untouched = live.accountKey(eve);
    const changed = live.accountKey(alice);
    const before = await live.call('state_getStorage', untouched);
    const fork = await open({ origin: await openOrigin([() => null]) });
    await fork.call('dev_newBlock');
    const base = live.best().hash;
    await live.call(
      'author_submitExtrinsic',
      await live.transfer('//Alice', live.pair('//Bob').publicKey, 10n ** 12n, 0),
    );
    for (let block = 0; block < 12; block++) await live.call('engine_createBlock', true, true);
    await expect(live.call('state_getReadProof', [untouched], base)).rejects.toThrow('discarded');
    expect(await fork.call('state_getStorage', untouched)).toBe(before);
    await expect(fork.call('state_getStorage', changed)).rejects.toMatchObject({
      message: expect.stringContaining(changed),
    });
    await fork.call('dev_newBlock', { count: 3 });
    expect((await heads(fork))[0]).toBe(baseNumber + 4);
  });
});
