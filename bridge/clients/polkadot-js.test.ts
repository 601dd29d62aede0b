import { ApiPromise, WsProvider } from '@polkadot/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDerives } from '../../test/clients/polkadot-js-derives.ts';
import { callDecorated, decoratedNames } from '../../test/clients/polkadot-js-suite.ts';
import { readBalances, transfer } from '../../test/clients/polkadot-script.ts';
import { forgeTransfer } from '../../test/rigs/forged.ts';
import { startServe } from './test-process.fixture.ts';

type ApiOptions = NonNullable<Parameters<typeof ApiPromise.create>[0]>;

describe('polkadot-js over tabnode serve', () => {
  let node: Awaited<ReturnType<typeof startServe>>;
  let api: ApiPromise;
  beforeAll(async () => {
    node = await startServe('--dev', '--seal', 'instant');
    const provider = new WsProvider(`${node.ready.ws}/?dialect=polkadot-sdk`);
    // polkadot-js's own types are not compatible with each other under exactOptionalPropertyTypes.
    api = await ApiPromise.create({ provider, noInitWarn: true } as unknown as ApiOptions);
  });
  afterAll(async () => {
    await api?.disconnect();
    node.kill('SIGTERM');
    expect((await node.ended).code).toBe(0);
  });

  it('reads the chain', () => {
    expect(api.genesisHash.toHex()).toBe(node.ready.genesisHash);
    expect(api.runtimeVersion.specName.toString()).toBe('tabnode');
  });

  it('follows a transfer from Alice to Bob until it is finalized, with correct balances and events', async () => {
    const amount = 12n * 1_000_000_000_000n;
    const { statuses, events, fee, before, after } = await transfer(api, amount.toString());
    expect(statuses[0]).toBe('Ready');
    expect(statuses.at(-1)).toBe('Finalized');
    expect(events).toEqual(expect.arrayContaining(['balances.Transfer', 'system.ExtrinsicSuccess']));
    expect(BigInt(after.bob) - BigInt(before.bob)).toBe(amount);
    expect(BigInt(before.alice) - BigInt(after.alice)).toBe(amount + BigInt(fee));
    expect(await readBalances(api)).toEqual(after);
  });

  it('derives accounts, chain and fees', () => checkDerives(api));

  it('calls every method it decorates', async () => {
    expect(await callDecorated(api, decoratedNames(api))).toEqual([]);
  });
});

it.each([
  [['--mock-signatures'], /^0x[0-9a-f]{64}$/],
  [[], /^1010: /],
] as const)("serve %s and a transfer without Bob's signature", async (flags, answer) => {
  const node = await startServe('--dev', '--seal', 'manual', ...flags);
  const provider = new WsProvider(`${node.ready.ws}/?dialect=polkadot-sdk`);
  const api = await ApiPromise.create({ provider, noInitWarn: true } as unknown as ApiOptions);
  const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
  const forged = forgeTransfer(api, bob, bob, 1n);
  const told = await api.rpc.author.submitExtrinsic(forged).then(String, (error: Error) => error.message);
  expect(told).toMatch(answer);
  await api.disconnect();
  node.kill('SIGTERM');
  expect((await node.ended).code).toBe(0);
});
