import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callHttp } from '../../bridge/clients/test-clients.fixture.ts';
import { startServe } from '../../bridge/clients/test-process.fixture.ts';
import {
  type NetworkContext,
  setupContext,
  setupContextWithConfig,
  setupNetworks,
  testingPairs,
  withExpect,
} from '../../src/testing/chopsticks.ts';
import { funded, nextRuntime, useLiveChain } from './networks.ts';

// The intents of chopsticks' e2e tests import-storage, metadata, state and storage, and those of its network helpers.

const { check } = withExpect(expect);
const { alice, bob } = testingPairs();
const live = useLiveChain();
const folder = mkdtempSync(join(tmpdir(), 'tabnode-chopsticks-state-'));
afterAll(() => rmSync(folder, { recursive: true }));

let network: NetworkContext;
beforeAll(async () => {
  network = await live.fork();
}, 60_000);

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('import-storage', () => {
  const open = (storage: unknown) =>
    setupContextWithConfig({ endpoint: live.ws(), 'build-block-mode': 'Manual', 'import-storage': storage });

  it('sets items of a file and of a map, and clears a map before', async () => {
    const file = write(
      'storage.yml',
      `Sudo:\n  Key: null\nSystem:\n  $removePrefix: ['Account']\n  Account:\n    - - - ${bob.address}\n      - data:\n          free: 1000000000000000\n`,
    );
    const fork = await open(file);
    const accounts = (await fork.api.query['system']?.['account']?.entries()) ?? [];
    expect(accounts).toHaveLength(1);
    await check(fork.api.query['system']?.['account']?.(bob.address)).toMatchObject({
      data: { free: 1_000_000_000_000_000 },
    });
    expect((await fork.api.query['sudo']?.['key']?.())?.isEmpty).toBe(true);
    await fork.teardown();
  });

  it('names the pallet or item that does not exist', async () => {
    await expect(open(join(folder, 'none.yml'))).rejects.toThrow('none.yml cannot be read');
    await expect(open({ SSudo: { Key: null } })).rejects.toThrow('no pallet SSudo');
    await expect(open({ Sudo: { KKey: null } })).rejects.toThrow('no storage item Sudo.KKey');
  });
});

describe('metadata and state', () => {
  it('has constants, versions and metadata of each block', async () => {
    const { api, dev, ws } = network;
    expect(Number(api.consts['babe']?.['expectedBlockTime'])).toBeGreaterThan(0);
    const seen: number[] = [];
    const unsubscribe = await api.rpc.state.subscribeRuntimeVersion(({ specVersion }) => {
      seen.push(specVersion.toNumber());
    });
    await dev.newBlock();
    await check(api.rpc.state.getRuntimeVersion()).toMatchObject({ specName: 'tabnode' });
    const genesis = await api.rpc.chain.getBlockHash(0);
    expect(await ws.send('state_getMetadata', [genesis.toHex()])).toMatch(/^0x6d657461/);
    await expect.poll(() => seen).toEqual([api.runtimeVersion.specVersion.toNumber()]);
    unsubscribe();
  });
});

