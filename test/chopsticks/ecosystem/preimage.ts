import { describe, expect, it } from 'vitest';
import { account, balanceOf, fund, unit } from './funds.ts';
import { asRoot, type Client, check, checkEvents, checkSystemEvents, failure, submit } from './testing.ts';

/** Calls that are stored to be dispatched later. */
export const preimageTests = (client: () => Client): void => {
  describe('preimage', () => {
    it('is noted once for a deposit, and taken back', async () => {
      const owner = account('noter');
      await fund(client(), 1000n * unit, owner);
      const { tx, query } = client().api;
      const call = tx.system.remark('0xdeadbeef').method;
      const key: [string, number] = [call.hash.toHex(), call.encodedLength];
      const note = tx.preimage.notePreimage(call.toHex());
      await checkEvents(await submit(client(), owner, note), 'preimage').toMatchSnapshot();
      expect((await query.preimage.preimageFor(key)).unwrap().toHex()).toBe(call.toHex());
      expect((await balanceOf(client(), owner.address)).reserved).toBeGreaterThan(0n);
      await submit(client(), owner, note);
      expect(await failure(client())).toBe('preimage.AlreadyNoted');
      const sent = await submit(client(), owner, tx.preimage.unnotePreimage(key[0]));
      await checkEvents(sent, 'preimage').toMatchSnapshot();
      expect((await query.preimage.preimageFor(key)).isNone).toBe(true);
      expect((await balanceOf(client(), owner.address)).reserved).toBe(0n);
    });

    it('that root requests stays until root no longer does', async () => {
      const owner = account('requested');
      await fund(client(), 1000n * unit, owner);
      const { tx, query } = client().api;
      const call = tx.system.remark('0xfeed').method;
      const hash = call.hash.toHex();
      await submit(client(), owner, tx.preimage.requestPreimage(hash));
      expect(await failure(client())).toBe('BadOrigin');
      await asRoot(client(), tx.preimage.requestPreimage(hash));
      await checkSystemEvents(client(), 'preimage', 'scheduler').toMatchSnapshot();
      await submit(client(), owner, tx.preimage.notePreimage(call.toHex()));
      // Whoever notes what is requested pays nothing for it.
      expect((await balanceOf(client(), owner.address)).reserved).toBe(0n);
      await check(query.preimage.statusFor(hash)).toMatchSnapshot();
      await asRoot(client(), tx.preimage.unrequestPreimage(hash));
      expect((await query.preimage.preimageFor([hash, call.encodedLength])).isNone).toBe(true);
    });
  });
};
