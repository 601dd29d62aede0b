import type { ApiPromise } from '@polkadot/api';
import { Keyring } from '@polkadot/keyring';
import { expect } from 'vitest';
import { firstOf } from './polkadot-js-world.ts';

type Header = { readonly number: { toNumber(): number }; readonly hash: { toHex(): string } };
type Extended = Header & { readonly author?: { toString(): string } };
type Balance = { toBigInt(): bigint };

/**
 * `api.derive` for accounts, chain and fees on a development node with instant seal. Its own types need an
 * augmentation that this node's metadata does not provide.
 */
export const checkDerives = async (api: ApiPromise): Promise<void> => {
  const keyring = new Keyring({ type: 'sr25519' });
  const alice = keyring.addFromUri('//Alice');
  const bob = keyring.addFromUri('//Bob');
  const { accounts, balances, chain, tx } = api.derive;

  const { accountId } = await accounts.info(alice.address);
  expect(accountId?.toString()).toBe(alice.address);
  const all = await balances.all(alice.address);
  expect(all.accountId.toString()).toBe(alice.address);
  expect((all.freeBalance as unknown as Balance).toBigInt()).toBeGreaterThan(0n);
  const account = await balances.account(bob.address);
  expect((account.freeBalance as unknown as Balance).toBigInt()).toBeGreaterThan(0n);

  const transfer = api.tx['balances']?.['transferKeepAlive']?.(bob.address, 1_000_000_000_000n);
  if (transfer === undefined) throw new Error('no transfer call');
  const { partialFee } = await transfer.paymentInfo(alice);
  const signing = await tx.signingInfo(alice.address);
  const before = (await balances.all(alice.address)).freeBalance as unknown as Balance;
  const heads: number[] = [];
  const endHeads = await chain.subscribeNewHeads((header) => void heads.push(header.number.toNumber()));
  const finalized: number[] = [];
  const endFinalized = await chain.subscribeFinalizedHeads(
    (header: Header) => void finalized.push(header.number.toNumber()),
  );
  const block = await new Promise<string>((resolve, reject) => {
    transfer
      .signAndSend(alice, { nonce: signing.nonce as never }, ({ status }) => {
        if (status.isFinalized) resolve(status.asFinalized.toHex());
      })
      .catch(reject);
  });
  const after = (await balances.all(alice.address)).freeBalance as unknown as Balance;
  expect(before.toBigInt() - after.toBigInt()).toBe(
    1_000_000_000_000n + (partialFee as unknown as Balance).toBigInt(),
  );

  const header = (await chain.getHeader(block)) as Extended | undefined;
  expect(header?.hash.toHex()).toBe(block);
  const height = header?.number.toNumber() ?? 0;
  const full = await chain.getBlock(block);
  expect(full.extrinsics.some(({ extrinsic }) => extrinsic.method.section === 'balances')).toBe(true);
  const same = await chain.getBlockByNumber(height);
  expect(same.block.hash.toHex()).toBe(block);
  const events = await tx.events(block as never);
  expect(events.events.some(({ event }) => event.method === 'ExtrinsicSuccess')).toBe(true);
  expect((await firstOf<Header['number']>((take) => chain.bestNumber(take as never))).toNumber()).toBe(
    height,
  );
  expect(
    (await firstOf<Header['number']>((take) => chain.bestNumberFinalized(take as never))).toNumber(),
  ).toBe(height);
  expect((await firstOf<Header['number']>((take) => chain.bestNumberLag(take as never))).toNumber()).toBe(0);
  await expect.poll(() => heads.at(-1)).toBe(height);
  await expect.poll(() => finalized.at(-1)).toBe(height);
  // Nothing is skipped: derive fills in finalized heights by number.
  expect(finalized).toEqual(Array.from({ length: finalized.length }, (_, i) => (finalized[0] ?? 0) + i));
  endHeads();
  endFinalized();
};
