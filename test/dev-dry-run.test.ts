import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodResults } from '../src/protocol/rpc/results/results.ts';
import { openApi } from './api.ts';
import { type DevNode, rejection, startDevNode } from './dev-node.ts';

type Account = { nonce: number; data: { free: string } };
type Told = { outcome: unknown; old: State; new: State };
type State = { system: { account: Record<string, Account | null>; events: unknown[] } };

let dev: DevNode;
beforeAll(async () => {
  dev = await startDevNode();
  await dev.call('dev_newBlock');
});
afterAll(() => dev.stop());

const unit = 10n ** 12n;
const zoe = () => dev.pair('//Zoe');
const dryRun = <T = Told>(params: unknown): Promise<T> => dev.call<T>('dev_dryRun', params);
/** The bare call of a transfer. */
const transferCall = async (value: bigint): Promise<string> => {
  const { api, close } = await openApi(dev.node);
  const call = api.tx['balances']?.['transferAllowDeath']?.(zoe().address, value).method.toHex();
  await close();
  return call ?? '';
};

describe('dev_dryRun', () => {
  it('returns the outcome of an extrinsic and its changes, and changes nothing', async () => {
    const before = { best: dev.best().hash, free: await dev.free(dev.pair('//Alice').publicKey) };
    const told = await dryRun({ extrinsic: await dev.transfer('//Alice', zoe().publicKey, unit, 0) });
    expect(methodResults.dev_dryRun.schema.safeParse(told).success).toBe(true);
    expect(told.outcome).toBe('Ok');
    const [alice, to] = [dev.pair('//Alice').address, zoe().address];
    expect(told.old.system.account[to]).toBeNull();
    expect(told.new.system.account[to]).toMatchObject({ nonce: 0, data: { free: `${unit}` } });
    expect(told.old.system.account[alice]).toMatchObject({ nonce: 0, data: { free: `${before.free}` } });
    expect(told.new.system.account[alice]?.nonce).toBe(1);
    expect(JSON.stringify(told.new.system.events)).toContain('"Transfer"');
    expect(dev.best().hash).toBe(before.best);
    expect(await dev.free(zoe().publicKey)).toBe(0n);
    expect((await dev.node.status()).modified).toBe(false);
  });

  it('leaves the next slot available to the next block', async () => {
    const [first, slotMs] = [await dev.chainTime(), await dev.node.parts.author.slotMs()];
    const extrinsic = await dev.transfer('//Alice', zoe().publicKey, unit, 0);
    await dryRun({ extrinsic });
    await dryRun({ extrinsic });
    await dev.call('dev_snapshot', 'before');
    await dev.call('dev_newBlock');
    expect((await dev.chainTime()) - first).toBe(slotMs);
    await dev.call('dev_restore', 'before');
  });

  it('raw: only the changes, as keys and values, equal to those of the block', async () => {
    const extrinsic = await dev.transfer('//Alice', zoe().publicKey, unit, 0);
    const pairs = await dryRun<[string, string | null][]>({ raw: true, extrinsic });
    const key = dev.accountKey(zoe().publicKey);
    const value = pairs.find(([one]) => one === key)?.[1];
    expect(value).toMatch(/^0x/);
    expect(pairs.map(([one]) => one)).toEqual(pairs.map(([one]) => one).sort());
    await dev.call('dev_snapshot', 'before');
    await dev.call('dev_newBlock', { transactions: [extrinsic] });
    expect(await dev.call('state_getStorage', key)).toBe(value);
    await dev.call('dev_restore', 'before');
  });

  it('a call from any account, with its next nonce and without its signature', async () => {
    const address = dev.pair('//Bob').address;
    const told = await dryRun({ extrinsic: { call: await transferCall(3n * unit), address } });
    expect(told.outcome).toBe('Ok');
    expect(told.new.system.account[zoe().address]?.data.free).toBe(`${3n * unit}`);
    expect(told.new.system.account[address]?.nonce).toBe(1);
    // The account is not impersonated outside of this run.
    expect(await dev.node.status()).toMatchObject({ impersonated: [], modified: false });
    expect(
      await rejection(dryRun({ extrinsic: await dev.forge('//Bob', zoe().publicKey, unit, 0) })),
    ).toMatchObject({ code: 1, data: 'BadExtrinsic', message: expect.stringContaining('bad signature') });
  });

  it("a failed dispatch is an outcome, with the runtime's names", async () => {
    const bob = dev.pair('//Bob');
    const call = await transferCall((await dev.free(bob.publicKey)) + 1n);
    expect((await dryRun({ extrinsic: { call, address: bob.address } })).outcome).toEqual({
      Err: { Token: 'FundsUnavailable' },
    });
    // An error defined by a pallet.
    const { api, close } = await openApi(dev.node);
    const remark = api.tx['system']?.['remark']?.('0x00');
    const sudo = api.tx['sudo']?.['sudo']?.(remark).method.toHex();
    await close();
    const { outcome } = await dryRun({ extrinsic: { call: sudo, address: dev.pair('//Bob').address } });
    expect(outcome).toEqual({ Err: { Module: 'Sudo.RequireSudo' } });
  });

  it('at another block', async () => {
    const genesis = await dev.call<string>('chain_getBlockHash', 0);
    const extrinsic = await dev.transfer('//Alice', zoe().publicKey, unit, 0);
    expect((await dryRun({ extrinsic, at: genesis })).outcome).toBe('Ok');
    expect(await rejection(dryRun({ extrinsic, at: `0x${'77'.repeat(32)}` }))).toMatchObject({
      code: 1,
      data: 'UnknownBlock',
    });
  });

  it('refuses what it cannot run with an error code', async () => {
    const extrinsic = await dev.transfer('//Alice', zoe().publicKey, unit, 0);
    for (const [params, text] of [
      [{}, /`extrinsic`/],
      [{ dmp: [] }, /this chain stands alone/],
      [{ extrinsic, html: true }, /`html`/],
      [{ extrinsic, nonsense: 1 }, /unknown field `nonsense`/],
      [{ extrinsic: 7 }, /`extrinsic`/],
      [{ extrinsic: { call: '0x00' } }, /`address`/],
      [{ extrinsic, at: 7 }, /`at` is not a block hash/],
    ] as const)
      expect(await rejection(dryRun(params))).toMatchObject({
        code: -32602,
        data: expect.stringMatching(text),
      });
    for (const bad of ['0x', '0x0484', '0xff'])
      expect(await rejection(dryRun({ extrinsic: bad }))).toMatchObject({ code: 1 });
    expect(
      await rejection(dryRun({ extrinsic: { call: '0xffff', address: dev.pair('//Bob').address } })),
    ).toMatchObject({ code: 1 });
  });

  it('names what is wrong with bytes that the runtime cannot decode', async () => {
    const whole = await dev.transfer('//Alice', zoe().publicKey, unit, 0);
    const call = await transferCall(unit);
    const { address } = dev.pair('//Bob');
    /** Whole extrinsics have their length in front. */
    const opaque = (hex: string): string => `0x${((hex.length / 2) * 4).toString(16).padStart(2, '0')}${hex}`;
    // A length of 64 or more takes two bytes.
    const inner = whole.slice(6);
    const resized = (text: string): string => {
      const length = (text.length / 2) * 4 + 1;
      return `0x${(length & 255).toString(16).padStart(2, '0')}${(length >> 8).toString(16).padStart(2, '0')}${text}`;
    };
    expect(resized(inner)).toBe(whole);
    for (const [extrinsic, why] of [
      [
        { call: `${call}010203`, address },
        /: 3 bytes are left over after Balances\.transfer_allow_death: 0x010203$/,
      ],
      [
        { call: call.slice(0, -2), address },
        /: `value` of Balances\.transfer_allow_death cannot be decoded \(/,
      ],
      [{ call: '0x', address }, /: there is no call$/],
      [{ call: '0x00', address }, /: the call ends after its pallet$/],
      [{ call: '0xf000', address }, /: the runtime has no calls of a pallet with index 240$/],
      [{ call: '0x00ff', address }, /: System has no call with index 255$/],
      [resized(`${inner}00`), /: 1 byte is left over after Balances\.\w+: 0x00$/],
      [opaque(inner.slice(0, 100)), /: the signature cannot be decoded \(/],
      [resized(inner.slice(0, -2)), /: `value` of Balances\.\w+ cannot be decoded \(/],
      [opaque('07'), /: it begins with 0x07, which is no version of an extrinsic$/],
      [opaque('04'), /: there is no call$/],
      ['0x00', /: it is empty$/],
    ] as const)
      expect(await rejection(dryRun({ extrinsic }))).toMatchObject({
        code: 1,
        message: expect.stringMatching(why),
        data: 'BadExtrinsic',
      });
  });
});
