import { afterAll, beforeAll, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { Batch, Database } from '../../worker/db/database.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { importFork, openForkOf, openWhole } from './fork-rig.ts';

// The disk of the fork's own database is full.

let live: DevNode;
beforeAll(async () => {
  live = await startDevNode();
  for (let block = 0; block < 6; block++) await live.call('engine_createBlock', true, true);
}, 60_000);
afterAll(() => live.stop());

/** A database that refuses some writes. */
const limited = (isRefused: (batch: Batch) => boolean): Database => {
  const whole = lastingDatabase();
  return {
    ...whole,
    write: (batch) => (isRefused(batch) ? Promise.reject(new NodeError('StorageQuota')) : whole.write(batch)),
  };
};

it.each<readonly [string, (batch: Batch) => boolean]>([
  ['from the beginning', () => true],
  ['once the base is written', ({ puts }) => puts.some(([store]) => store === 'headers')],
])('a new fork is refused if the disk is full %s, and nothing of it is there', async (_when, isRefused) => {
  let isFull = true;
  const db = limited((batch) => isFull && isRefused(batch));
  await expect(openForkOf(live.node, { db, keys: [] })).rejects.toMatchObject({ code: 'StorageQuota' });
  for (const store of ['meta', 'headers', 'bodies'] as const) expect(await db.range(store)).toEqual([]);
  isFull = false;
  const { node, call } = await openForkOf(live.node, { db, keys: [] });
  await call('engine_createBlock', true, true);
  expect(node.parts.chain.best().number).toBe(7);
  await node.close();
});

it('in the middle of a block, the block is dropped whole, and the next one is built once there is room', async () => {
  // After each number of writes, in a fork of its own.
  let dropped = 0;
  for (let after = 0; ; after++) {
    let left = Number.POSITIVE_INFINITY;
    const db = limited(() => left-- <= 0);
    const { node, call } = await openForkOf(live.node, { db, keys: [] });
    const before = node.parts.chain.best();
    const transfer = await live.transfer('//Alice', new Uint8Array(32).fill(9), 10n ** 12n, 0);
    await call('author_submitExtrinsic', transfer);
    left = after;
    const sealed = await node.parts.author.seal({ createEmpty: true, finalize: false });
    const isBuilt = sealed.ok;
    if (!sealed.ok) {
      dropped += 1;
      expect(sealed.code).toBe('StorageQuota');
      expect(node.parts.chain.best()).toEqual(before);
    }
    left = Number.POSITIVE_INFINITY;
    await call('engine_createBlock', true, true);
    expect(await call('author_pendingExtrinsics')).toEqual([]);
    const whole = await openWhole(live.node, 'development', 6, { trustBlocks: true });
    await importFork(whole, node);
    await whole.close();
    await node.close();
    if (isBuilt) break;
  }
  expect(dropped).toBeGreaterThan(0);
}, 120_000);
