import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApiPromise } from '@polkadot/api';
import type { SubmittableExtrinsic } from '@polkadot/api/types';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterAll, test as base, beforeAll, expect } from 'vitest';
import { polkadotJsProvider } from '../../src/providers/polkadot-js.ts';
import type { TabNode } from '../../src/start.ts';
import { nodeFixtures } from '../../src/testing/vitest.ts';
import { makePack } from './make-pack.ts';

// In a project of your own, the pack is a file beside the tests: `new URL('./polkadot.pack', import.meta.url)`.
const folder = mkdtempSync(join(tmpdir(), 'tabnode-pack-'));
const pack = pathToFileURL(join(folder, 'development.pack'));
afterAll(() => rmSync(folder, { recursive: true }));

await cryptoWaitReady();
const keyring = new Keyring({ type: 'sr25519' });
const [alice, bob, carol] = ['//Alice', '//Bob', '//Carol'].map((uri) => keyring.addFromUri(uri)) as [
  ReturnType<Keyring['addFromUri']>,
  ReturnType<Keyring['addFromUri']>,
  ReturnType<Keyring['addFromUri']>,
];
const unit = 1_000_000_000_000n;

// In a project of your own: `import { nodeFixtures } from 'tabnode/testing/vitest'`.
const test = base
  .extend<{ startedNode: TabNode; node: TabNode }>(
    nodeFixtures({
      fork: { pack },
      dialect: 'polkadot-sdk',
      finality: 'instant',
      // Signatures are for a block of the fork, which no other chain has. Clients look for one below the best block.
      prepare: async (node) => void (await node.rpc.dev_newBlock({ options: { count: 2 } })),
    }),
  )
  .extend<{ connection: ApiPromise; api: ApiPromise }>({
    // One connection for all tests: like any client, it sees how the node goes back.
    connection: [
      async ({ startedNode }, use) => {
        const api = await ApiPromise.create({ provider: polkadotJsProvider(startedNode), noInitWarn: true });
        await use(api);
        await api.disconnect();
      },
      { scope: 'file' },
    ],
    // Asks for `node`, because that is the node restored.
    api: async ({ node, connection }, use) => {
      await node.status();
      await use(connection);
    },
  });

/** Resolves to the events of the transaction, by name. */
const send = (tx: SubmittableExtrinsic<'promise'>, signer = alice): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    tx.signAndSend(signer, { nonce: -1 }, ({ status, events, dispatchError, isError }) => {
      if (dispatchError) reject(new Error(`The call failed: ${dispatchError.toString()}`));
      if (isError) reject(new Error(`The transaction is ${status.type}`));
      if (status.isInBlock || status.isFinalized)
        resolve(events.map(({ event }) => `${event.section}.${event.method}`));
    }).catch(reject);
  });
const freeOf = async (api: ApiPromise, address: string): Promise<bigint> => {
  const account = await api.query['system']?.['account']?.(address);
  return (account as unknown as { data: { free: { toBigInt(): bigint } } }).data.free.toBigInt();
};
const call = (api: ApiPromise, pallet: string, name: string, ...args: unknown[]) => {
  const make = api.tx[pallet]?.[name];
  if (make === undefined) throw new Error(`no call ${pallet}.${name}`);
  return make(...args);
};

// What these read is in the pack.
beforeAll(async () => {
  await makePack(pack, async (fork) => {
    const api = await ApiPromise.create({ provider: polkadotJsProvider(fork), noInitWarn: true });
    await fork.rpc.dev_fund({ account: carol.address, amount: `${unit}` });
    await send(call(api, 'balances', 'transferKeepAlive', bob.address, unit));
    await send(call(api, 'balances', 'transferAllowDeath', bob.address, unit / 2n), carol);
    await api.disconnect();
    await fork.rpc.dev_reset();
  });
}, 60_000);

test('the fork continues the live chain, without the network', async ({ node, api }) => {
  expect((await api.rpc.chain.getHeader()).number.toNumber()).toBe(5);
  expect((await node.status()).fork).toMatchObject({ base: { number: 3 }, requests: 0, untruths: [] });
});

test('a transfer pays its receiver', async ({ api }) => {
  const before = await freeOf(api, bob.address);
  const events = await send(call(api, 'balances', 'transferKeepAlive', bob.address, 5n * unit));
  expect(events).toContain('balances.Transfer');
  expect(await freeOf(api, bob.address)).toBe(before + 5n * unit);
});

test('an account can be given a balance, and what the test before did is gone', async ({ node, api }) => {
  expect((await api.rpc.chain.getHeader()).number.toNumber()).toBe(5);
  await node.rpc.dev_setStorage({
    values: { System: { Account: [[[carol.address], { providers: 1, data: { free: `${100n * unit}` } }]] } },
  });
  const events = await send(call(api, 'balances', 'transferAllowDeath', bob.address, unit), carol);
  expect(events).toContain('balances.Transfer');
  expect(await freeOf(api, carol.address)).toBeLessThan(99n * unit);
  expect((await node.status()).fork?.untruths.join()).toContain('edited');
});

test('a batch fails as a whole', async ({ api }) => {
  const before = await freeOf(api, bob.address);
  const calls = [
    call(api, 'balances', 'transferKeepAlive', bob.address, unit),
    call(api, 'balances', 'transferKeepAlive', bob.address, 10n ** 30n),
  ];
  await expect(send(call(api, 'utility', 'batchAll', calls))).rejects.toThrow('The call failed');
  expect(await freeOf(api, bob.address)).toBe(before);
});
