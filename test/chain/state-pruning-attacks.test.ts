import { describe, expect, it } from 'vitest';
import { bytesToText } from '../../worker/bytes/bytes.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { createControl } from '../../worker/control.ts';
import { checkedDatabase, type Engine, uncheckedDatabase } from '../../worker/db/checked.ts';
import type { Batch, Database } from '../../worker/db/database.ts';
import { createMemoryDatabase, createMemoryEngine } from '../../worker/db/memory.ts';
import { migrate } from '../../worker/db/migrate.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { audit, readable } from './state-audit.ts';

type Mode = number | 'archive' | 'archive-canonical';

const createDisk = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });
const open = async (
  db: Database,
  statePruning?: Mode,
): Promise<{ node: Node; errors: readonly unknown[] }> => {
  const platform = createTestPlatform({ db, now: () => Date.UTC(2030, 0, 1) });
  const config = testConfig('development', { finality: { kind: 'manual' }, statePruning });
  return { node: await createNode(platform, config), errors: platform.errors };
};
const seals = async (node: Node, count: number, isFinal = true): Promise<void> => {
  for (let at = 0; at < count; at++) {
    const hash = await sealOn(node);
    if (isFinal) await node.parts.chain.finalize(hash);
  }
};
const tornOf = async (node: Node, db: Database) => (await audit(node, db, await readable(node, db))).torn;

/** Whether a batch is part of a settlement. */
const settles = ({ puts, deletes }: Batch): boolean =>
  deletes.some(([store]) => store === 'nodes' || store === 'journals') ||
  puts.some(([store, key]) => store === 'meta' && bytesToText(key) === 'settlement');

/**
 * Once armed, lets this many settlement transactions through, then fails each. With `stored`, the first
 * failing one is written nevertheless.
 */
const failing = (disk: Database, isStored = false) => {
  let left = Number.POSITIVE_INFINITY;

  const db: Database = {
    ...disk,
    write: async (batch) => {
      if (!settles(batch) || left-- > 0) return disk.write(batch);
      if (isStored && left === -1) await disk.write(batch);
      if (isStored && left < -1) return disk.write(batch);
      throw new Error('full');
    },
  };
  return {
    db,
    arm: (count: number) => {
      left = count;
    },
    mend: () => {
      left = Number.POSITIVE_INFINITY;
    },
  };
};

