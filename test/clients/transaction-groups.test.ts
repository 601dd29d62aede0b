import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { beforeAll, expect, it } from 'vitest';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';
import { openWire } from './wire.ts';
import { openWireWorld, type WireWorld } from './wire-world.ts';

/** Tests transaction_v1 and transactionWatch_v1 with real extrinsics. */

beforeAll(async () => void (await cryptoWaitReady()));

const sign = async ({ api }: WireWorld, nonce: number, from = '//Alice'): Promise<string> => {
  const pair = new Keyring({ type: 'sr25519' }).addFromUri(from);
  const signed = await api.tx['system']?.['remark']?.('0x01').signAsync(pair, { nonce, era: 0 });
  return (signed as { toHex(): string }).toHex();
};
const seal = async ({ wire }: WireWorld, parent: BlockHash | null = null): Promise<BlockHash> =>
  (await wire.call<{ hash: BlockHash }>('engine_createBlock', true, false, parent)).hash;
const pending = ({ wire }: WireWorld): Promise<string[]> => wire.call('author_pendingExtrinsics');
const watch = async ({ wire }: WireWorld, extrinsic: string) => {
  const { items } = await wire.follow('transactionWatch_v1_submitAndWatch', extrinsic);
  return items;
};
const until = (items: readonly unknown[], expected: readonly unknown[]) =>
  expect.poll(() => items, { timeout: 10_000 }).toEqual(expected);

it('watches a transaction from validation to finality, with its position in the block', async () => {
  const world = await openWireWorld();
  const extrinsic = await sign(world, 0);
  const items = await watch(world, extrinsic);
  await until(items, [{ event: 'validated' }]);
  const hash = await seal(world);
  const { block } = await world.wire.call<{ block: { extrinsics: string[] } }>('chain_getBlock', hash);
  const place = { hash, index: block.extrinsics.indexOf(extrinsic) };
  expect(place.index).toBeGreaterThan(0);
  await until(items, [{ event: 'validated' }, { event: 'bestChainBlockIncluded', block: place }]);
  await world.wire.call('engine_finalizeBlock', hash);
  await expect.poll(() => items.at(-1)).toEqual({ event: 'finalized', block: place });
});

it('reports a block that is no longer best as null', async () => {
  const world = await openWireWorld();
  const trunk = await seal(world);
  const items = await watch(world, await sign(world, 0));
  const lost = await seal(world);
  await expect.poll(() => items.at(-1)).toMatchObject({ block: { hash: lost } });
  for (let parent = trunk; world.node.parts.chain.best().hash === lost; ) parent = await seal(world, parent);
  await expect.poll(() => items).toContainEqual({ event: 'bestChainBlockIncluded', block: null });
});

it('reports a refusal as an event', async () => {
  const world = await openWireWorld();
  await until(await watch(world, '0x04'), [{ event: 'invalid', error: 'Extrinsic bytes cannot be decoded' }]);
  const extrinsic = await sign(world, 0);
  await watch(world, extrinsic);
  const twice = await watch(world, extrinsic);
  await until(twice, [{ event: 'invalid', error: 'Transaction is already imported' }]);
  await seal(world);
  await until(await watch(world, await sign(world, 0, '//Nobody')), [
    {
      event: 'invalid',
      error: 'Invalid transaction: Inability to pay some fees (e.g. account balance too low)',
    },
  ]);
});

it('broadcasts until it is stopped', async () => {
  const world = await openWireWorld();
  const [first, second] = [await sign(world, 0), await sign(world, 1)];
  const id = await world.wire.call<string>('transaction_v1_broadcast', first);
  const other = await world.wire.call<string>('transaction_v1_broadcast', second);
  await expect.poll(() => pending(world)).toEqual([first, second]);
  const stranger = openWire(world.node);
  expect((await stranger.ask('transaction_v1_stop', other)).error).toEqual({
    code: -32602,
    message: 'Invalid operation id',
  });
  expect(await world.wire.call('transaction_v1_stop', other)).toBe(null);
  // Under polkadot-sdk it stays in the pool and may be sent again; under psp-6 it is removed from the pool.
  expect(await pending(world)).toEqual([first, second]);
  const own = openWire(world.node, { dialect: 'psp-6' });
  const third = await sign(world, 2);
  const last = await own.call<string>('transaction_v1_broadcast', third);
  await expect.poll(() => pending(world)).toEqual([first, second, third]);
  expect(await own.call('transaction_v1_stop', last)).toBe(null);
  expect(await pending(world)).toEqual([first, second]);
  own.close();
  expect((await world.wire.ask('transaction_v1_stop', other)).error?.code).toBe(-32602);
  const hash = await seal(world);
  await world.wire.call('engine_finalizeBlock', hash);
  // It is finalized, so there is nothing to stop.
  await expect.poll(async () => (await world.wire.ask('transaction_v1_stop', id)).error?.code).toBe(-32602);
  stranger.close();
});

