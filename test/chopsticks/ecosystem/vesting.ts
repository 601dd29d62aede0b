import { describe, expect, it } from 'vitest';
import { account, balanceOf, fund, unit, withoutShares } from './funds.ts';
import { type Client, check, checkEvents, failure, headNumber, submit } from './testing.ts';

/** Balances that become free block by block. */
export const vestingTests = (client: () => Client): void => {
  describe('vesting', () => {
    it('frees a part in each block, and the rest in the last one', async () => {
      const [from, to] = [account('grantor'), account('grantee')];
      await fund(client(), 1000n * unit, from);
      await fund(client(), unit, to);
      const { tx, query } = client().api;
      const startingBlock = (await headNumber(client())) + 1;
      const schedule = { locked: 100n * unit, perBlock: 25n * unit, startingBlock };
      const sent = await submit(client(), from, tx.vesting.vestedTransfer(to.address, schedule));
      await checkEvents(sent, 'vesting', 'balances').map(withoutShares(client())).toMatchSnapshot();
      expect((await balanceOf(client(), to.address)).free).toBe(101n * unit);
      await submit(client(), to, tx.balances.transferAllowDeath(from.address, 90n * unit));
      expect(await failure(client())).toBe('Token');
      await submit(client(), from, tx.vesting.vestOther(to.address));
      await check(query.balances.locks(to.address)).toMatchSnapshot();
      await client().dev.newBlock();
      const vested = await submit(client(), to, tx.vesting.vest());
      await checkEvents(vested, 'vesting').toMatchSnapshot();
      expect((await query.vesting.vesting(to.address)).isNone).toBe(true);
      expect(await query.balances.locks(to.address)).toHaveLength(0);
    });

    it('merges two schedules into one', async () => {
      const [from, to] = [account('grantor-of-two'), account('grantee-of-two')];
      await fund(client(), 1000n * unit, from);
      await fund(client(), unit, to);
      const { tx, query } = client().api;
      const number = await headNumber(client());
      const grant = (locked: bigint, startingBlock: number) =>
        tx.vesting.vestedTransfer(to.address, { locked, perBlock: unit, startingBlock });
      await submit(client(), from, grant(40n * unit, number - 1), grant(80n * unit, number + 10));
      expect((await query.vesting.vesting(to.address)).unwrap()).toHaveLength(2);
      const sent = await submit(client(), to, tx.vesting.mergeSchedules(0, 1));
      await checkEvents(sent, 'vesting').toMatchSnapshot();
      await check(query.vesting.vesting(to.address)).toMatchSnapshot();
      await submit(client(), from, tx.vesting.mergeSchedules(0, 1));
      expect(await failure(client())).toBe('vesting.NotVesting');
    });
  });
};