describe('findings of an attack on pruning', () => {
  it.each([0, 1, 2, 3])(
    'blocks between the parts of a failed settlement (%i) are not mistaken for older ones',
    async (count) => {
      const disk = createDisk();
      const first = await open(disk, 8);
      await seals(first.node, 60, false);
      const top = first.node.parts.chain.best().hash;
      // Large enough that all journals are moved, so the next start finds none.
      const big = new Uint8Array(2 * 1024 * 1024);
      const main = [1, 2, 3, 4, 5].map((at) => [Uint8Array.of(0xde, at), big.slice().fill(at)] as const);
      await first.node.parts.chain.override(top, { main, children: [], offchain: [] });
      await first.node.close();
      const { db, arm, mend } = failing(disk);
      const { node } = await open(db, 8);
      await seals(node, 2, false);
      arm(count);
      await node.parts.chain.finalize(top);
      await seals(node, 5, false);
      mend();
      await seals(node, 10, false);
      expect(await tornOf(node, disk)).toEqual([]);
      await node.close();
      const again = await open(disk, 8);
      expect(await tornOf(again.node, disk)).toEqual([]);
      await again.node.close();
    },
  );

  it('a settlement interrupted by a crash is completed at the next start, whatever number of states that keeps', async () => {
    const disk = createDisk();
    const { db, arm } = failing(disk);
    const { node } = await open(db, 4);
    await seals(node, 30);
    arm(1);
    await seals(node, 15);
    await node.close().catch(() => undefined);
    const again = await open(disk, 100);
    const { chain } = again.node.parts;
    expect(await tornOf(again.node, disk)).toEqual([]);
    const old = (await chain.loadHashAt(20)) as BlockHash;
    await expect(chain.move({ head: old, resubmit: false })).rejects.toMatchObject({
      code: 'StateDiscarded',
    });
    await seals(again.node, 40);
    expect(again.errors).toEqual([]);
    expect(await tornOf(again.node, disk)).toEqual([]);
    await again.node.close();
  });

  it('a write that was stored although it failed is not repeated', async () => {
    for (let count = 0; count < 3; count++) {
      const disk = createDisk();
      const { db, arm } = failing(disk, true);
      const { node, errors } = await open(db, 4);
      await seals(node, 30);
      arm(count);
      await seals(node, 60);
      expect(errors).toHaveLength(1);
      const found = await audit(node, disk, await readable(node, disk));
      expect(found.torn).toEqual([]);
      // The nodes of blocks that wait for the next settlement.
      expect(found.stray).toBeLessThan(150);
      await node.close();
    }
  });

  it('finality keeps the states that a snapshot and an abandoned head depend on', async () => {
    for (const mode of ['archive', 'archive-canonical', 256] as const) {
      const disk = createDisk();
      const { node } = await open(disk, mode);
      const { chain } = node.parts;
      const port = openPort(node);
      await seals(node, 8);
      await seals(node, 2, false);
      await port.request('dev_snapshot', ['ten']);
      const ten = chain.best().hash;
      await port.request('dev_setHead', [(await chain.loadHashAt(5)) as BlockHash]);
      await seals(node, 10, false);
      const other = chain.best().hash;
      await port.request('dev_setHead', [ten]);
      await port.request('dev_setHead', [other]);
      await chain.finalize((await chain.loadHashAt(12)) as BlockHash);
      await seals(node, 40);
      await port.request('dev_restore', ['ten']);
      expect(chain.best().hash).toBe(ten);
      await seals(node, 3, false);
      await port.request('dev_setHead', [other]);
      await seals(node, 3, false);
      expect(await tornOf(node, disk)).toEqual([]);
      port.shut();
      await node.close();
    }
  });

  it('a kept block of an abandoned fork keeps its ancestors until it is deleted', async () => {
    for (const mode of ['archive-canonical', 1] as const) {
      const disk = createDisk();
      const { node } = await open(disk, mode);
      const { chain } = node.parts;
      await seals(node, 3);
      const root = chain.best().hash;
      const lower = await sealOn(node, root);
      const upper = await sealOn(node, lower);
      let pins = [{ hash: upper, number: 5 }];
      chain.keepPruned(async (hashes) => new Set(hashes.filter((hash) => hash === upper && pins.length > 0)));
      await chain.pinStates(() => pins);
      let best = root;
      for (let at = 0; at < 5; at++) best = await sealOn(node, best);
      await chain.finalize(best);
      await seals(node, 60);
      expect(await chain.loadHeader(lower)).not.toBeNull();
      expect(await chain.withState(upper, (state) => state.exists(hexToBytes('0x3a636f6465')))).toBe(true);
      expect(await tornOf(node, disk)).toEqual([]);
      pins = [];
      await chain.discard([upper]);
      expect([await chain.loadHeader(lower), await chain.loadHeader(upper)]).toEqual([null, null]);
      await node.close();
    }
  });

  it('archive-canonical continues after a reset', async () => {
    const disk = createDisk();
    const { node, errors } = await open(disk, 'archive-canonical');
    const port = openPort(node);
    await seals(node, 100, false);
    await node.parts.chain.finalize(node.parts.chain.best().hash);
    await port.request('dev_reset', []);
    await seals(node, 100);
    expect(errors).toEqual([]);
    expect((await disk.range('journals', {})).length).toBeLessThan(64);
    expect(await tornOf(node, disk)).toEqual([]);
    port.shut();
    await node.close();
  });

  it('a reset to a discarded state, and to a child trie root, are refused with a message', async () => {
    const { node } = await open(createDisk(), 4);
    const port = openPort(node);
    await seals(node, 10);
    await expect(port.request('dev_reset', [])).rejects.toMatchObject({
      message: expect.stringContaining('State already discarded'),
    });
    const root = `0x${Buffer.from(':child_storage:default:zz').toString('hex')}`;
    await expect(port.request('dev_setStorage', [[[root, `0x${'11'.repeat(32)}`]]])).rejects.toMatchObject({
      message: expect.stringContaining('child trie'),
    });
    port.shut();
    await node.close();
  });

  it.each(['nodeCounts', 'statePruning'])(
    'discarded states stay discarded after a repair of %s',
    async (what) => {
      const engine: Engine = { ...createMemoryEngine(), close: async () => undefined };
      await migrate(uncheckedDatabase(engine));
      const { node } = await open(checkedDatabase(engine), 4);
      await seals(node, 60);
      await node.close();
      const [store, key] =
        what === 'statePruning'
          ? (['meta', new TextEncoder().encode('statePruning')] as const)
          : (['nodeCounts', new Uint8Array(32).fill(1)] as const);
      const stored = (await engine.get(store, key)) ?? new Uint8Array(8);
      stored[0] = (stored[0] as number) ^ 1;
      await engine.write({ puts: [[store, key, stored]], deletes: [] }, (_store, _key, bytes) => bytes);
      const control = createControl(createTestPlatform({ damaged: engine }));
      const { storage, chain: source } = testConfig('development');
      const repaired = await control.repair({ chain: source, storage }, { apply: true });
      expect(repaired).toMatchObject({ ok: true, value: { pruningStops: true } });
      const again = await open(checkedDatabase(engine));
      const { chain } = again.node.parts;
      const old = (await chain.loadHashAt(10)) as BlockHash;
      await expect(chain.withState(old, () => true)).rejects.toMatchObject({ code: 'StateDiscarded' });
      await expect(chain.move({ head: old, resubmit: false })).rejects.toMatchObject({
        code: 'StateDiscarded',
      });
      await seals(again.node, 5);
      expect(await tornOf(again.node, checkedDatabase(engine))).toEqual([]);
      await again.node.close();
    },
  );
});