it('resubmits a transaction that the pool had no room for at the next best block', async () => {
  const world = await openWireWorld({ pool: { limit: 1 } });
  const [alice, bob] = [await sign(world, 0), await sign(world, 0, '//Bob')];
  await world.wire.call('transaction_v1_broadcast', alice);
  await expect.poll(() => pending(world)).toEqual([alice]);
  await world.wire.call('transaction_v1_broadcast', bob);
  const blocks = new Set<string>();
  await expect
    .poll(
      async () => {
        const { block } = await world.wire.call<{ block: { extrinsics: string[] } }>(
          'chain_getBlock',
          await seal(world),
        );
        for (const extrinsic of block.extrinsics) blocks.add(extrinsic);
        return blocks.has(alice) && blocks.has(bob);
      },
      { timeout: 10_000 },
    )
    .toBe(true);
});

it.each(['polkadot-sdk', 'psp-6'] as const)(
  'over HTTP each request is its own connection: its broadcasts outlive it and are neither counted nor stopped by others (%s)',
  async (dialect) => {
    const world = await openWireWorld();
    const http = createRpcServer(world.node.parts).connect(() => undefined, {
      dialect,
      denyUnsafe: false,
      transport: 'http',
    });
    const ask = async (method: string, ...params: readonly unknown[]) =>
      JSON.parse((await http.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) ?? '{}');
    // A batch is a single request: its broadcasts are counted together, but not with those of later requests.
    const calls: unknown[] = [];
    for (let id = 1; id <= 17; id++) {
      const params = [await sign(world, id, '//Charlie')];
      calls.push({ jsonrpc: '2.0', id, method: 'transaction_v1_broadcast', params });
    }
    const batch = JSON.parse((await http.handle(JSON.stringify(calls))) ?? '[]') as {
      id: number;
      result: unknown;
    }[];
    expect(batch.flatMap(({ id, result }) => (result === null ? [id] : []))).toEqual([17]);
    const [alice, bob] = [await sign(world, 0), await sign(world, 0, '//Bob')];
    const ids: unknown[] = [];
    for (let i = 0; i < 20; i++) ids.push((await ask('transaction_v1_broadcast', '0x00')).result);
    for (const extrinsic of [alice, bob]) ids.push((await ask('transaction_v1_broadcast', extrinsic)).result);
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^\w{16}$/)));
    await expect.poll(() => pending(world)).toEqual([alice, bob]);
    for (const id of ids)
      expect((await ask('transaction_v1_stop', id)).error).toEqual({
        code: -32602,
        message: 'Invalid operation id',
      });
    http.close();
    // After its removal, it is submitted again at the next best block.
    await world.wire.call('author_removeExtrinsic', [{ extrinsic: bob }]);
    await seal(world);
    await expect.poll(() => pending(world)).toEqual([bob]);
  },
);

it('allows 16 broadcasts per connection; invalid ones count only under psp-6', async () => {
  const world = await openWireWorld();
  for (let i = 0; i < 20; i++)
    expect(await world.wire.call('transaction_v1_broadcast', '0x04')).toMatch(/^\w{16}$/);
  const ours = openWire(world.node, { dialect: 'psp-6' });
  const ids: unknown[] = [];
  for (let i = 0; i < 17; i++)
    ids.push(await ours.call('transaction_v1_broadcast', i === 0 ? '0x04' : '0x00'));
  expect(ids.at(-1)).toBe(null);
  expect(await ours.call('transaction_v1_stop', ids[0])).toBe(null);
  expect(await ours.call('transaction_v1_broadcast', '0x00')).not.toBe(null);
  ours.close();
});
