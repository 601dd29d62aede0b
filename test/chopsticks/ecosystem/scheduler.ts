import { describe, expect, it } from 'vitest';
import { account, balanceOf, fund, unit } from './funds.ts';
import { asRoot, type Client, check, checkSystemEvents, failure, headNumber, submit } from './testing.ts';

const name = `0x${'5c'.repeat(32)}`;

/** Calls that are dispatched at a block. */
export const schedulerTests = (client: () => Client): void => {
  describe('scheduler', () => {
    it('dispatches a call of root at its block, and not before', async () => {
      const [from, to] = [account('scheduled-from'), account('scheduled-to')];
      await fund(client(), 10n * unit, from);
      const { tx, query } = client().api;
      const call = tx.balances.forceTransfer(from.address, to.address, 3n * unit);
      const when = (await headNumber(client())) + 4;
      const schedule = tx.scheduler.schedule(when, null, 0, call);
      await submit(client(), from, schedule);
      expect(await failure(client())).toBe('BadOrigin');
      await asRoot(client(), schedule);
      await check(query.scheduler.agenda(when)).toMatchSnapshot();
      await client().dev.newBlock();
      expect((await balanceOf(client(), to.address)).free).toBe(0n);
      await client().dev.newBlock();
      expect(await headNumber(client())).toBe(when);
      await checkSystemEvents(client(), 'scheduler', 'balances').toMatchSnapshot();
      expect((await balanceOf(client(), to.address)).free).toBe(3n * unit);
      expect(await query.scheduler.agenda(when)).toHaveLength(0);
    });

    it('cancels a call by its name', async () => {
      const { tx, query } = client().api;
      const from = account('kept');
      await fund(client(), 10n * unit, from);
      const call = tx.balances.forceTransfer(from.address, account('never').address, unit);
      await asRoot(client(), tx.scheduler.scheduleNamedAfter(name, 3, null, 0, call));
      const [when, index] = (await query.scheduler.lookup(name)).unwrap();
      expect([when.toNumber(), index.toNumber()]).toEqual([(await headNumber(client())) + 4, 0]);
      await asRoot(client(), tx.scheduler.cancelNamed(name));
      await checkSystemEvents(client(), 'scheduler').toMatchSnapshot();
      expect((await query.scheduler.lookup(name)).isNone).toBe(true);
      await client().dev.newBlock({ count: 3 });
      expect((await balanceOf(client(), from.address)).free).toBe(10n * unit);
    });

    it('repeats a call as often as it is told', async () => {
      const { tx } = client().api;
      const [from, to] = [account('repeated-from'), account('repeated-to')];
      await fund(client(), 10n * unit, from);
      const call = tx.balances.forceTransfer(from.address, to.address, unit);
      await asRoot(client(), tx.scheduler.scheduleAfter(0, [2, 2], 0, call));
      const seen: bigint[] = [];
      for (let block = 0; block < 7; block++) {
        await client().dev.newBlock();
        seen.push((await balanceOf(client(), to.address)).free / unit);
      }
      expect(seen).toEqual([1n, 1n, 2n, 2n, 2n, 2n, 2n]);
    });

    it('dispatches what a noted preimage has', async () => {
      const [from, to] = [account('noted-from'), account('noted-to')];
      await fund(client(), 1000n * unit, from);
      const { tx, query } = client().api;
      const { method } = tx.balances.forceTransfer(from.address, to.address, 2n * unit);
      await submit(client(), from, tx.preimage.notePreimage(method.toHex()));
      const hash = method.hash.toHex();
      const when = (await headNumber(client())) + 1;
      const call = { Lookup: { hash, len: method.encodedLength } };
      await client().dev.setStorage({
        Scheduler: { Agenda: [[[when], [{ call, origin: { system: 'Root' } }]]] },
      });
      await client().dev.newBlock();
      await checkSystemEvents(client(), 'scheduler', 'balances', 'preimage').toMatchSnapshot();
      expect((await balanceOf(client(), to.address)).free).toBe(2n * unit);
      await check(query.preimage.statusFor(hash)).toMatchSnapshot();
    });
  });
};
