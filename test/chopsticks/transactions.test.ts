import type { SubmittableResult } from '@polkadot/api';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type NetworkContext,
  sendTransaction,
  signFake,
  signFakeWithApi,
  testingPairs,
  withExpect,
} from '../../src/testing/chopsticks.ts';
import { funded, useLiveChain } from './networks.ts';

// The intents of chopsticks' e2e tests author, dry-run-extrinsic, failed-tx-reverts, mock-signature and system.

const { check, checkEvents, checkSystemEvents } = withExpect(expect);
const { alice, bob, charlie } = testingPairs();
const live = useLiveChain();

let network: NetworkContext;
beforeAll(async () => {
  network = await live.fork();
  await network.dev.setStorage(funded(alice.address));
}, 60_000);

const unit = 10n ** 12n;
const transfer = (to: string, value: bigint | number) =>
  network.api.tx['balances']?.['transferAllowDeath']?.(to, value) as ReturnType<NetworkContext['api']['tx']>;
const freeOf = async (address: string): Promise<bigint> => {
  const account = await network.api.query['system']?.['account']?.(address);
  return (account as unknown as { data: { free: { toBigInt(): bigint } } }).data.free.toBigInt();
};

describe('author', () => {
  it('a transaction is ready, in a block, and final', async () => {
    const seen: string[] = [];
    let finish = (): void => undefined;
    const finalized = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await transfer(bob.address, unit).signAndSend(alice, ({ status }: SubmittableResult) => {
      seen.push(status.type);
      if (status.isFinalized) finish();
    });
    await network.dev.newBlock();
    await finalized;
    expect(seen).toEqual(['Ready', 'InBlock', 'Finalized']);
    expect(await freeOf(bob.address)).toBeGreaterThanOrEqual(unit);
  });

  it('sendTransaction returns the events', async () => {
    const sent = await sendTransaction(transfer(bob.address, 1000).signAsync(alice));
    await network.dev.newBlock();
    await checkEvents(sent, { section: 'balances', method: 'Transfer' }).toMatchObject([
      { section: 'balances', method: 'Transfer', data: { amount: 1000 } },
    ]);
    await checkSystemEvents(network, { section: 'system', method: 'ExtrinsicSuccess' }).toMatchObject([
      { method: 'ExtrinsicSuccess' },
      { method: 'ExtrinsicSuccess' },
    ]);
  });

  it('rejects a bad signature and a transaction without one', async () => {
    const { api } = network;
    const tx = transfer(bob.address, 100);
    tx.signFake(alice.address, {
      nonce: 0,
      genesisHash: api.genesisHash,
      runtimeVersion: api.runtimeVersion,
      blockHash: api.genesisHash,
    });
    await expect(tx.send()).rejects.toThrow('1010: Invalid Transaction');
    await expect(transfer(bob.address, 100).send()).rejects.toThrow(/^101[01]: /);
  });

  it('of two transactions with one nonce, one is in a block', async () => {
    const nonce = await network.api.rpc.system.accountNextIndex(alice.address);
    await transfer(charlie.address, 1n * unit).signAndSend(alice, { nonce });
    await expect(transfer(charlie.address, 2n * unit).signAndSend(alice, { nonce })).rejects.toThrow('1014');
    await network.dev.newBlock();
    expect(await freeOf(charlie.address)).toBeGreaterThan(0n);
  });
});

describe('mock-signature', () => {
  it('accepts real and mock signatures', async () => {
    const { api, dev } = network;
    await expect((await transfer(bob.address, 1).signAsync(alice)).send()).resolves.toBeTruthy();
    await dev.newBlock();
    await dev.setStorage(funded(bob.address));
    const byApi = transfer(alice.address, 3n * unit);
    await signFakeWithApi(api, byApi, bob.address);
    await expect(byApi.send()).resolves.toBeTruthy();
    await dev.newBlock();
    const nonce = await api.rpc.system.accountNextIndex(bob.address);
    const { genesisHash, runtimeVersion } = api;
    const byHand = transfer(alice.address, 3n * unit);
    signFake(byHand, bob.address, { nonce, genesisHash, runtimeVersion, blockHash: genesisHash });
    await expect(byHand.send()).resolves.toBeTruthy();
    await dev.newBlock();
    expect(await freeOf(bob.address)).toBeLessThan(10n ** 16n - 6n * unit);
  });
});

describe('dry-run-extrinsic', () => {
  type Ran = { outcome: unknown; new: { system: { account: Record<string, unknown> } } };

  it('of an extrinsic, and of a call as any account', async () => {
    const { ws, dev } = network;
    const extrinsic = (await transfer(bob.address, unit).signAsync(alice)).toHex();
    expect(await ws.send<Ran>('dev_dryRun', [{ extrinsic }])).toMatchObject({ outcome: 'Ok' });
    const whale = '5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu';
    await dev.setStorage({ ...funded(whale), Sudo: { Key: whale } });
    const sudo = network.api.tx['sudo']?.['sudo']?.(network.api.tx['system']?.['remark']?.('0x01'));
    const call = sudo?.method.toHex();
    expect(await ws.send<Ran>('dev_dryRun', [{ extrinsic: { call, address: whale } }])).toMatchObject({
      outcome: 'Ok',
    });
  });
});

describe('failed-tx-reverts', () => {
  it('a failed batch leaves nothing but its fee', async () => {
    const { api, dev } = network;
    const before = await freeOf(charlie.address);
    const batch = api.tx['utility']?.['batchAll']?.([
      transfer(charlie.address, unit),
      transfer(charlie.address, 10n ** 30n),
    ]);
    await batch?.signAndSend(alice);
    await dev.newBlock();
    await checkSystemEvents(network, { section: 'system', method: 'ExtrinsicFailed' }).toMatchObject([
      { method: 'ExtrinsicFailed' },
    ]);
    expect(await freeOf(charlie.address)).toBe(before);
  });
});

describe('system', () => {
  it('names the live chain, and has no peers', async () => {
    const { api } = network;
    expect((await api.rpc.system.chain()).toString()).toBe('Development');
    await check(api.rpc.system.health()).toMatchObject({
      peers: 0,
      isSyncing: false,
      shouldHavePeers: false,
    });
    await check(api.rpc.system.properties()).toMatchObject({});
  });

  it('counts transactions of the pool in the next index', async () => {
    const { api, dev } = network;
    const next = async (): Promise<number> =>
      (await api.rpc.system.accountNextIndex(alice.address)).toNumber();
    const unknown = testingPairs('sr25519').eve.address;
    expect((await api.rpc.system.accountNextIndex(unknown)).toNumber()).toBe(0);
    const first = await next();
    await transfer(bob.address, 1).signAndSend(alice);
    expect(await next()).toBe(first + 1);
    await dev.newBlock();
    expect(await next()).toBe(first + 1);
  });
});
