import { describe, expect, it, vi } from 'vitest';
import { bytesToKey, bytesToText, concatBytes, textToBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import { type BlockHash, bytesToExtrinsicHash, type ExtrinsicHash } from '../codec/identity.ts';
import {
  createPool,
  type Pool,
  type PoolOptions,
  type TransactionStatus,
  type ValidateResult,
} from './pool.ts';

/** A made-up chain of accounts with nonces, in which "name:nonce:tip[:life]" is a signed extrinsic. */
const createWorld = (options: PoolOptions = {}) => {
  const nonces = new Map<string, number>();
  const refused = new Map<string, ValidateResult>();
  const world = { nowMs: 0, best: 10, validations: 0, gate: null as Promise<void> | null };
  const textOf = (extrinsic: Uint8Array): string => bytesToText(extrinsic.subarray(2));
  const extrinsic = (text: string, version = 0x84): Uint8Array => {
    const body = concatBytes(Uint8Array.of(version), textToBytes(text));
    return new Writer().vecBytes(body).finish();
  };
  // Short texts only, so that the length prefix is one byte.
  const hash = (bytes: Uint8Array): Uint8Array => {
    const out = new Uint8Array(32);
    out.set(bytes.subarray(0, 32));
    return out;
  };
  const validate = async (bytes: Uint8Array): Promise<ValidateResult> => {
    world.validations++;
    const text = textOf(bytes);
    const [name = '', nonceText = '0', tip = '0', life] = text.split(':');
    const current = nonces.get(name) ?? 0;
    if (world.gate !== null) await world.gate;
    const other = refused.get(text);
    if (other !== undefined) return other;
    const nonce = Number(nonceText);
    if (nonce < current) return { kind: 'invalid', error: Uint8Array.of(3) };
    const tag = (n: number): Uint8Array => textToBytes(`${name}/${n}`);
    return {
      kind: 'valid',
      priority: BigInt(tip),
      requires: nonce > current ? [tag(nonce - 1)] : [],
      provides: [tag(nonce)],
      longevity: life === undefined ? 0xffff_ffff_ffff_ffffn : BigInt(life),
      propagate: true,
    };
  };
  const pool = createPool(
    { validate, hash, now: () => world.nowMs, bestNumber: () => world.best, sleep: async () => undefined },
    options,
  );
  const hashOf = (text: string): ExtrinsicHash => bytesToExtrinsicHash(hash(extrinsic(text)));
  const submit = (text: string) => pool.submit(extrinsic(text), 2);
  const watch = (text: string): string[] => {
    const seen: string[] = [];
    pool.watch(hashOf(text), (status) => seen.push(statusText(status)));
    return seen;
  };
  /** Executes the texts and tells the pool. */
  const block = (
    name: string,
    texts: readonly string[],
    retracted: readonly (readonly [string, readonly string[]])[] = [],
  ): Promise<void> => {
    world.best++;
    for (const [, gone] of retracted)
      for (const text of gone) nonces.set(text.split(':')[0] as string, Number(text.split(':')[1]));
    for (const text of texts) nonces.set(text.split(':')[0] as string, Number(text.split(':')[1]) + 1);
    return pool.onBlock({
      hash: name as BlockHash,
      number: world.best,
      enacted: [
        {
          hash: name as BlockHash,
          extrinsics: [extrinsic('inherent', 0x04), ...texts.map((text) => extrinsic(text))],
        },
      ],
      retracted: retracted.map(([hash_, gone]) => ({
        hash: hash_ as BlockHash,
        extrinsics: [extrinsic('inherent', 0x04), ...gone.map((text) => extrinsic(text))],
      })),
    });
  };
  const order = (): string[] => [...pool.ready()].map((transaction) => textOf(transaction.extrinsic));
  return { world, pool, submit, watch, block, order, hashOf, extrinsic, nonces, refused, textOf };
};

const statusText = (status: TransactionStatus): string => {
  switch (status.kind) {
    case 'broadcast':
      return `broadcast ${status.peers.join()}`;
    case 'inBlock':
    case 'finalized':
      return `${status.kind} ${status.block} ${status.index}`;
    case 'retracted':
    case 'finalityTimeout':
      return `${status.kind} ${status.block}`;
    case 'usurped':
      return `usurped ${bytesToText(Uint8Array.from(status.by.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)).subarray(2)).replace(/\0+$/, '')}`;
    default:
      return status.kind;
  }
};

describe('submission', () => {
  it('orders by priority, expiry and arrival, nonces first', async () => {
    const { submit, order } = createWorld();
    for (const text of ['a:1:9', 'b:0:5', 'c:0:5', 'a:0:1', 'd:0:5:7', 'e:0:7'])
      expect((await submit(text)).ok).toBe(true);
    expect(order()).toEqual(['e:0:7', 'd:0:5:7', 'b:0:5', 'c:0:5', 'a:0:1', 'a:1:9']);
  });

  it('answers each refusal of RPC.md §6.2', async () => {
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

  it('refuses by its options', async () => {
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

  it('imports one of two equal submissions at the same time, and copies the bytes', async () => {
    const { pool, extrinsic, order } = createWorld();
    const bytes = extrinsic('a:0:1');
    const both = [pool.submit(bytes, 2), pool.submit(bytes, 2)];
    const [first, second] = await Promise.all(both);
    expect(first).toMatchObject({ ok: true });
    expect(second).toEqual({ ok: false, reason: 'alreadyImported' });
    bytes.fill(0);
    expect(order()).toEqual(['a:0:1']);
  });

  it('validates again when a block comes meanwhile', async () => {
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

  it('keeps the limits: the worst go with their dependents, are banned and told', async () => {
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
    await submit('g:1:0');
    expect(future).toEqual(['future', 'dropped']);
    expect(pool.future().length).toBe(1);
    expect(pool.status()).toMatchObject({ ready: 3, future: 1 });
  });
});

describe('watchers', () => {
  it('follow future, ready, broadcast, inBlock, finalized', async () => {
    const { submit, watch, block, pool, hashOf } = createWorld();
    const seen = watch('a:1:1');
    await submit('a:1:1');
    await submit('a:0:1');
    pool.broadcast(hashOf('a:1:1'), ['p1', 'p2']);
    await block('x', ['a:0:1']);
    await block('y', ['a:1:1']);
    pool.onFinalized(['x', 'y'] as BlockHash[]);
    pool.onFinalized(['y'] as BlockHash[]);
    expect(seen).toEqual(['future', 'ready', 'broadcast p1,p2', 'inBlock y 1', 'finalized y 1']);
  });

  it('follow usurped, invalid and the end of a watch', async () => {
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

  it('give up waiting for finality', async () => {
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

  it('see inBlock without ready when a block has it first', async () => {
    const { watch, block } = createWorld();
    const seen = watch('a:0:1');
    await block('x', ['a:0:1']);
    expect(seen).toEqual(['inBlock x 1']);
  });
});

describe('blocks', () => {
  it('prune at once and keep the dependents ready', async () => {
    const { submit, block, order, pool } = createWorld();
    for (const text of ['a:0:1', 'a:1:1', 'a:2:1', 'b:0:1']) await submit(text);
    void block('x', ['a:0:1', 'a:1:1']);
    expect(order()).toEqual(['a:2:1', 'b:0:1']);
    await pool.idle();
    expect(order()).toEqual(['a:2:1', 'b:0:1']);
  });

  it('promote what waited for an included one', async () => {
    const { submit, block, order, watch } = createWorld();
    await submit('a:2:1');
    const seen = watch('a:2:1');
    await submit('a:0:1');
    await block('x', ['a:0:1', 'a:1:7']);
    expect(order()).toEqual(['a:2:1']);
    expect(seen).toEqual(['future', 'ready']);
  });

  it('drop a rival of the included one', async () => {
    const { submit, block, order, watch, pool } = createWorld();
    await submit('a:0:1');
    await block('w', []);
    // The block has another transaction of the same nonce, which the pool never saw.
    await submit('a:0:5');
    await submit('a:1:1');
    const seen = watch('a:0:5');
    await block('x', ['a:0:9']);
    await pool.idle();
    expect(order()).toEqual(['a:1:1']);
    expect(seen).toEqual(['ready', 'invalid']);
  });

  it('drop a rival of an included one whose tags are known', async () => {
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

  it('lift the ban of what is included all the same', async () => {
    const { submit, block, pool, hashOf } = createWorld();
    await submit('a:0:1');
    pool.remove([hashOf('a:0:1')], true);
    await block('x', ['a:0:1']);
    await block('y', [], [['x', ['a:0:1']]]);
    expect(pool.readyCount()).toBe(1);
  });

  it('remove and ban what expired', async () => {
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

  it('re-submit what a re-org retracts, save what the new branch includes', async () => {
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

  it('tell a retracted one that is invalid now', async () => {
    const { submit, block, watch, refused } = createWorld();
    await submit('a:0:1');
    const seen = watch('a:0:1');
    await block('x', ['a:0:1']);
    refused.set('a:0:1', { kind: 'invalid', error: Uint8Array.of(1) });
    await block('y', [], [['x', ['a:0:1']]]);
    expect(seen).toEqual(['ready', 'inBlock x 1', 'retracted x', 'invalid']);
  });
});

describe('revalidation', () => {
  it('removes what became invalid, with its dependents, and keeps unknown ones', async () => {
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

  it('moves what needs another tag now, silently where nothing changes', async () => {
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

  it('runs in the background when due and after unknown extrinsics', async () => {
    const { submit, block, order, pool, world, nonces } = createWorld();
    await submit('a:2:1');
    nonces.set('b', 1);
    await block('x', ['a:0:1', 'a:1:1']);
    await pool.idle();
    // Neither of the two was ever in the pool, so no tag told.
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

describe('the rest', () => {
  const run = async (use: (pool: Pool) => Promise<void>): Promise<void> => use(createWorld().pool);

  it('tells who becomes ready, also by promotion', async () => {
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

  it('is quiet after close', () =>
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
