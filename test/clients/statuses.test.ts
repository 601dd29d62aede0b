import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { openWireWorld, type WireWorld } from './wire-world.ts';

/** Each transaction status, caused by real extrinsics on the default runtime and read from the wire. */

beforeAll(async () => void (await cryptoWaitReady()));

type Signing = {
  readonly nonce: number;
  readonly tip?: number;
  readonly from?: string;
  readonly era?: number;
};

/** A signed remark, as hex. */
const sign = async ({ api }: WireWorld, options: Signing): Promise<string> => {
  const { nonce, tip = 0, from = '//Alice', era = 0 } = options;
  const pair = new Keyring({ type: 'sr25519' }).addFromUri(from);
  const call = api.tx['system']?.['remark']?.(`0x${nonce.toString(16).padStart(4, '0')}`);
  const signed = await call?.signAsync(pair, { nonce, tip, era });
  if (signed === undefined) throw new Error('no remark call');
  return signed.toHex();
};

const watch = ({ wire }: WireWorld, extrinsic: string) =>
  wire.follow('author_submitAndWatchExtrinsic', extrinsic);

const seal = async ({ wire }: WireWorld, parent: BlockHash | null = null): Promise<BlockHash> =>
  (await wire.call<{ hash: BlockHash }>('engine_createBlock', true, false, parent)).hash;

const until = (statuses: { readonly items: readonly unknown[] }, expected: readonly unknown[]) =>
  expect.poll(() => statuses.items, { interval: 5, timeout: 10_000 }).toEqual(expected);

describe('the statuses of a node without peers, which never broadcasts', () => {
  it('future due to a nonce gap, then ready when the gap is filled', async () => {
    const world = await openWireWorld();
    const second = await watch(world, await sign(world, { nonce: 1 }));
    await until(second, ['future']);
    const first = await watch(world, await sign(world, { nonce: 0 }));
    await until(first, ['ready']);
    await until(second, ['future', 'ready']);
  });

  it('inBlock, then finalized, and the subscription ends', async () => {
    const world = await openWireWorld();
    const statuses = await watch(world, await sign(world, { nonce: 0 }));
    const block = await seal(world);
    await until(statuses, ['ready', { inBlock: block }]);
    const after = await seal(world);
    await world.wire.call('engine_finalizeBlock', after);
    await until(statuses, ['ready', { inBlock: block }, { finalized: block }]);
    expect(await world.wire.call('author_unwatchExtrinsic', statuses.id)).toBe(false);
  });

  it('retracted by a reorg, then ready and in a block of the new branch', async () => {
    const world = await openWireWorld();
    const { chain } = world.node.parts;
    const trunk = await seal(world);
    const statuses = await watch(world, await sign(world, { nonce: 0 }));
    const lost = await seal(world);
    await until(statuses, ['ready', { inBlock: lost }]);
    let tip = trunk;
    for (let length = 0; chain.best().hash === lost; length++) {
      if (length > 60) throw new Error('the second branch never won');
      tip = await seal(world, tip);
    }
    await until(statuses, ['ready', { inBlock: lost }, { retracted: lost }, 'ready']);
    const won = await seal(world);
    await world.wire.call('engine_finalizeBlock', won);
    await until(statuses, [
      'ready',
      { inBlock: lost },
      { retracted: lost },
      'ready',
      { inBlock: won },
      { finalized: won },
    ]);
  });

  it('finalityTimeout when 512 later blocks also wait for finality', { timeout: 300_000 }, async () => {
    const world = await openWireWorld();
    const first = await watch(world, await sign(world, { nonce: 0 }));
    const block = await seal(world);
    await until(first, ['ready', { inBlock: block }]);
    for (let nonce = 1; nonce < 513; nonce++) {
      await world.wire.call('author_submitExtrinsic', await sign(world, { nonce }));
      await seal(world);
      if (nonce === 511) expect(first.items.length).toBe(2);
    }
    await until(first, ['ready', { inBlock: block }, { finalityTimeout: block }]);
    expect(await world.wire.call('author_unwatchExtrinsic', first.id)).toBe(false);
  });

  it('usurped by a transaction with the same nonce and a higher tip', async () => {
    const world = await openWireWorld();
    const statuses = await watch(world, await sign(world, { nonce: 0 }));
    const better = await sign(world, { nonce: 0, tip: 1_000_000 });
    const hash = await world.wire.call('author_submitExtrinsic', better);
    await until(statuses, ['ready', { usurped: hash }]);
  });

  it('dropped by the limit of the pool', async () => {
    const world = await openWireWorld({ pool: { limit: 2 } });
    const statuses = await watch(world, await sign(world, { nonce: 0 }));
    await watch(world, await sign(world, { nonce: 0, from: '//Bob' }));
    await watch(world, await sign(world, { nonce: 0, from: '//Charlie', tip: 1_000_000 }));
    await until(statuses, ['ready', 'dropped']);
  });

  it('invalid when it is removed', async () => {
    const world = await openWireWorld();
    const extrinsic = await sign(world, { nonce: 0 });
    const statuses = await watch(world, extrinsic);
    const dependent = await watch(world, await sign(world, { nonce: 1 }));
    const removed = await world.wire.call<string[]>('author_removeExtrinsic', [{ extrinsic }]);
    expect(removed.length).toBe(2);
    await until(statuses, ['ready', 'invalid']);
    await until(dependent, ['ready', 'invalid']);
  });

  it('invalid when its era is over', async () => {
    const world = await openWireWorld();
    await seal(world);
    const statuses = await watch(world, await sign(world, { nonce: 1, era: 4 }));
    for (let blocks = 0; blocks < 4; blocks++) await seal(world);
    await until(statuses, ['future', 'invalid']);
  });
});
