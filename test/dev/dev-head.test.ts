import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevNode, lastingDatabase, rejection, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
afterEach(() => dev.stop());

const hashAt = (number: number) => dev.call<string | null>('chain_getBlockHash', number);

describe('dev_newBlock, dev_seal, dev_finalise', () => {
  beforeEach(async () => {
    dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
  });

  it('builds as many blocks as requested, or up to a number', async () => {
    const third = await dev.call('dev_newBlock', { count: 3 });
    expect(dev.best()).toMatchObject({ hash: third, number: 3 });
    await dev.call('dev_newBlock', { to: 5 });
    expect(await rejection(dev.call('dev_newBlock', { to: 2 ** 32 - 1 }))).toMatchObject({ code: 1 });
    expect(dev.best().number).toBe(5);
    await dev.call('dev_newBlock');
    expect(dev.best().number).toBe(6);
  });

  it('includes the given transactions and not those of the pool; a refused one prevents the block', async () => {
    const [first, second] = [
      await dev.transfer('//Alice', dev.pair('//Bob').publicKey, 7n, 0),
      await dev.transfer('//Alice', dev.pair('//Bob').publicKey, 8n, 1),
    ];
    await dev.call('author_submitExtrinsic', await dev.transfer('//Bob', dev.pair('//Zoe').publicKey, 9n, 0));
    expect(await rejection(dev.call('dev_newBlock', { transactions: [second] }))).toMatchObject({
      code: 1,
      data: 'BadExtrinsic',
    });
    expect(dev.best().number).toBe(0);
    const hash = await dev.call<string>('dev_newBlock', { transactions: [first, second] });
    const block = await dev.call<{ block: { extrinsics: string[] } }>('chain_getBlock', hash);
    expect(block.block.extrinsics.slice(-2)).toEqual([first, second]);
    expect(await dev.call('author_pendingExtrinsics')).toHaveLength(1);
    const sealed = await dev.call<{ included: number; number: number }>('dev_seal');
    expect(sealed).toMatchObject({ included: 1, number: 2 });
  });

  it('a block on a branch that has a transaction already leaves it in the pool of the branch that has not', async () => {
    const trunk = await dev.call<string>('dev_newBlock');
    const paid = await dev.transfer('//Alice', dev.pair('//Bob').publicKey, 7n, 0);
    await dev.call('author_submitExtrinsic', paid);
    const old = await dev.call<string>('dev_newBlock');
    const other = await dev.call<string>('dev_newBlock', { parent: trunk, count: 2 });
    expect(dev.best().hash).toBe(other);
    expect(await dev.call('author_pendingExtrinsics')).toEqual([paid]);
    const { left } = await dev.call<{ left: unknown[] }>('dev_newBlock', { parent: old, report: true });
    expect(left).toMatchObject([{ reason: 'stale' }]);
    expect(await dev.call('author_pendingExtrinsics')).toEqual([paid]);
    await dev.call('dev_newBlock');
    expect(await dev.call('author_pendingExtrinsics')).toEqual([]);
  });

  it('builds on a given parent: a fork', async () => {
    const trunk = await dev.call<string>('dev_newBlock');
    const one = await dev.call<string>('dev_newBlock', { parent: trunk });
    const two = await dev.call<string>('dev_newBlock', { parent: trunk, count: 2 });
    const header = await dev.call<{ parentHash: string; number: string }>('chain_getHeader', two);
    expect(header.number).toBe('0x3');
    expect(header.parentHash).not.toBe(one);
    expect(await dev.call('chain_getHeader', header.parentHash)).toMatchObject({ parentHash: trunk });
  });

  it('switches the finality mode, from the next block on', async () => {
    const finalized = async () =>
      Number(
        (await dev.call<{ number: string }>('chain_getHeader', await dev.call('chain_getFinalizedHead')))
          .number,
      );
    await dev.call('dev_newBlock');
    expect(await finalized()).toBe(0);
    await dev.call('dev_setFinality', 'instant');
    await dev.call('dev_newBlock');
    expect(await finalized()).toBe(2);
    await dev.call('dev_setFinality', 'manual');
    const fork = await dev.call<string>('dev_newBlock', { count: 2 });
    expect(await finalized()).toBe(2);
    expect(await rejection(dev.call('dev_setFinality', 'sometimes'))).toMatchObject({ code: -32602 });
    expect(await dev.call('chain_getHeader', fork)).toMatchObject({ number: '0x4' });
  });

  it('refuses what the chain does not support, and names what it does not know', async () => {
    expect(await rejection(dev.call('dev_newBlock', { hrmp: {} }))).toMatchObject({ code: -32602 });
    expect(await rejection(dev.call('dev_newBlock', { count: 0 }))).toMatchObject({ code: -32602 });
    const nowhere = `0x${'77'.repeat(32)}`;
    expect(await rejection(dev.call('dev_newBlock', { parent: nowhere }))).toMatchObject({
      data: 'UnknownBlock',
    });
  });

  it('finalizes the best block, or the given one', async () => {
    await dev.call('dev_newBlock', { count: 3 });
    const second = await hashAt(2);
    expect(await dev.call('dev_finalise', second)).toEqual({ hash: second, number: 2 });
    expect(await dev.call('dev_finalize')).toMatchObject({ number: 3 });
    expect(dev.finalized().number).toBe(3);
    expect(await rejection(dev.call('dev_finalise', second))).toMatchObject({ data: 'NotFinalizable' });
  });
});

