import { describe, expect, it } from 'vitest';
import type { BlockHash } from '../codec/identity.ts';
import { createWorld } from './made-up-chain.fixture.ts';

describe('blocks', () => {
  it('are pruned, and dependents stay ready', async () => {
    const { submit, block, order, pool } = createWorld();
    for (const text of ['a:0:1', 'a:1:1', 'a:2:1', 'b:0:1']) await submit(text);
    await block('x', ['a:0:1', 'a:1:1']);
    expect(order()).toEqual(['a:2:1', 'b:0:1']);
    await pool.idle();
    expect(order()).toEqual(['a:2:1', 'b:0:1']);
  });

  it('promote transactions that depend on an included one', async () => {
    const { submit, block, order, watch, pool } = createWorld();
    await submit('a:2:1');
    const seen = watch('a:2:1');
    await submit('a:0:1');
    await block('x', ['a:0:1', 'a:1:7']);
    await pool.idle();
    expect(order()).toEqual(['a:2:1']);
    expect(seen).toEqual(['future', 'ready']);
  });

  it('drop a competitor of the included transaction', async () => {
    const { submit, block, order, watch, pool } = createWorld();
    await submit('a:0:1');
    await block('w', []);
    // The block contains another transaction with the same nonce, which was never in the pool.
    await submit('a:0:5');
    await submit('a:1:1');
    const seen = watch('a:0:5');
    await block('x', ['a:0:9']);
    await pool.idle();
    expect(order()).toEqual(['a:1:1']);
    expect(seen).toEqual(['ready', 'invalid']);
  });

  it('drop a competitor of an included transaction whose tags are known', async () => {
    const { submit, block, order, watch, world } = createWorld();
    await submit('a:0:1');
    await block('w', ['a:0:1']);
    await block('v', [], [['w', ['a:0:1']]]);
    await submit('a:0:5');
    await submit('a:1:1');
    const seen = ['a:0:1', 'a:0:5', 'a:1:1'].map(watch);
    const before = world.validations;
    await block('x', ['a:0:1'], [['v', []]]);
    expect(order()).toEqual(['a:1:1']);
    expect(seen).toEqual([['inBlock x 1'], ['ready', 'invalid'], ['ready']]);
    expect(world.validations).toBe(before + 1);
  });

  it('lift the ban of a transaction that is included nevertheless', async () => {
    const { submit, block, pool, hashOf } = createWorld();
    await submit('a:0:1');
    pool.remove([hashOf('a:0:1')], true);
    await block('x', ['a:0:1']);
    await block('y', [], [['x', ['a:0:1']]]);
    expect(pool.readyCount()).toBe(1);
  });

  it('remove and ban expired transactions', async () => {
    const { submit, block, order, watch } = createWorld();
    await submit('a:0:1:2');
    await submit('a:1:1');
    await submit('b:3:1:2');
    const seen = [watch('a:0:1:2'), watch('a:1:1'), watch('b:3:1:2')];
    await block('x', []);
    expect(order()).toEqual(['a:0:1:2', 'a:1:1']);
    await block('y', []);
    expect(order()).toEqual([]);
    expect(seen).toEqual([
      ['ready', 'invalid'],
      ['ready', 'invalid'],
      ['future', 'invalid'],
    ]);
    expect(await submit('a:0:1:2')).toMatchObject({ reason: 'banned' });
    expect(await submit('a:1:1')).toMatchObject({ ok: true });
  });

  it('resubmit transactions that a reorg retracts, unless the new branch includes them', async () => {
    const { submit, block, order, watch, pool } = createWorld();
    for (const text of ['a:0:1', 'b:0:1', 'b:1:1']) await submit(text);
    const seen = ['a:0:1', 'b:0:1', 'b:1:1'].map(watch);
    await block('x', ['a:0:1', 'b:0:1']);
    expect(order()).toEqual(['b:1:1']);
    await block('y', ['b:0:1'], [['x', ['a:0:1', 'b:0:1']]]);
    expect(order()).toEqual(['b:1:1', 'a:0:1']);
    pool.onFinalized(['y' as BlockHash]);
    expect(seen).toEqual([
      ['ready', 'inBlock x 1', 'retracted x', 'ready'],
      ['ready', 'inBlock x 2', 'retracted x', 'inBlock y 1', 'finalized y 1'],
      ['ready'],
    ]);
  });

  it('report a retracted transaction that has become invalid', async () => {
    const { submit, block, watch, refused } = createWorld();
    await submit('a:0:1');
    const seen = watch('a:0:1');
    await block('x', ['a:0:1']);
    refused.set('a:0:1', { kind: 'invalid', error: Uint8Array.of(1) });
    await block('y', [], [['x', ['a:0:1']]]);
    expect(seen).toEqual(['ready', 'inBlock x 1', 'retracted x', 'invalid']);
  });
});

