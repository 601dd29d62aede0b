import { describe, expect, it } from 'vitest';
import { account, balanceOf, fund, unit, withoutShares } from './funds.ts';
import { type Client, check, checkEvents, failure, submit } from './testing.ts';

const delay = 2;

/** Accounts that act for others. */
export const proxyTests = (client: () => Client): void => {
  describe('proxy', () => {
    it('adds and removes proxies, each for a deposit', async () => {
      const [owner, one, two] = [account('owner'), account('first-proxy'), account('second-proxy')];
      await fund(client(), 100n * unit, owner);
      const { tx, query, consts } = client().api;
      const sent = await submit(
        client(),
        owner,
        tx.proxy.addProxy(one.address, 'Any', 0),
        tx.proxy.addProxy(two.address, 'Staking', delay),
      );
      await checkEvents(sent, 'proxy').toMatchSnapshot();
      const deposit =
        consts.proxy.proxyDepositBase.toBigInt() + 2n * consts.proxy.proxyDepositFactor.toBigInt();
      expect((await balanceOf(client(), owner.address)).reserved).toBe(deposit);
      await check(query.proxy.proxies(owner.address)).toMatchSnapshot();
      await submit(client(), owner, tx.proxy.removeProxy(one.address, 'Any', 0), tx.proxy.removeProxies());
      expect((await balanceOf(client(), owner.address)).reserved).toBe(0n);
      expect((await query.proxy.proxies(owner.address))[0]).toHaveLength(0);
    });

    it('a proxy transfers for its owner', async () => {
      const [owner, proxy, to] = [account('absent'), account('present'), account('paid-by-proxy')];
      await fund(client(), 100n * unit, owner, proxy);
      const { tx } = client().api;
      await submit(client(), owner, tx.proxy.addProxy(proxy.address, 'Any', 0));
      const transfer = tx.balances.transferKeepAlive(to.address, 7n * unit);
      const sent = await submit(client(), proxy, tx.proxy.proxy(owner.address, null, transfer));
      await checkEvents(sent, 'proxy', 'balances').map(withoutShares(client())).toMatchSnapshot();
      expect((await balanceOf(client(), to.address)).free).toBe(7n * unit);
    });

    it('of a kind that may not transfer does not, and a stranger is no proxy', async () => {
      const [owner, proxy, to] = [account('careful'), account('limited'), account('unpaid')];
      await fund(client(), 100n * unit, owner, proxy, to);
      const { tx } = client().api;
      await submit(client(), owner, tx.proxy.addProxy(proxy.address, 'NonTransfer', 0));
      const transfer = tx.balances.transferKeepAlive(to.address, 7n * unit);
      const sent = await submit(client(), proxy, tx.proxy.proxy(owner.address, null, transfer));
      await checkEvents(sent, 'proxy').toMatchSnapshot();
      expect((await balanceOf(client(), to.address)).free).toBe(100n * unit);
      await submit(client(), to, tx.proxy.proxy(owner.address, null, transfer));
      expect(await failure(client())).toBe('proxy.NotProxy');
    });

    it('with a delay announces first, and the owner may reject', async () => {
      const [owner, proxy, to] = [account('watchful'), account('announcer'), account('paid-late')];
      await fund(client(), 100n * unit, owner, proxy);
      const { tx, query } = client().api;
      await submit(client(), owner, tx.proxy.addProxy(proxy.address, 'Any', delay));
      const transfer = tx.balances.transferKeepAlive(to.address, 7n * unit);
      const hash = transfer.method.hash.toHex();
      const act = tx.proxy.proxyAnnounced(proxy.address, owner.address, null, transfer);
      const sent = await submit(client(), proxy, tx.proxy.announce(owner.address, hash));
      await checkEvents(sent, 'proxy').toMatchSnapshot();
      await submit(client(), owner, tx.proxy.rejectAnnouncement(proxy.address, hash));
      expect((await query.proxy.announcements(proxy.address))[0]).toHaveLength(0);
      await submit(client(), proxy, tx.proxy.announce(owner.address, hash));
      await submit(client(), proxy, act);
      expect(await failure(client())).toBe('proxy.Unannounced');
      await submit(client(), proxy, act);
      expect((await balanceOf(client(), to.address)).free).toBe(7n * unit);
      expect((await balanceOf(client(), proxy.address)).reserved).toBe(0n);
    });

    it('a pure proxy is an account without a key, until it is killed', async () => {
      const owner = account('creator');
      await fund(client(), 100n * unit, owner);
      const { tx, query, events } = client().api;
      await submit(client(), owner, tx.proxy.createPure('Any', 0, 0));
      const created = (await query.system.events()).find(({ event }) => events.proxy.PureCreated.is(event));
      const pure = `${created?.event.data[0]}`;
      const height = (await client().api.rpc.chain.getHeader()).number.toNumber();
      const index = created?.phase.asApplyExtrinsic.toNumber() ?? 0;
      await check(query.proxy.proxies(pure)).toMatchSnapshot();
      const kill = tx.proxy.killPure(owner.address, 'Any', 0, height, index);
      await submit(client(), owner, kill);
      expect(await failure(client())).toBe('proxy.NoPermission');
      const sent = await submit(client(), owner, tx.proxy.proxy(pure, null, kill));
      await checkEvents(sent, 'proxy').toMatchSnapshot();
      expect((await query.proxy.proxies(pure))[0]).toHaveLength(0);
      expect((await balanceOf(client(), owner.address)).reserved).toBe(0n);
    });
  });
};
