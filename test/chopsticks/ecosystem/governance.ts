import { describe, expect, it } from 'vitest';
import { account, balanceOf, fund, unit } from './funds.ts';
import { asRoot, type Client, check, checkEvents, checkSystemEvents, failure, submit } from './testing.ts';

/** More than all that the chain has issued, so that one vote decides. */
const fortune = 10n ** 20n;
const track = { Origins: 'StakingAdmin' };

/** Opens a referendum that would set the validators' least commission. */
const openReferendum = async (client: Client, name: string, commission: number) => {
  const [proposer, voter] = [account(`${name}-proposer`), account(`${name}-voter`)];
  await fund(client, fortune, proposer, voter);
  const { tx, query } = client.api;
  const call = { Inline: tx.staking.setMinCommission(commission).method.toHex() };
  const index = (await query.referenda.referendumCount()).toNumber();
  const submitted = await submit(client, proposer, tx.referenda.submit(track as never, call, { After: 1 }));
  const placed = await submit(client, proposer, tx.referenda.placeDecisionDeposit(index));
  return { proposer, voter, index, submitted, placed };
};

const vote = (aye: boolean, balance: bigint) => ({
  Standard: { vote: { aye, conviction: 'None' }, balance },
});

/** Referenda, from their submission to what comes of them. */
export const governanceTests = (client: () => Client): void => {
  describe('governance', () => {
    it('a referendum that passes is enacted', async () => {
      const { proposer, voter, index, submitted, placed } = await openReferendum(
        client(),
        'passed',
        10_000_000,
      );
      await checkEvents(submitted, 'referenda', 'scheduler').toMatchSnapshot();
      await checkEvents(placed, 'referenda', 'scheduler').toMatchSnapshot();
      const { tx, query } = client().api;
      await submit(client(), voter, tx.convictionVoting.vote(index, vote(true, fortune / 2n)));
      await check(query.convictionVoting.votingFor(voter.address, 10)).toMatchSnapshot();
      const seen: string[] = [];
      for (let block = 0; block < 12; block++) {
        await client().dev.newBlock();
        for (const { event } of await query.system.events())
          if (event.section === 'referenda') seen.push(`${block} ${event.method}`);
      }
      expect(seen).toMatchSnapshot();
      expect((await query.staking.minCommission()).toNumber()).toBe(10_000_000);
      await submit(client(), proposer, tx.referenda.refundDecisionDeposit(index));
      await submit(client(), proposer, tx.referenda.refundSubmissionDeposit(index));
      expect((await balanceOf(client(), proposer.address)).reserved).toBe(0n);
    });

    it('one that root kills loses its deposits', async () => {
      const { proposer, index } = await openReferendum(client(), 'killed', 20_000_000);
      const { tx, query } = client().api;
      expect((await balanceOf(client(), proposer.address)).reserved).toBeGreaterThan(0n);
      await submit(client(), proposer, tx.referenda.kill(index));
      expect(await failure(client())).toBe('BadOrigin');
      await asRoot(client(), tx.referenda.kill(index));
      await checkSystemEvents(client(), 'referenda', 'scheduler', 'treasury').toMatchSnapshot();
      expect((await query.referenda.referendumInfoFor(index)).unwrap().isKilled).toBe(true);
      expect((await balanceOf(client(), proposer.address)).reserved).toBe(0n);
    });

    it('delegated votes count for the delegate, who alone votes', async () => {
      const { voter, index } = await openReferendum(client(), 'delegated', 30_000_000);
      const delegator = account('delegator');
      await fund(client(), fortune, delegator);
      const { tx, query } = client().api;
      const delegate = tx.convictionVoting.delegate(10, voter.address, 'Locked1x', 500n * unit);
      await checkEvents(await submit(client(), delegator, delegate), 'convictionVoting').toMatchSnapshot();
      await submit(client(), voter, tx.convictionVoting.vote(index, vote(false, 100n * unit)));
      const { tally } = (await query.referenda.referendumInfoFor(index)).unwrap().asOngoing;
      await check(tally).toMatchSnapshot();
      await submit(client(), delegator, tx.convictionVoting.vote(index, vote(true, unit)));
      expect(await failure(client())).toBe('convictionVoting.AlreadyDelegating');
      await submit(client(), delegator, tx.convictionVoting.undelegate(10));
      await check(query.referenda.referendumInfoFor(index)).toMatchSnapshot();
    });
  });
};
