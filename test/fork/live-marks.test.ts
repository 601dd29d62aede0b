import { expect, it } from 'vitest';
import { birthOf } from '../../src/scale/era.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { liveChain, openForkOf } from './fork-rig.ts';
import { createSigner, type NamedCall } from './signer.ts';

/** What is signed on a fork, and whether the live chain accepts it as well. */

const baseNumber = 6;
const remark: NamedCall = ['System', 'remark', { remark: '0x01' }];

/** It has other blocks of the numbers that the fork's own have. */
const live = liveChain(baseNumber + 10);

type Marked = { readonly hash: string; readonly extrinsic: string; readonly validOnLiveChain: boolean };
type Pool = { readonly ready: readonly Marked[]; readonly future: readonly Marked[] };

/** Whether the live chain's pool takes the transaction; it is removed again. */
const isLive = async (extrinsic: string): Promise<boolean> => {
  const { ask, call } = connectRpc(live().node);
  const { result, error } = await ask('author_submitExtrinsic', extrinsic);
  if (error !== undefined) return false;
  await call('author_removeExtrinsic', [{ hash: result }]);
  return true;
};

const openAtBase = () => openForkOf(live().node, { block: `${baseNumber}` });

it('marks the transactions of the pool that the live chain accepts as well, and no other', async () => {
  const { node, call } = await openAtBase();
  await call('engine_createBlock', true, true);
  const { chain } = node.parts;
  const best = chain.best();
  const at = async (number: number) => ({
    period: 64,
    number,
    hash: (await chain.loadHashAt(number)) as BlockHash,
  });
  const signed = await createSigner()(node, best.hash, [
    ['//Alice', remark],
    ['//Bob', remark, await at(baseNumber - 2)],
    ['//Charlie', remark, await at(baseNumber)],
    ['//Dave', remark, await at(baseNumber + 1)],
  ]);
  await call('dev_impersonate', live().pair('//Eve').address);
  const forged = await live().forge('//Eve', new Uint8Array(32).fill(1), 10n ** 12n, 0);
  const all = [...signed, forged];
  for (const extrinsic of all) await call('author_submitExtrinsic', extrinsic);
  const { ready } = await call<Pool>('dev_pool');
  const marks = all.map((one) => ready.find(({ extrinsic }) => extrinsic === one)?.validOnLiveChain);
  expect(marks).toEqual([true, true, true, false, false]);
  const taken: boolean[] = [];
  for (const extrinsic of all) taken.push(await isLive(extrinsic));
  expect(taken).toEqual(marks);
  await node.close();
});

it('marks those that wait for an earlier one, and none on a chain that is no fork', async () => {
  const { node, call } = await openAtBase();
  const waiting = await live().transfer('//Alice', new Uint8Array(32).fill(1), 10n ** 12n, 3);
  await call('author_submitExtrinsic', waiting);
  expect((await call<Pool>('dev_pool')).future).toMatchObject([
    { extrinsic: waiting, validOnLiveChain: true },
  ]);
  await node.close();
  await live().call('author_submitExtrinsic', waiting);
  const { future } = await live().call<Pool>('dev_pool');
  expect(future).toMatchObject([{ extrinsic: waiting, validOnLiveChain: false }]);
  await live().call('author_removeExtrinsic', [{ hash: future[0]?.hash }]);
});

it.each([0, 1, 3])(
  'dev_fund signs for the fork only, with %i blocks of the fork before it',
  async (blocks) => {
    const { node, call } = await openAtBase();
    for (let block = 0; block < blocks; block++) await call('engine_createBlock', true, true);
    const { hash, by } = await call<{ hash: string; by: string }>(
      'dev_fund',
      live().pair('//Zoe').address,
      '5000000000000000',
    );
    expect(by).toBe('sudo');
    const { block } = await call<{ block: { extrinsics: string[] } }>('chain_getBlock', hash);
    const extrinsic = block.extrinsics.at(-1) as string;
    expect(await isLive(extrinsic)).toBe(false);
    expect(await isLive(await live().transfer('//Alice', new Uint8Array(32), 10n ** 12n, 0))).toBe(true);
    await node.close();
  },
);

it('finds the block at which our own transactions begin', () => {
  const best = (number: number) => ({ number, hash: bytesToHex(Uint8Array.of(number)) as string });
  const birth = (number: number, base: number | null) => birthOf(best(number), best(number - 1).hash, base);
  expect([0, 1, 9].map((number) => birth(number, null))).toEqual([best(0), best(0), best(8)]);
  // The base is the only block that there is, and is shared.
  expect(birth(6, 6)).toEqual(best(6));
  expect([7, 8, 9].map((number) => birth(number, 6))).toEqual([best(7), best(7), best(8)]);
});