describe('after a reorg', () => {
  /** b:1 and c:0 were accepted on a block with b:0. When it is retracted, c:0 is invalid next to b:0. */
  const fork = async () => {
    const one = createWorld();
    const seen: Record<string, string[]> = {};
    const submit = async (text: string): Promise<void> => {
      await one.submit(text);
      seen[text] = one.watch(text);
    };
    await submit('b:0:1');
    await one.block('x', ['b:0:1']);
    for (const text of ['b:1:9', 'c:0:9', 'd:0:1', 'e:0:1']) await submit(text);
    one.refused.set('c:0:9', { kind: 'invalid', error: Uint8Array.of(1) });
    let wake = (): void => undefined;
    one.world.pause = new Promise((resolve) => {
      wake = resolve;
    });
    const before = one.world.validations;
    await one.block('y', [], [['x', ['b:0:1']]]);
    return { ...one, seen, wake, checked: () => one.world.validations - before };
  };

  it('the pool settles once retracted transactions are back; others are rechecked in the background', async () => {
    const { pool, order, seen, wake, checked } = await fork();
    expect(checked()).toBe(1);
    expect(order()).toEqual(['b:1:9', 'c:0:9', 'd:0:1', 'e:0:1', 'b:0:1']);
    wake();
    await pool.idle();
    expect(checked()).toBe(1 + 5);
    expect(order()).toEqual(['d:0:1', 'e:0:1', 'b:0:1', 'b:1:9']);
    expect(seen).toEqual({
      'b:0:1': ['ready', 'inBlock x 1', 'retracted x', 'ready'],
      'b:1:9': ['ready'],
      'c:0:9': ['ready', 'invalid'],
      'd:0:1': ['ready'],
      'e:0:1': ['ready'],
    });
  });

  it('nothing is lost or forgotten if blocks arrive before the check is done', async () => {
    const { pool, block, order, seen, wake, checked } = await fork();
    await block('z', ['b:0:1', 'd:0:1']);
    await block('w', []);
    expect(checked()).toBe(1);
    wake();
    await pool.idle();
    expect(order()).toEqual(['b:1:9', 'e:0:1']);
    expect(seen).toEqual({
      'b:0:1': ['ready', 'inBlock x 1', 'retracted x', 'ready', 'inBlock z 1'],
      'b:1:9': ['ready'],
      'c:0:9': ['ready', 'invalid'],
      'd:0:1': ['ready', 'inBlock z 2'],
      'e:0:1': ['ready'],
    });
  });
});

describe('revalidation', () => {
  it('removes transactions that became invalid, with their dependents, and keeps those of unknown validity', async () => {
    const { submit, order, pool, refused, watch } = createWorld();
    for (const text of ['a:0:1', 'a:1:1', 'b:0:1', 'c:0:1']) await submit(text);
    const seen = ['a:0:1', 'a:1:1'].map(watch);
    refused.set('a:0:1', { kind: 'invalid', error: Uint8Array.of(1) });
    refused.set('b:0:1', { kind: 'unknown', error: Uint8Array.of(0) });
    await pool.revalidate();
    expect(order()).toEqual(['b:0:1', 'c:0:1']);
    expect(seen).toEqual([
      ['ready', 'invalid'],
      ['ready', 'invalid'],
    ]);
    expect(await submit('a:0:1')).toMatchObject({ reason: 'banned' });
    expect(await submit('a:1:1')).toMatchObject({ ok: true });
  });

  it('moves a transaction that now needs another tag, and notifies no watcher without a change', async () => {
    const { submit, order, pool, nonces, watch } = createWorld();
    nonces.set('a', 3);
    for (const text of ['a:3:1', 'a:4:1']) await submit(text);
    const seen = ['a:3:1', 'a:4:1'].map(watch);
    await pool.revalidate();
    expect(order()).toEqual(['a:3:1', 'a:4:1']);
    nonces.set('a', 2);
    await pool.revalidate();
    expect(order()).toEqual([]);
    expect(pool.futureCount()).toBe(2);
    nonces.set('a', 3);
    await pool.revalidate();
    expect(order()).toEqual(['a:3:1', 'a:4:1']);
    expect(seen).toEqual([
      ['ready', 'future', 'ready'],
      ['ready', 'future', 'ready'],
    ]);
  });

  it('runs in the background when due, and after unknown extrinsics', async () => {
    const { submit, block, order, pool, world, nonces } = createWorld();
    await submit('a:2:1');
    nonces.set('b', 1);
    await block('x', ['a:0:1', 'a:1:1']);
    await pool.idle();
    // The included ones were never in the pool, so their tags are unknown.
    expect(order()).toEqual(['a:2:1']);
    const before = world.validations;
    for (let i = 0; i < 30; i++) await block(`n${i}`, []);
    await pool.idle();
    expect(world.validations).toBe(before);
    world.nowMs += 60_000;
    await block('z', []);
    await pool.idle();
    expect(world.validations).toBe(before + 1);
  });
});