describe('dev_setHead', () => {
  it('goes back, even below finality, and continues from there; numbers, heads and statuses follow', async () => {
    dev = await startDevNode();
    await dev.call('dev_newBlock', { count: 2 });
    const second = dev.best().hash;
    const transfer = await dev.transfer('//Alice', dev.pair('//Zoe').publicKey, 10n ** 12n, 0);
    const heads = await dev.follow('chain_subscribeNewHeads');
    const finals = await dev.follow('chain_subscribeFinalizedHeads');
    const values = await dev.follow('state_subscribeStorage', [dev.accountKey(dev.pair('//Zoe').publicKey)]);
    await dev.call('author_submitExtrinsic', transfer);
    await dev.call('dev_newBlock', { count: 2 });
    const old = dev.best().hash;
    const old3 = await hashAt(3);
    expect(await dev.free(dev.pair('//Zoe').publicKey)).toBe(10n ** 12n);
    expect(await dev.call('dev_setHead', -2)).toBe(second);
    expect(dev.best()).toMatchObject({ hash: second, number: 2 });
    expect(dev.finalized().hash).toBe(second);
    expect(await hashAt(3)).toBeNull();
    expect(await dev.free(dev.pair('//Zoe').publicKey)).toBe(0n);
    await expect.poll(() => (heads.at(-1) as { number: string }).number).toBe('0x2');
    expect(finals.at(-1)).toMatchObject({ number: '0x2' });
    expect((values.at(-1) as { changes: unknown[][] }).changes[0]?.[1]).toBeNull();
    // The transactions of the abandoned blocks are offered again.
    await expect.poll(() => dev.call('author_pendingExtrinsics')).toEqual([transfer]);
    await dev.call('dev_newBlock');
    expect(await hashAt(3)).not.toBe(old3);
    expect(await dev.free(dev.pair('//Zoe').publicKey)).toBe(10n ** 12n);
    // The old branch is still stored.
    await dev.call('dev_setHead', old);
    expect(dev.best()).toMatchObject({ hash: old, number: 4 });
    expect(await hashAt(3)).toBe(old3);
  });

  it('notifies watchers that their block is retracted, and where the transaction is included again', async () => {
    dev = await startDevNode({ changes: { finality: { kind: 'manual' } } });
    await dev.call('dev_newBlock');
    const transfer = await dev.transfer('//Alice', dev.pair('//Zoe').publicKey, 10n ** 12n, 0);
    const statuses = await dev.follow('author_submitAndWatchExtrinsic', transfer);
    const lost = await dev.call<string>('dev_newBlock');
    await dev.call('dev_setHead', 1);
    await expect.poll(() => statuses).toContainEqual({ retracted: lost });
    const again = await dev.call<string>('dev_newBlock');
    await dev.call('dev_finalise');
    await expect.poll(() => statuses.at(-1)).toEqual({ finalized: again });
  });

  it('switches between branches; the abandoned one does not become best by itself, even after a restart', async () => {
    const db = lastingDatabase();
    const changes = { finality: { kind: 'manual' } } as const;
    dev = await startDevNode({ db, changes });
    const trunk = await dev.call<string>('dev_newBlock');
    const long = await dev.call<string>('dev_newBlock', { parent: trunk, count: 4 });
    const short = await dev.call<string>('dev_newBlock', { parent: trunk });
    await dev.call('dev_setHead', long);
    await dev.call('dev_setHead', short);
    expect(dev.best()).toMatchObject({ hash: short, number: 2 });
    const next = await dev.call<string>('dev_newBlock');
    expect(dev.best()).toMatchObject({ hash: next, number: 3 });
    expect(await hashAt(2)).toBe(short);
    await dev.stop();
    dev = await startDevNode({ db, changes });
    expect(dev.best()).toMatchObject({ hash: next, number: 3 });
    expect([await hashAt(2), await hashAt(4)]).toEqual([short, null]);
    await dev.call('dev_setHead', long);
    expect(dev.best()).toMatchObject({ hash: long, number: 5 });
    expect(dev.finalized().number).toBe(0);
    await dev.call('dev_newBlock');
    expect(dev.best().number).toBe(6);
  });

  it('has no block above the best one, and none that never existed', async () => {
    dev = await startDevNode();
    expect(await rejection(dev.call('dev_setHead', 3))).toMatchObject({ code: 1, data: 'UnknownBlock' });
    expect(await rejection(dev.call('dev_setHead', -3))).toMatchObject({ code: 1, data: 'UnknownBlock' });
    expect(await rejection(dev.call('dev_setHead', `0x${'77'.repeat(32)}`))).toMatchObject({
      data: 'UnknownBlock',
    });
    expect(dev.best().number).toBe(0);
  });
});

