import { describe, expect, it } from 'vitest';
import { checkWhole } from '../../test/chain/whole-chain.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import type { Database } from '../db/database.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import { createNode, type Node } from '../node.ts';

type Kill = { readonly atWrite: number; readonly when: 'before' | 'after' };

/**
 * A database whose process dies at one write, of which either nothing or everything is stored. Later writes
 * are lost.
 */
const mortal = (db: Database, kill: Kill): { readonly db: Database; dead(): boolean } => {
  let writes = 0;
  let dead = false;
  const write: Database['write'] = async (batch) => {
    if (dead) throw new Error('the process is dead');
    const dies = writes++ === kill.atWrite;
    if (dies && kill.when === 'before') dead = true;
    if (!dead) await db.write(batch);
    if (dies) dead = true;
    if (dead) throw new Error('killed');
  };
  return { db: { ...db, write, close: async () => undefined }, dead: () => dead };
};

const open = (db: Database): Promise<Node> =>
  createNode(createTestPlatform({ db }), testConfig('development'));

const seal = (node: Node) => node.parts.author.seal({ createEmpty: true, finalize: false });

describe('after a kill at any write, the chain has the old block or the new one', () => {
  it('after 52 kills in a row on one database', async () => {
    const disk = createMemoryDatabase();
    const first = await open({ ...disk, close: async () => undefined });
    await seal(first);
    await first.close();
    let number = first.parts.chain.best().number;
    for (let round = 0; round < 52; round++) {
      const kill: Kill = { atWrite: round % 3, when: round % 2 === 0 ? 'before' : 'after' };
      const grave = mortal(disk, kill);
      const node = await open(grave.db);
      expect(node.parts.chain.best().number).toBe(number);
      for (let tries = 0; tries < 4 && !grave.dead(); tries++) await seal(node).catch(() => undefined);
      await node.close().catch(() => undefined);
      expect(grave.dead()).toBe(true);
      const reborn = await open({ ...disk, close: async () => undefined });
      await checkWhole(reborn);
      const after = reborn.parts.chain.best().number;
      const written = kill.atWrite + (kill.when === 'after' ? 1 : 0);
      expect(after - number).toBeLessThanOrEqual(written);
      expect(after).toBeGreaterThanOrEqual(number);
      const sealed = await seal(reborn);
      expect(sealed.ok).toBe(true);
      await reborn.close();
      number = reborn.parts.chain.best().number;
    }
  }, 240_000);

  it('stores a block even if the journals cannot be moved after it; the next block moves them', async () => {
    const disk = createMemoryDatabase();
    let isFull = false;
    let refused = 0;
    const flaky: Database = {
      ...disk,
      write: async (batch) => {
        if (isFull && batch.puts.some(([store]) => store === 'nodes')) {
          refused++;
          throw new Error('quota');
        }
        await disk.write(batch);
      },
      close: async () => undefined,
    };
    const platform = createTestPlatform({ db: flaky });
    const node = await createNode({ ...platform, journalBytes: 30_000 }, testConfig('development'));
    const { chain } = node.parts;
    const waiting = async (): Promise<number> => (await disk.range('journals', {})).length;
    await expect.poll(waiting).toBe(0);
    isFull = true;
    while (refused < 2) {
      const number = chain.best().number + 1;
      expect(await seal(node)).toMatchObject({ ok: true, number });
    }
    expect(platform.errors).toContainEqual(new Error('quota'));
    expect(await waiting()).toBe(chain.best().number);
    isFull = false;
    expect(await seal(node)).toMatchObject({ ok: true });
    await expect.poll(waiting).toBe(0);
    await checkWhole(node);
    await node.close();
  }, 60_000);

  it('keeps running on the old block after a failed commit', async () => {
    const disk = createMemoryDatabase();
    let failNext = false;
    const flaky: Database = {
      ...disk,
      write: async (batch) => {
        if (failNext) {
          failNext = false;
          throw new Error('quota');
        }
        await disk.write(batch);
      },
    };
    const node = await open(flaky);
    await seal(node);
    const before = node.parts.chain.best();
    failNext = true;
    await expect(seal(node)).rejects.toThrow('quota');
    expect(node.parts.chain.best()).toEqual(before);
    expect((await seal(node)).ok).toBe(true);
    expect(node.parts.chain.best().number).toBe(before.number + 1);
    await node.close();
  });
});
