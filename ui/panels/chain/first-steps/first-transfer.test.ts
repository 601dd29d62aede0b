import { expect, it, vi } from 'vitest';
import { createMetaLoader } from '../../../../src/scale/load.ts';
import { openApi } from '../../../../test/rigs/api.ts';
import { createTestPlatform, testConfig } from '../../../../test/rigs/platform.ts';
import { createNode } from '../../../../worker/node.ts';
import { FirstTransfer } from './first-transfer.svelte.ts';
import { firstAmount } from './transfer.ts';

type Send = (method: string, params: readonly unknown[]) => Promise<unknown>;

it('offers the transfer on a chain without a unit too, and reports why it cannot; lists what is sent with its arguments', async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const opened = await openApi(node);
  const { send } = (opened.api as unknown as { _rpcCore: { provider: { send: Send } } })._rpcCore.provider;
  const metadata = createMetaLoader({ request: send });
  const submit = vi.fn(async (_sign: unknown, ..._words: unknown[]) => null);
  const open = async (changed: Readonly<Record<string, unknown>>) => {
    const request: Send = async (method, params) =>
      method in changed ? changed[method] : send(method, params);
    const context = {
      node: { request, info: { genesisHash: await send('chain_getBlockHash', [0]) }, base: () => null },
      metadata,
      chain: {},
      keep: () => ({ submit, items: [] }),
    };
    const transfer = new FirstTransfer(context as unknown as ConstructorParameters<typeof FirstTransfer>[0]);
    await expect.poll(() => transfer.probe).not.toBeNull();
    return transfer;
  };
  const probe = async (changed: Readonly<Record<string, unknown>>) => {
    const { probe: found } = await open(changed);
    return { offer: found?.offer, why: found?.why };
  };
  const unit = { decimals: 12, symbol: 'UNIT' };
  expect(await probe({})).toEqual({ offer: { amount: 5n * 10n ** 12n, unit, minimum: null }, why: null });
  const plain = await probe({ system_properties: {} });
  const minimum = 10n ** 9n;
  expect(plain).toEqual({ offer: { amount: 1000n * minimum, unit: null, minimum }, why: null });
  expect(await probe({ state_getStorage: null })).toEqual({
    offer: null,
    why: 'Alice has no account on this chain.',
  });
  const transfer = await open({});
  await transfer.send();
  const args = '{ dest: Id Bob, value: 5 UNIT }';
  expect(submit.mock.calls.map(([, ...words]) => words)).toEqual([
    ['Balances.transfer_keep_alive', 'Alice', args, args, { id: expect.any(String), isFirst: true }],
  ]);
  await opened.close();
  await node.close();
});

it('computes an amount without a unit too, but only if the sender can afford it', () => {
  const unit = { decimals: 12, symbol: 'UNIT' };
  expect(firstAmount(unit, 10n ** 18n, 1n)).toBe(5n * 10n ** 12n);
  expect(firstAmount(unit, 9n * 10n ** 12n, 1n)).toBeNull();
  expect(firstAmount(null, 1n << 60n, 0n)).toBe(10n ** 15n);
  expect(firstAmount(null, 1n, 0n)).toBeNull();
  // A thousand minimum balances, where the runtime has one.
  expect(firstAmount(null, 1n << 60n, 500n)).toBe(500_000n);
  expect(firstAmount(null, 999_999n, 500n)).toBeNull();
});
