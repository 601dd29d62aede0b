import { describe, expect, it } from 'vitest';
import { account, balanceOf, fund, unit, withoutShares } from './funds.ts';
import { asRoot, type Client, checkEvents, checkSystemEvents, failure, submit } from './testing.ts';

/** Transfers, and what becomes of accounts that are left with too little. */
export const accountTests = (client: () => Client): void => {
  describe('accounts', () => {
    it('a transfer of all that is left removes the sender', async () => {
      const [from, to] = [account('reaped'), account('heir')];
      await fund(client(), 10n * unit, from);
      const { api } = client();
      const all = api.tx.balances.transferAll(to.address, false);
      const sent = await submit(client(), from, all);
      await checkEvents(sent, 'balances', 'system').map(withoutShares(client())).toMatchSnapshot();
      expect(await balanceOf(client(), from.address)).toEqual({ free: 0n, reserved: 0n });
      expect((await api.query.system.account(from.address)).providers.toNumber()).toBe(0);
      expect((await balanceOf(client(), to.address)).free).toBeGreaterThan(9n * unit);
    });

    it('one that keeps the sender alive fails instead', async () => {
      const [from, to] = [account('alive'), account('no-heir')];
      await fund(client(), 10n * unit, from);
      await submit(client(), from, client().api.tx.balances.transferKeepAlive(to.address, 10n * unit));
      expect(await failure(client())).toBe('Token');
      expect((await balanceOf(client(), to.address)).free).toBe(0n);
      const { free } = await balanceOf(client(), from.address);
      expect(free).toBeLessThan(10n * unit);
      expect(free).toBeGreaterThan(9n * unit);
    });

    it('a new account needs the existential deposit', async () => {
      const [from, to] = [account('sender'), account('too-poor')];
      await fund(client(), 10n * unit, from);
      const { api } = client();
      const least = api.consts.balances.existentialDeposit.toBigInt();
      await submit(client(), from, api.tx.balances.transferAllowDeath(to.address, least - 1n));
      expect(await failure(client())).toBe('Token');
      await submit(client(), from, api.tx.balances.transferAllowDeath(to.address, least));
      expect((await balanceOf(client(), to.address)).free).toBe(least);
    });

    it('only root transfers from others', async () => {
      const [from, to, other] = [account('robbed'), account('robber'), account('bystander')];
      await fund(client(), 10n * unit, from, other);
      const force = client().api.tx.balances.forceTransfer(from.address, to.address, 4n * unit);
      await submit(client(), other, force);
      expect(await failure(client())).toBe('BadOrigin');
      await asRoot(client(), force);
      await checkSystemEvents(client(), 'balances', 'scheduler').toMatchSnapshot();
      expect((await balanceOf(client(), from.address)).free).toBe(6n * unit);
      expect((await balanceOf(client(), to.address)).free).toBe(4n * unit);
    });

    it('a transfer of a block that is left behind is not in the next one', async () => {
      const [from, to] = [account('twice'), account('once')];
      await fund(client(), 10n * unit, from);
      const head = await client().dev.newBlock();
      const transfer = client().api.tx.balances.transferKeepAlive(to.address, unit);
      await submit(client(), from, transfer);
      expect((await balanceOf(client(), to.address)).free).toBe(unit);
      await client().dev.setHead(head);
      expect((await balanceOf(client(), to.address)).free).toBe(0n);
      await client().dev.newBlock();
      expect((await balanceOf(client(), to.address)).free).toBe(0n);
    });
  });
};
