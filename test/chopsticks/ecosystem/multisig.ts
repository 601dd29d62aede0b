import type { KeyringPair } from '@polkadot/keyring/types';
import { describe, expect, it } from 'vitest';
import { account, balanceOf, fund, unit, withoutShares } from './funds.ts';
import { type Client, checkEvents, failure, headNumber, submit, type Tx } from './testing.ts';

const maxWeight = { refTime: 1_000_000_000, proofSize: 1_000_000 };

const compare = (one: KeyringPair, two: KeyringPair): number => Buffer.compare(one.publicKey, two.publicKey);

/** Three accounts of which two must agree, and the address of all. */
const openGroup = async (client: Client, name: string) => {
  const members = ['a', 'b', 'c'].map((one) => account(`${name}-${one}`)) as [
    KeyringPair,
    KeyringPair,
    KeyringPair,
  ];
  await fund(client, 100n * unit, ...members);
  const others = (signer: KeyringPair): string[] =>
    members
      .filter((one) => one !== signer)
      .sort(compare)
      .map(({ address }) => address);
  const { tx, query, events } = client.api;
  /** Approves a call for the first time, and returns what later approvals name it by. */
  const propose = async (signer: KeyringPair, call: Tx) => {
    const approval = tx.multisig.asMulti(2, others(signer), null, call.method.toHex(), maxWeight);
    const sent = await submit(client, signer, approval);
    const record = (await query.system.events()).find(({ event }) => events.multisig.NewMultisig.is(event));
    const index = record?.phase.asApplyExtrinsic.toNumber() ?? 0;
    return {
      sent,
      address: `${record?.event.data[1]}`,
      timepoint: { height: await headNumber(client), index },
    };
  };
  return { members, others, propose };
};

/** Accounts for which several others sign. */
export const multisigTests = (client: () => Client): void => {
  describe('multisig', () => {
    it('executes a call that two of three approve', async () => {
      const { members, others, propose } = await openGroup(client(), 'agreed');
      const [first, second] = members;
      const { tx, consts } = client().api;
      const to = account('paid-by-all');
      const call = tx.balances.transferKeepAlive(to.address, 5n * unit);
      const { sent, address, timepoint } = await propose(first, call);
      await checkEvents(sent, 'multisig').toMatchSnapshot();
      const deposit = consts.multisig.depositBase.toBigInt() + 2n * consts.multisig.depositFactor.toBigInt();
      expect((await balanceOf(client(), first.address)).reserved).toBe(deposit);
      await client().dev.setStorage({
        System: { Account: [[[address], { providers: 1, data: { free: `${6n * unit}` } }]] },
      });
      const approval = tx.multisig.asMulti(2, others(second), timepoint, call.method.toHex(), maxWeight);
      const done = await submit(client(), second, approval);
      await checkEvents(done, 'multisig', 'balances').map(withoutShares(client())).toMatchSnapshot();
      expect((await balanceOf(client(), to.address)).free).toBe(5n * unit);
      expect((await balanceOf(client(), address)).free).toBe(unit);
      expect((await balanceOf(client(), first.address)).reserved).toBe(0n);
    });

    it('is canceled only by who proposed', async () => {
      const { members, others, propose } = await openGroup(client(), 'canceled');
      const [first, second] = members;
      const { tx, query } = client().api;
      const call = tx.system.remark('0x1234');
      const { address, timepoint } = await propose(first, call);
      const hash = call.method.hash.toHex();
      await submit(client(), second, tx.multisig.cancelAsMulti(2, others(second), timepoint, hash));
      expect(await failure(client())).toBe('multisig.NotOwner');
      const cancel = tx.multisig.cancelAsMulti(2, others(first), timepoint, hash);
      await checkEvents(await submit(client(), first, cancel), 'multisig').toMatchSnapshot();
      expect((await query.multisig.multisigs(address, hash)).isNone).toBe(true);
      expect((await balanceOf(client(), first.address)).reserved).toBe(0n);
    });

    it('refuses another timepoint, and signatories out of order', async () => {
      const { members, others, propose } = await openGroup(client(), 'refused');
      const [first, second] = members;
      const { tx } = client().api;
      const call = tx.system.remark('0x5678');
      const { timepoint } = await propose(first, call);
      const approve = (signatories: string[], height: number) =>
        tx.multisig.asMulti(2, signatories, { ...timepoint, height }, call.method.toHex(), maxWeight);
      await submit(client(), second, approve(others(second), timepoint.height + 1));
      expect(await failure(client())).toBe('multisig.WrongTimepoint');
      await submit(client(), second, approve(others(second).reverse(), timepoint.height));
      expect(await failure(client())).toBe('multisig.SignatoriesOutOfOrder');
    });
  });
};
