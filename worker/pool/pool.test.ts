import { describe, expect, it, vi } from 'vitest';
import { bytesToKey, textToBytes } from '../bytes/bytes.ts';
import type { BlockHash } from '../codec/identity.ts';
import { createWorld } from './made-up-chain.fixture.ts';
import type { Pool } from './pool.ts';

describe('submission', () => {
  it('orders by priority, expiry and arrival, with nonces in sequence', async () => {
    const { submit, order } = createWorld();
    for (const text of ['a:1:9', 'b:0:5', 'c:0:5', 'a:0:1', 'd:0:5:7', 'e:0:7'])
      expect((await submit(text)).ok).toBe(true);
    expect(order()).toEqual(['e:0:7', 'd:0:5:7', 'b:0:5', 'c:0:5', 'a:0:1', 'a:1:9']);
  });

  it('returns each refusal of sc-transaction-pool', async () => {
    const { submit, refused, pool, world, hashOf } = createWorld();
    await submit('a:0:4');
    expect(await submit('a:0:4')).toEqual({ ok: false, reason: 'alreadyImported' });
    expect(await submit('a:0:4')).toEqual({ ok: false, reason: 'alreadyImported' });
    expect(await submit('a:0:3')).toEqual({ ok: false, reason: 'tooLowPriority', old: 4n, new: 3n });
    expect(await submit('a:0:03')).toMatchObject({ reason: 'tooLowPriority' });
    refused.set('bad', { kind: 'invalid', error: Uint8Array.of(4) });
    expect(await submit('bad')).toEqual({ ok: false, reason: 'invalid', error: Uint8Array.of(4) });
    expect(await submit('bad')).toEqual({ ok: false, reason: 'banned' });
    refused.set('odd', { kind: 'unknown', error: Uint8Array.of(1) });
    expect(await submit('odd')).toEqual({ ok: false, reason: 'unknown', error: Uint8Array.of(1) });
    expect(await submit('odd')).toMatchObject({ reason: 'unknown' });
    refused.set('trap', { kind: 'failed', message: 'Runtime error' });
    expect(await submit('trap')).toEqual({ ok: false, reason: 'failed', message: 'Runtime error' });
    expect(await submit('trap')).toMatchObject({ reason: 'banned' });
    refused.set('bare', {
      kind: 'valid',
      priority: 1n,
      requires: [],
      provides: [],
      longevity: 1n,
      propagate: true,
    });
    expect(await submit('bare')).toEqual({ ok: false, reason: 'noTags' });
    pool.remove([hashOf('a:0:4')], true);
    expect(await submit('a:0:4')).toMatchObject({ reason: 'banned' });
    world.nowMs = 1_800_000;
    expect(await submit('a:0:4')).toMatchObject({ ok: true });
    expect(pool.readyCount()).toBe(1);
  });

  it('refuses according to its options', async () => {
    const { submit, refused } = createWorld({ rejectFuture: true, isAuthor: () => false, banMs: 0 });
    expect(await submit('a:1:0')).toEqual({ ok: false, reason: 'futureRejected' });
    refused.set('own', {
      kind: 'valid',
      priority: 1n,
      requires: [],
      provides: [Uint8Array.of(1)],
      longevity: 1n,
      propagate: false,
    });
    expect(await submit('own')).toEqual({ ok: false, reason: 'unactionable' });
    refused.set('bad', { kind: 'invalid', error: Uint8Array.of(4) });
    expect(await submit('bad')).toMatchObject({ reason: 'invalid' });
    expect(await submit('bad')).toMatchObject({ reason: 'invalid' });
  });

  it('imports one of two identical concurrent submissions, and copies the bytes', async () => {
    const { pool, extrinsic, order } = createWorld();
    const bytes = extrinsic('a:0:1');
    const both = [pool.submit(bytes, 2), pool.submit(bytes, 2)];
    const [first, second] = await Promise.all(both);
    expect(first).toMatchObject({ ok: true });
    expect(second).toEqual({ ok: false, reason: 'alreadyImported' });
    bytes.fill(0);
    expect(order()).toEqual(['a:0:1']);
  });

  it('adds those of one client in order, even if one between them fails or needs no validation', async () => {
    const { pool, world, extrinsic, order, submit } = createWorld();
    await submit('known:0:1');
    world.lost.add('lost:0:1');
    const client = {};
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    const first = pool.submit(extrinsic('a:0:1'), 2, client);
    world.gate = null;
    const rest = ['lost:0:1', 'known:0:1', 'b:0:1'].map((text) => pool.submit(extrinsic(text), 2, client));
    await expect(rest[0]).rejects.toMatchObject({ code: 'NotCached' });
    await new Promise(setImmediate);
    gate.resolve();
    expect(await first).toMatchObject({ ok: true });
    expect(await rest[1]).toEqual({ ok: false, reason: 'alreadyImported' });
    expect(await rest[2]).toMatchObject({ ok: true });
    expect(order()).toEqual(['known:0:1', 'a:0:1', 'b:0:1']);
  });

  it('revalidates when a block arrives meanwhile', async () => {
    const { world, submit, block, order } = createWorld();
    let open = (): void => undefined;
    world.gate = new Promise((resolve) => {
      open = resolve;
    });
    const pending = submit('a:1:1');
    await block('x', ['a:0:1']);
    open();
    world.gate = null;
    expect(await pending).toMatchObject({ ok: true });
    expect(order()).toEqual(['a:1:1']);
  });

  it('enforces its limits: the worst are dropped with their dependents, banned and reported', async () => {
    const { submit, watch, order, pool } = createWorld({
      limits: { ready: { count: 3, bytes: 1000 }, future: { count: 1, bytes: 1000 } },
    });
    await submit('a:0:1');
    await submit('a:1:9');
    const seen = [watch('a:0:1'), watch('a:1:9')];
    await submit('b:0:2');
    await submit('c:0:3');
    expect(seen).toEqual([
      ['ready', 'dropped'],
      ['ready', 'dropped'],
    ]);
    expect(order()).toEqual(['c:0:3', 'b:0:2']);
    expect(await submit('a:1:9')).toMatchObject({ reason: 'banned' });
    await submit('d:0:5');
    expect(await submit('e:0:1')).toEqual({ ok: false, reason: 'immediatelyDropped' });
    await submit('f:1:0');
    const future = watch('f:1:0');
    await submit('g:1:1');
    expect(future).toEqual(['future', 'dropped']);
    expect(pool.future().length).toBe(1);
    expect(pool.status()).toMatchObject({ ready: 3, future: 1 });
  });

  it('full in both queues: only a better transaction replaces the worst, which may be submitted again', async () => {
    const { submit, watch, order } = createWorld({
      limits: { ready: { count: 2, bytes: 1000 }, future: { count: 1, bytes: 1000 } },
    });
    for (const text of ['a:0:2', 'b:0:2', 'c:1:3']) await submit(text);
    const [first, waiting] = [watch('a:0:2'), watch('c:1:3')];
    const dropped = { ok: false, reason: 'immediatelyDropped' };
    expect(await submit('d:0:2')).toEqual(dropped);
    expect(await submit('d:1:2')).toEqual(dropped);
    expect(await submit('d:0:2')).toEqual(dropped);
    expect(await submit('d:0:3')).toMatchObject({ ok: true });
    expect([first, waiting]).toEqual([['ready', 'dropped'], ['future']]);
    expect(order()).toEqual(['d:0:3', 'b:0:2']);
    expect(await submit('a:0:2')).toEqual(dropped);
  });

  it('reports invalid or banned transactions as dropped while it is full, and bans none', async () => {
    const { submit, refused, pool, hashOf } = createWorld({
      limits: { ready: { count: 1, bytes: 1000 }, future: { count: 1, bytes: 1000 } },
    });
    const dropped = { ok: false, reason: 'immediatelyDropped' };
    for (const text of ['a:0:2', 'c:1:3']) await submit(text);
    refused.set('bad', { kind: 'invalid', error: Uint8Array.of(4) });
    refused.set('odd', { kind: 'unknown', error: Uint8Array.of(1) });
    refused.set('trap', { kind: 'failed', message: 'Runtime error' });
    for (const text of ['bad', 'odd', 'trap']) expect(await submit(text)).toEqual(dropped);
    expect(pool.banned()).toEqual([]);
    expect(await submit('a:0:2')).toEqual({ ok: false, reason: 'alreadyImported' });
    pool.remove([hashOf('d:0:9')], true);
    expect(await submit('d:0:9')).toEqual(dropped);
    pool.remove([hashOf('a:0:2')], false);
    expect(await submit('d:0:9')).toEqual({ ok: false, reason: 'banned' });
    expect(await submit('bad')).toMatchObject({ reason: 'invalid' });
  });

  it('makes room for all bytes of a better one', async () => {
    const { submit, watch, order } = createWorld({
      limits: { ready: { count: 9, bytes: 24 }, future: { count: 1, bytes: 0 } },
    });
    const texts = ['a:0:1', 'b:0:2', 'c:0:3'];
    for (const text of texts) await submit(text);
    const seen = texts.map((text) => watch(text));
    expect(order()).toHaveLength(3);
    expect(await submit('d:0:2:9999999999')).toEqual({ ok: false, reason: 'immediatelyDropped' });
    expect(await submit('d:0:9:99')).toMatchObject({ ok: true });
    expect(seen).toEqual([['ready', 'dropped'], ['ready'], ['ready']]);
  });
});