describe('storage', () => {
  it('reads one item and several, at the head and at blocks of the live chain', async () => {
    const { api, dev } = network;
    await dev.setStorage(funded(alice.address, 777n));
    await check(api.query['system']?.['account']?.(alice.address)).toMatchObject({ data: { free: 777 } });
    const genesis = await api.at(await api.rpc.chain.getBlockHash(0));
    expect(Number(await genesis.query['timestamp']?.['now']?.())).toBe(0);
    expect(Number(await api.query['timestamp']?.['now']?.())).toBeGreaterThan(0);
    const several = await api.query['system']?.['account']?.multi([alice.address, bob.address]);
    await check(several).toMatchObject([{ data: { free: 777 } }, { data: { free: 0 } }]);
  });

  it('pages through the keys of a map, also at a block of the live chain', async () => {
    const { api } = network;
    const page = async (at: typeof api.query, startKey?: string) =>
      (await at['system']?.['account']?.entriesPaged(
        startKey === undefined ? { args: [], pageSize: 2 } : { args: [], pageSize: 2, startKey },
      )) ?? [];
    const genesis = (await api.at(await api.rpc.chain.getBlockHash(0))).query as typeof api.query;
    for (const query of [api.query, genesis]) {
      const first = await page(query);
      const second = await page(query, first.at(-1)?.[0].toHex());
      expect(first).toHaveLength(2);
      const keys = [...first, ...second].map(([key]) => key.toHex());
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('notifies of changes until nobody listens', async () => {
    const { api, dev } = network;
    const seen: number[] = [];
    const unsubscribe = await api.query['timestamp']?.['now']?.((now: unknown) => {
      seen.push(Number(now));
    });
    await dev.newBlock();
    await expect.poll(() => seen.length).toBe(2);
    (unsubscribe as unknown as () => void)();
    await dev.newBlock();
    expect(seen).toHaveLength(2);
  });
});

it('setupContext refuses what it does not know, and two blocks', async () => {
  const endpoint = 'ws://127.0.0.1:1';
  for (const [option, text] of [
    [
      { endpoint, importStorage: {} },
      'setupContext has no option "importStorage"; setupContextWithConfig takes',
    ],
    [{ endpoint, blockNumber: 1, blockHash: `0x${'11'.repeat(32)}` }, 'give blockNumber or blockHash'],
    [undefined, 'name a node of it as "endpoint"'],
  ] as const) {
    const refused = setupContext(option as unknown as Parameters<typeof setupContext>[0]);
    await expect(refused).rejects.toMatchObject({
      code: 'BadConfig',
      message: expect.stringContaining(text),
    });
  }
});

describe('setupNetworks', () => {
  it('opens one chain, and upgrades it if its runtime is replaced', async () => {
    const config = { endpoint: live.ws(), 'build-block-mode': 'Manual', 'wasm-override': nextRuntime };
    const { dev } = await setupNetworks({ dev: config });
    const number = (await dev.api.rpc.chain.getHeader()).number.toNumber();
    expect(number).toBe(7);
    await dev.teardown();
  });

  it('takes the path of a configuration', async () => {
    const path = write('dev.yml', `endpoint: ${live.ws()}\nport: 0\nblock: 2\n`);
    const { dev } = await setupNetworks({ dev: path });
    expect((await dev.api.rpc.chain.getHeader()).number.toNumber()).toBe(2);
    await dev.teardown();
  });

  it('opens several chains with one db, each on its own, and says that they exchange no messages', async () => {
    const other = await startServe('--chain', 'local_testnet', '--alice', '--seal', 'manual', '--tmp');
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      await callHttp(other.ready.http, 'engine_createBlock', [true, true]);
      const common = {
        'build-block-mode': 'Manual',
        'mock-signature-host': true,
        db: join(folder, 'several'),
      };
      const first = { ...common, endpoint: live.ws(), block: 3, 'wasm-override': nextRuntime };
      const second = { ...common, endpoint: other.ready.ws };
      const { polkadot, assetHub } = await setupNetworks({ polkadot: first, assetHub: second });
      expect(warn).toHaveBeenCalledWith(
        expect.stringContaining('messages between polkadot, assetHub (XCM) are not delivered'),
      );
      const heads = async () =>
        Promise.all(
          [polkadot, assetHub].map(async ({ api }) => (await api.rpc.chain.getHeader()).number.toNumber()),
        );
      // Two blocks on each, because one has another runtime.
      expect(await heads()).toEqual([5, 3]);
      await polkadot.dev.newBlock({ count: 2 });
      await assetHub.dev.setStorage(funded(testingPairs().alice.address, 7n * 10n ** 15n));
      expect(await heads()).toEqual([7, 3]);
      expect(polkadot.url).not.toBe(assetHub.url);
      expect(polkadot.api.genesisHash.toHex()).not.toBe(assetHub.api.genesisHash.toHex());
      await polkadot.teardown();
      expect((await assetHub.chain.newBlock()).number).toBe(4);
      await assetHub.teardown();
    } finally {
      warn.mockRestore();
      other.kill('SIGTERM');
      await other.ended;
    }
  }, 60_000);

  it('closes those that have opened if one cannot be, and refuses none', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const good = { endpoint: live.ws(), port };
    await expect(setupNetworks({ polkadot: good, acala: { endpoints: live.ws() } })).rejects.toThrow(
      'no option "endpoints"',
    );
    // Its port is free again.
    const { polkadot } = await setupNetworks({ polkadot: good });
    await polkadot.teardown();
    await expect(setupNetworks({})).rejects.toThrow('name a chain');
    await expect(setupContextWithConfig({ endpoints: live.ws() })).rejects.toThrow('no option "endpoints"');
  });
});