describe('dev_timeTravel', () => {
  it('gives the next block that time and continues from there, also after a restart', async () => {
    const db = lastingDatabase();
    dev = await startDevNode({ db });
    await dev.call('dev_newBlock');
    const target = (await dev.chainTime()) + 86_400_000;
    expect(await dev.call('dev_timeTravel', target)).toBe(target);
    await dev.stop();
    dev = await startDevNode({ db });
    expect(await dev.call('dev_status')).toMatchObject({ clockMovedToMs: target });
    await dev.call('dev_newBlock');
    const landed = await dev.chainTime();
    expect(landed).toBeGreaterThanOrEqual(target);
    expect(landed - target).toBeLessThan(60_000);
    await dev.call('dev_newBlock');
    expect((await dev.chainTime()) - landed).toBeLessThan(60_000);
    const date = '2100-01-01T00:00:00Z';
    expect(await dev.call('dev_timeTravel', date)).toBe(Date.parse(date));
    await dev.call('dev_newBlock');
    expect(await dev.chainTime()).toBeGreaterThanOrEqual(Date.parse(date));
  });

  it('does not go back, nor change the time in a mode that follows the wall clock', async () => {
    dev = await startDevNode();
    await dev.call('dev_newBlock');
    expect(await rejection(dev.call('dev_timeTravel', 1_000_000))).toMatchObject({
      code: 1,
      data: 'Unsupported',
      message: expect.stringMatching(/moves forward only, and it is \d{4}-\d\d-\d\dT.*dev_setHead/),
    });
    expect(await rejection(dev.call('dev_timeTravel', 'no date'))).toMatchObject({ code: -32602 });
    await dev.call('dev_setSealMode', 'slots');
    expect(await rejection(dev.call('dev_timeTravel', '2100-01-01'))).toMatchObject({ data: 'Unsupported' });
    await dev.call('dev_setSealMode', 'manual');
  });
});
