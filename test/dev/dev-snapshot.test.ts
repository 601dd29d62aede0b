import { hexToU8a } from '@polkadot/util';
import { afterEach, describe, expect, it } from 'vitest';
import type { NodeConfig } from '../../src/protocol/node.ts';
import type { Database } from '../../worker/db/database.ts';
import { type DevNode, lastingDatabase, rejection, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
afterEach(() => dev.stop());

const hashAt = (number: number) => dev.call<string | null>('chain_getBlockHash', number);
const zoe = () => dev.pair('//Zoe').publicKey;
const transferToZoe = (nonce = 0) => dev.transfer('//Alice', zoe(), 10n ** 12n, nonce);
const manual = { finality: { kind: 'manual' } } as const satisfies Partial<NodeConfig>;

describe('dev_snapshot and dev_restore', () => {
  it('has all transactions that a start still submits', async () => {
    dev = await startDevNode();
    const { pool } = dev.node.parts;
    const transfers = await Promise.all(Array.from({ length: 60 }, (_, nonce) => transferToZoe(nonce)));
    const entries = transfers.map((hex) => ({ extrinsic: hexToU8a(hex), source: 1 }) as const);
    const filling = pool.fill(entries);
    const taken = dev.call('dev_snapshot', 'early');
    await filling;
    await taken;
    await dev.call('dev_restore', 'early');
    expect(pool.readyCount()).toBe(60);
  });

  it('restores head, finality, state, pool and clock; lost transactions are reported and never offered again', async () => {
    dev = await startDevNode();
    await dev.call('dev_newBlock', { count: 2 });
    const waiting = await dev.transfer('//Bob', zoe(), 5n * 10n ** 12n, 0);
    await dev.call('author_submitExtrinsic', waiting);
    const taken = await dev.call('dev_snapshot', 'two');
    expect(taken).toMatchObject({ name: 'two', hash: dev.best().hash, number: 2, finalizedNumber: 2 });
    const before = await dev.chainTime();
    await dev.call('dev_timeTravel', before + 86_400_000);
    await dev.call('dev_newBlock', { count: 3 });
    const lost = await transferToZoe();
    const statuses = await dev.follow('author_submitAndWatchExtrinsic', lost);
    const heads = await dev.follow('chain_subscribeNewHeads');
    const finals = await dev.follow('chain_subscribeFinalizedHeads');
    const values = await dev.follow('state_subscribeStorage', [dev.accountKey(zoe())]);
    expect(await dev.free(zoe())).toBe(5n * 10n ** 12n);
    expect(await dev.call('dev_restore', 'two')).toEqual(taken);
    expect([dev.best().number, dev.finalized().number, await hashAt(3)]).toEqual([2, 2, null]);
    expect(await dev.free(zoe())).toBe(0n);
    expect(await dev.call('author_pendingExtrinsics')).toEqual([waiting]);
    await expect.poll(() => statuses).toEqual(['ready', 'dropped']);
    await expect
      .poll(() => [heads, finals].map((items) => (items.at(-1) as { number: string }).number))
      .toEqual(['0x2', '0x2']);
    await expect.poll(() => (values.at(-1) as { changes: unknown[][] }).changes[0]?.[1]).toBeNull();
    await dev.call('dev_newBlock');
    expect((await dev.chainTime()) - before).toBeLessThan(60_000);
    expect(await dev.free(zoe())).toBe(5n * 10n ** 12n);
  });

  it('switches back and forth between snapshots on different branches', async () => {
    dev = await startDevNode();
    await dev.call('dev_newBlock', { count: 2 });
    await dev.call('dev_snapshot', 'low');
    await dev.call('dev_newBlock', { transactions: [await transferToZoe()], count: 3 });
    const high = dev.best();
    await dev.call('dev_snapshot', 'high');
    await dev.call('dev_restore', 'low');
    await dev.call('dev_newBlock', { count: 1 });
    const other = await hashAt(3);
    await dev.call('dev_restore', 'high');
    expect(dev.best()).toMatchObject({ hash: high.hash, number: 5 });
    expect(dev.finalized().hash).toBe(high.hash);
    expect(await hashAt(3)).not.toBe(other);
    expect(await dev.free(zoe())).toBe(10n ** 12n);
    await dev.call('dev_restore', 'low');
    expect([await hashAt(2), await hashAt(3)]).toEqual([dev.best().hash, null]);
    expect(await dev.free(zoe())).toBe(0n);
    // The same transaction may be sent again, because it was never included.
    await dev.call('author_submitExtrinsic', await transferToZoe());
    expect(await dev.call('dev_seal')).toMatchObject({ number: 3, included: 1 });
  });

  it('keeps its blocks when their branch is abandoned, and persists when reopened', async () => {
    const db = lastingDatabase();
    dev = await startDevNode({ db, changes: manual });
    const trunk = await dev.call<string>('dev_newBlock');
    const left = await dev.call<string>('dev_newBlock', { parent: trunk, count: 2 });
    await dev.call('dev_setHead', left);
    await dev.call('dev_snapshot', 'left');
    const right = await dev.call<string>('dev_newBlock', { parent: trunk });
    await dev.call('dev_finalise', right);
    expect(dev.best().hash).toBe(right);
    await dev.stop();
    dev = await startDevNode({ db, changes: manual });
    expect(await dev.call('dev_listSnapshots')).toMatchObject([{ name: 'left', hash: left, number: 3 }]);
    await dev.call('dev_restore', 'left');
    expect(dev.best().hash).toBe(left);
    expect(dev.finalized().number).toBe(0);
    await dev.call('dev_newBlock');
    expect(dev.best().number).toBe(4);
    await dev.stop();
    dev = await startDevNode({ db, changes: manual });
    expect(dev.best().number).toBe(4);
    expect(await hashAt(3)).toBe(left);
  });

  it('has a name: the same name replaces it, and an unknown one is an error', async () => {
    dev = await startDevNode();
    await dev.call('dev_snapshot', 'a');
    await dev.call('dev_newBlock');
    await dev.call('dev_snapshot', 'a');
    expect(await dev.call('dev_listSnapshots')).toMatchObject([{ name: 'a', number: 1 }]);
    expect(await dev.call('dev_deleteSnapshot', 'a')).toBe(true);
    expect(await dev.call('dev_deleteSnapshot', 'a')).toBe(false);
    expect(await rejection(dev.call('dev_restore', 'a'))).toMatchObject({ code: 1, data: 'UnknownSnapshot' });
    expect(await rejection(dev.call('dev_snapshot', ''))).toMatchObject({ code: -32602 });
  });

  it('discards later keys and offchain values', async () => {
    dev = await startDevNode();
    await dev.call('dev_snapshot', 'before');
    dev.node.parts.keystore.insertSuri('babe', 'sr25519', '//Bob');
    await dev.db.write({ puts: [['offchain', Uint8Array.of(1), Uint8Array.of(2)]], deletes: [] });
    await dev.call('dev_restore', 'before');
    expect(dev.node.parts.keystore.has('babe', dev.pair('//Bob').publicKey)).toBe(false);
    expect(dev.node.parts.keystore.has('babe', dev.pair('//Alice').publicKey)).toBe(true);
    expect(await dev.db.get('offchain', Uint8Array.of(1))).toBeNull();
  });

  it('a kill during a restore leaves the old head or the new one', async () => {
    for (const fate of ['lost', 'written'] as const) {
      const inner = lastingDatabase();
      let isDead = false;
      const db: Database = {
        ...inner,
        write: async (batch) => {
          const moves = batch.puts.some(([store]) => store === 'meta');
          if (!isDead || !moves) return inner.write(batch);
          if (fate === 'written') await inner.write(batch);
          throw new Error('killed');
        },
      };
      dev = await startDevNode({ db });
      await dev.call('dev_newBlock', { count: 2 });
      await dev.call('dev_snapshot', 'two');
      await dev.call('dev_newBlock', { count: 3 });
      isDead = true;
      expect(await rejection(dev.call('dev_restore', 'two'))).not.toBeNull();
      expect(dev.best().number).toBe(5);
      isDead = false;
      await dev.stop();
      dev = await startDevNode({ db: inner });
      const number = fate === 'written' ? 2 : 5;
      expect([dev.best().number, dev.finalized().number]).toEqual([number, number]);
      expect([(await hashAt(2)) !== null, (await hashAt(5)) !== null]).toEqual([true, fate === 'lost']);
      await dev.call('dev_newBlock');
      expect(dev.best().number).toBe(number + 1);
      if (fate === 'lost') await dev.stop();
    }
  });
});

describe('dev_reset', () => {
  it('returns to genesis with an empty pool and builds from there', async () => {
    const db = lastingDatabase();
    dev = await startDevNode({ db });
    const genesis = dev.best().hash;
    await dev.call('dev_newBlock', { transactions: [await transferToZoe()], count: 3 });
    await dev.call('author_submitExtrinsic', await transferToZoe(1));
    expect(await dev.call('dev_reset')).toEqual({ hash: genesis, number: 0 });
    expect(await dev.call('author_pendingExtrinsics')).toEqual([]);
    expect(await dev.free(zoe())).toBe(0n);
    await dev.stop();
    dev = await startDevNode({ db });
    expect(dev.best()).toMatchObject({ hash: genesis, number: 0 });
    await dev.call('dev_newBlock', { transactions: [await transferToZoe()] });
    expect([dev.best().number, await dev.free(zoe())]).toEqual([1, 10n ** 12n]);
  });
});
