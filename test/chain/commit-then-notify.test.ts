import { expect, it, onTestFinished } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { Batch, Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode } from '../../worker/node.ts';
import { openWire } from '../clients/wire.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

type Event = Readonly<Record<string, unknown>>;

/** A node whose block writes are held until the test lets them succeed or fail. */
const openHeld = async () => {
  const db = createMemoryDatabase();
  let hold: ((batch: Batch) => Promise<void>) | null = null;
  const write: Database['write'] = async (batch) => {
    if (batch.puts.some(([store]) => store === 'bodies')) await hold?.(batch);
    return db.write(batch);
  };
  const platform = createTestPlatform({ db: { ...db, write } });
  const node = await createNode(platform, testConfig('development', { finality: { kind: 'manual' } }));
  const wire = openWire(node);
  onTestFinished(async () => {
    wire.close();
    await node.close();
  });
  /** Resolves when the next block's write has started; `end` lets it continue, or makes it fail. */
  const holdNext = () => {
    const begun = Promise.withResolvers<BlockHash>();
    const gate = Promise.withResolvers<void>();
    hold = (batch) => {
      hold = null;
      const header = batch.puts.find(([store]) => store === 'headers');
      begun.resolve(`0x${Buffer.from(header?.[1] ?? []).toString('hex')}` as BlockHash);
      return gate.promise;
    };
    return { begun: begun.promise, end: gate.resolve, fail: gate.reject };
  };
  const follow = async () => {
    const { items } = await wire.follow('chainHead_v1_follow', false);
    await expect.poll(() => items.some((item) => (item as Event)['event'] === 'bestBlockChanged')).toBe(true);
    return items as Event[];
  };
  const seal = () => node.parts.author.seal({ createEmpty: true, finalize: false });
  return { node, holdNext, follow, seal };
};

const announced = (items: readonly Event[], hash: BlockHash): Event[] =>
  items.filter((item) => item['event'] === 'newBlock' && item['blockHash'] === hash);

it('announces a block once, after its write, to a follow opened during the write', async () => {
  const { node, holdNext, follow, seal } = await openHeld();
  const write = holdNext();
  const sealed = seal();
  const hash = await write.begun;
  const items = await follow();
  expect(node.parts.chain.unfinalized().map((block) => block.hash)).not.toContain(hash);
  expect(announced(items, hash)).toEqual([]);
  write.end();
  expect(await sealed).toMatchObject({ ok: true, hash });
  await expect.poll(() => items.at(-1)).toMatchObject({ event: 'bestBlockChanged', bestBlockHash: hash });
  expect(announced(items, hash)).toHaveLength(1);
});

it('leaves no trace of a block whose write fails, and accepts the next one', async () => {
  const { node, holdNext, follow, seal } = await openHeld();
  const before = await follow();
  const write = holdNext();
  const sealed = seal();
  const hash = await write.begun;
  const during = await follow();
  write.fail(new NodeError('StorageQuota', 'the disk is full'));
  expect(await sealed).toMatchObject({ ok: false, code: 'StorageQuota' });
  expect(node.parts.chain.unfinalized()).toHaveLength(1);
  expect(await node.parts.chain.loadHeader(hash)).toBeNull();
  const next = await seal();
  expect(next).toMatchObject({ ok: true, number: 1 });
  for (const items of [before, during, await follow()]) {
    await expect.poll(() => items.at(-1)).toMatchObject({ event: 'bestBlockChanged' });
    expect(announced(items, hash)).toEqual([]);
    expect(items.filter((item) => item['event'] === 'newBlock')).toHaveLength(1);
  }
});
