import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ApiPromise } from '@polkadot/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callHttp } from '../../bridge/clients/test-clients.fixture.ts';
import { startServe } from '../../bridge/clients/test-process.fixture.ts';
import { setupContext, signFakeWithApi, testingPairs } from '../../src/testing/chopsticks.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { openApi } from '../rigs/api.ts';
import { type DevNode, lastingDatabase, rejection, startDevNode } from '../rigs/dev-node.ts';

// Accounts of 20 bytes that sign with ECDSA, as those of Moonbeam: test/account20 has a runtime with them.

const path = fileURLToPath(new URL('../account20/account20.compact.compressed.wasm', import.meta.url));
const wasm = new Uint8Array(readFileSync(path));
const { alith, baltathar, charleth, dorothy } = testingPairs();
const unit = 10n ** 18n;

let db: ReturnType<typeof lastingDatabase>;
let dev: DevNode;
let api: ApiPromise;
let closeApi: () => Promise<void>;
const open = async (): Promise<void> => {
  dev = await startDevNode({
    chain: { wasm, preset: 'development' },
    db,
    changes: { verifyOwnBlocks: true },
  });
  ({ api, close: closeApi } = await openApi(dev.node));
};
const close = async (): Promise<void> => {
  await closeApi();
  await dev.stop();
};
beforeEach(async () => {
  db = lastingDatabase();
  await open();
});
afterEach(close);

const free = (address: string): Promise<bigint> => dev.free(hexToBytes(address.toLowerCase()));
const transfer = (to: string, value = unit) => {
  const tx = api.tx['balances']?.['transferKeepAlive']?.(to, value);
  if (tx === undefined) throw new Error('no transfer call');
  return tx;
};
/** A transfer with a mock signature, submitted. */
const sendFake = async (from: string, to: string, nonce?: number): Promise<unknown> => {
  const tx = transfer(to);
  await signFakeWithApi(api, tx as never, from, nonce === undefined ? {} : { nonce });
  return dev.call('author_submitExtrinsic', tx.toHex());
};

it('polkadot-js signs with a key of Ethereum, and its next nonce is known', async () => {
  await transfer(charleth.address).signAndSend(alith);
  expect(await dev.call('system_accountNextIndex', alith.address)).toBe(1);
  await dev.call('dev_newBlock');
  expect(await free(charleth.address)).toBe(unit);
});

it('a call is run as an account whose key nobody has', async () => {
  const call = transfer(charleth.address).method.toHex();
  const ran = await dev.call<{ outcome: unknown; new: { system: { account: unknown } } }>('dev_dryRun', {
    extrinsic: { call, address: baltathar.address },
  });
  expect(ran.outcome).toBe('Ok');
  const changed = JSON.stringify(ran.new.system.account).toLowerCase();
  for (const { address } of [baltathar, charleth]) expect(changed).toContain(address.toLowerCase());
  // Nothing is left of it: the signature is not valid outside of that run.
  expect(await rejection(sendFake(baltathar.address, charleth.address))).toMatchObject({ code: 1010 });
  expect(await dev.node.status()).toMatchObject({ impersonated: [], modified: false });
});

it('impersonated accounts sign with mock signatures, several in one block, next to real ones and to each other', async () => {
  await dev.call('dev_impersonate', baltathar.address);
  await dev.call('dev_impersonate', charleth.address);
  await dev.call('dev_fund', charleth.address, `${10n * unit}`);
  await sendFake(baltathar.address, charleth.address);
  await sendFake(charleth.address, dorothy.address);
  await sendFake(charleth.address, baltathar.address, 1);
  await transfer(dorothy.address).signAndSend(alith);
  // Only these two.
  expect(await rejection(sendFake(alith.address, dorothy.address))).toMatchObject({ code: 1010 });
  const hash = await dev.call<string>('dev_newBlock');
  const { block } = await api.rpc.chain.getBlock(hash);
  // The inherent of the time, and four transactions. The node has executed the block a second time (`verifyOwnBlocks`).
  expect(block.extrinsics).toHaveLength(5);
  expect(await free(dorothy.address)).toBe(2n * unit);
  expect((await free(charleth.address)) < 9n * unit).toBe(true);
  expect((await free(charleth.address)) > 8n * unit).toBe(true);
  const { impersonated, modified } = await dev.node.status();
  expect([impersonated, modified]).toEqual([
    [baltathar, charleth].map(({ address }) => address.toLowerCase()),
    true,
  ]);
});

it('stay impersonated when the chain is opened again, and end with dev_impersonate false', async () => {
  await dev.call('dev_impersonate', baltathar.address);
  await close();
  await open();
  await sendFake(baltathar.address, charleth.address);
  await dev.call('dev_newBlock');
  expect(await free(charleth.address)).toBe(unit);
  await dev.call('dev_impersonate', baltathar.address, false);
  expect(await rejection(sendFake(baltathar.address, charleth.address))).toMatchObject({ code: 1010 });
});

it('refuses an account of another form', async () => {
  const address = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
  for (const call of [dev.call('dev_impersonate', address), dev.call('dev_fund', address, '1')])
    expect(await rejection(call)).toMatchObject({
      code: 1,
      data: 'BadValue',
      message: expect.stringContaining('whose accounts have 20 bytes, as hex'),
    });
});

it('a fork with the helpers of chopsticks, where mock signatures of all accounts are valid', async () => {
  const live = await startServe('--chain', path, '--preset', 'development', '--seal', 'manual', '--tmp');
  try {
    await callHttp(live.ready.http, 'engine_createBlock', [true, true]);
    const fork = await setupContext({ endpoint: live.ready.ws });
    try {
      const tx = fork.api.tx['balances']?.['transferKeepAlive']?.(dorothy.address, unit);
      if (tx === undefined) throw new Error('no transfer call');
      await signFakeWithApi(fork.api, tx as never, baltathar.address);
      await tx.send();
      await fork.dev.newBlock();
      const info = await fork.api.query['system']?.['account']?.(dorothy.address);
      expect(info?.toJSON()).toMatchObject({ data: { free: expect.anything() }, providers: 1 });
    } finally {
      await fork.teardown();
    }
  } finally {
    live.kill('SIGTERM');
    await live.ended;
  }
}, 60_000);