describe('watchers', () => {
  it('report future, ready, inBlock, finalized', async () => {
    const { submit, watch, block, pool } = createWorld();
    const seen = watch('a:1:1');
    await submit('a:1:1');
    await submit('a:0:1');
    await block('x', ['a:0:1']);
    await block('y', ['a:1:1']);
    pool.onFinalized(['x', 'y'] as BlockHash[]);
    pool.onFinalized(['y'] as BlockHash[]);
    expect(seen).toEqual(['future', 'ready', 'inBlock y 1', 'finalized y 1']);
  });

  it('report usurped and invalid, and nothing after they are removed', async () => {
    const { submit, watch, pool, hashOf } = createWorld();
    await submit('a:0:1');
    await submit('a:1:1');
    const old = watch('a:0:1');
    const dependent = watch('a:1:1');
    const heard = vi.fn();
    pool.watch(hashOf('a:0:1'), heard)();
    await submit('a:0:2');
    expect(old).toEqual(['ready', 'usurped a:0:2']);
    expect(dependent).toEqual(['ready']);
    expect(pool.remove([hashOf('a:0:2')], true).map(({ hash }) => hash)).toEqual([
      hashOf('a:0:2'),
      hashOf('a:1:1'),
    ]);
    expect(dependent).toEqual(['ready', 'invalid']);
    expect(await submit('a:1:1')).toMatchObject({ ok: true });
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('stop waiting for finality', async () => {
    const { submit, watch, block } = createWorld({ maxFinalityBlocks: 2 });
    await submit('a:0:1');
    const seen = watch('a:0:1');
    await block('w', ['a:0:1']);
    for (const [i, name] of ['x', 'y'].entries()) {
      await submit(`b:${i}:1`);
      watch(`b:${i}:1`);
      await block(name, [`b:${i}:1`]);
    }
    expect(seen).toEqual(['ready', 'inBlock w 1', 'finalityTimeout w']);
  });

  it('report inBlock without ready if a block includes it first', async () => {
    const { watch, block } = createWorld();
    const seen = watch('a:0:1');
    await block('x', ['a:0:1']);
    expect(seen).toEqual(['inBlock x 1']);
  });
});

describe('other behavior', () => {
  const run = async (use: (pool: Pool) => Promise<void>): Promise<void> => use(createWorld().pool);

  it('reports transactions that become ready, including promoted ones', async () => {
    const { pool, submit, textOf } = createWorld();
    const seen: string[] = [];
    const off = pool.onReady((transaction) => seen.push(textOf(transaction.extrinsic)));
    await submit('a:1:1');
    await submit('a:0:1');
    off();
    await submit('b:0:1');
    expect(seen).toEqual(['a:0:1', 'a:1:1']);
    expect(pool.pending().map(textOf)).toEqual(['a:0:1', 'a:1:1', 'b:0:1']);
  });

  it('does nothing after close', () =>
    run(async (pool) => {
      pool.close();
      pool.close();
      expect(await pool.submit(Uint8Array.of(4, 0x84), 2)).toMatchObject({ ok: false, reason: 'failed' });
      await pool.onBlock({ hash: 'x' as BlockHash, number: 1, enacted: [], retracted: [] });
      await pool.idle();
    }));

  it('keys tags by their bytes', async () => {
    const { pool, submit, hashOf } = createWorld();
    await submit('a:0:1');
    expect(pool.get(hashOf('a:0:1'))?.provides).toEqual([bytesToKey(textToBytes('a/0'))]);
    expect(pool.get(hashOf('b:0:1'))).toBeNull();
  });
});
