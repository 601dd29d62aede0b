import { beforeAll, describe, expect, it } from 'vitest';
import { signTransfers } from '../../bench/signer.ts';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { decodePruning, pruningKey } from '../../worker/chain/states/pruning-records.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';
import { createRandom } from '../rigs/random.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { audit, journalsOf, readable } from './state-audit.ts';

const everything = { prefix: new Uint8Array(), start: null, inclusive: true };
const transfers: string[] = [];
beforeAll(async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  // Accounts with the same amount have the same value, so one node occurs in many places.
  const recipients = Array.from({ length: 400 }, (_, at) => new Uint8Array(32).fill(at % 100, 1));
  transfers.push(...(await signTransfers(node, 400, { recipients, amount: 1_000_000_000n })));
  await node.close();
});

const open = async (
  db: Database,
  statePruning: number | 'archive-canonical' | 'archive',
  options: { readonly journalBytes?: number } = {},
) => {
  const platform = createTestPlatform({ db });
  const node = await createNode(
    { ...platform, ...options },
    testConfig('development', { finality: { kind: 'manual' }, statePruning }),
  );
  return { node, errors: platform.errors };
};

/** A database that is not lost when the node closes it. */
const createDisk = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });

/** Seals, forks, sends and finalizes at random, based on the seed. */
const live = async (node: Node, next: (below: number) => number, steps: number, sent: { count: number }) => {
  const { chain, pool } = node.parts;
  for (let step = 0; step < steps; step++) {
    const act = next(10);
    if (act < 2 && sent.count < transfers.length)
      for (let at = 0; at < 5; at++) await pool.submit(hexToBytes(transfers[sent.count++] as string), 2);
    const above = chain.unfinalized();
    if (act < 3) await sealOn(node, above[next(above.length)]?.hash as BlockHash);
    else await sealOn(node);
    if (act > 5) {
      const blocks = chain.unfinalized();
      // Mostly continues the best chain; occasionally creates a fork.
      const goal = act === 9 ? blocks[next(blocks.length)] : chain.best();
      await chain.finalize(goal?.hash as BlockHash);
    }
  }
};

const nextOf = (seed: number): ((below: number) => number) => {
  const random = createRandom(seed);
  return (below) => Math.floor(random() * below);
};

const baseOf = async (db: Database): Promise<number> =>
  decodePruning((await db.get('meta', pruningKey)) as Uint8Array).base;

/**
 * Finalizes enough blocks that nothing earlier is pending, and audits what is stored after the chain is
 * closed.
 */
const finish = async (db: Database, node: Node, mode: 4 | 'archive-canonical') => {
  const { chain } = node.parts;
  const last = chain.best().number;
  for (let number = last; number < last + 40; number++) await chain.finalize(await sealOn(node));
  await node.close();
  const again = await open(db, mode);
  const base = mode === 4 ? await baseOf(db) : 0;
  if (mode === 4) expect(base).toBeGreaterThan(last - 4);
  const kept = new Set<string>();
  for (let number = base; number <= again.node.parts.chain.best().number; number++)
    kept.add((await again.node.parts.chain.loadHashAt(number)) as string);
  const found = await audit(again.node, db, kept);
  expect((await db.range('lostNodes', {})).length).toBe(0);
  expect((await db.range('nodes', {})).length).toBeGreaterThan(100);
  expect(again.errors).toEqual([]);
  await again.node.close();
  return found;
};

const seals = async (node: Node, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await node.parts.chain.finalize(await sealOn(node));
};

const readCode = ({ parts: { chain } }: Node, hash: BlockHash): Promise<unknown> =>
  chain.withState(hash, (state) => state.exists(hexToBytes('0x3a636f6465')));
const discarded = { code: 'StateDiscarded' };

describe('state pruning', () => {
  it('keeps the complete states of the last finalized blocks and all above, and no other nodes', async () => {
    for (const seed of [1, 2, 3]) {
      const db = createDisk();
      const next = nextOf(seed);
      const { node, errors } = await open(db, 4);
      const { chain } = node.parts;
      const sent = { count: 0 };
      for (let round = 0; round < 4; round++) {
        await live(node, next, 50, sent);
        await chain.finalize(chain.best().hash);
        const kept = await readable(node, db);
        const finalized = chain.finalized().number;
        for (let number = 0; number <= finalized; number++)
          expect(kept.has((await chain.loadHashAt(number)) as BlockHash)).toBe(number > finalized - 4);
        expect((await audit(node, db, kept)).torn).toEqual([]);
      }
      expect(await finish(db, node, 4)).toEqual({ torn: [], stray: 0 });
      expect(errors).toEqual([]);
    }
  }, 120_000);

  it('keeps only the states of the best chain as archive-canonical', async () => {
    const db = createDisk();
    const { node, errors } = await open(db, 'archive-canonical');
    await live(node, nextOf(4), 150, { count: 0 });
    expect(await finish(db, node, 'archive-canonical')).toEqual({ torn: [], stray: 0 });
    expect(errors).toEqual([]);
  }, 60_000);

  it('moves nodes out of memory in time if nothing is finalized', async () => {
    const db = createDisk();
    const journalBytes = 200_000;
    const { node, errors } = await open(db, 4, { journalBytes });
    for (let at = 0; at < 100; at++) await sealOn(node);
    const waiting = [...(await journalsOf(db)).values()].reduce((sum, { length }) => sum + length, 0);
    expect(waiting).toBeLessThan(journalBytes);
    expect((await audit(node, db, await readable(node, db))).torn).toEqual([]);
    await node.parts.chain.finalize(node.parts.chain.best().hash);
    expect(await finish(db, node, 4)).toEqual({ torn: [], stray: 0 });
    expect(errors).toEqual([]);
  }, 60_000);

  it('resumes after a crash at any write of a settlement', async () => {
    // Large settlements in many transactions, with forks among the blocks.
    for (let deadline = 0; deadline < 12; deadline++) {
      const disk = createDisk();
      let writes = 0;
      let isDying = false;
      const dying: Database = {
        ...disk,
        write: async (batch) => {
          const settles = batch.deletes.some(([store]) => store === 'nodes' || store === 'journals');
          if (isDying && settles && writes++ >= deadline) throw new Error('dead');
          await disk.write(batch);
        },
      };
      const { node } = await open(dying, 4, { journalBytes: deadline % 2 === 0 ? 100_000 : 16_000_000 });
      const next = nextOf(deadline + 10);
      const sent = { count: 0 };
      await live(node, next, 40, sent);
      isDying = true;
      // Blocks are refused once too much is pending.
      await live(node, next, 80, sent).catch((error: Error) => expect(error.message).toContain('dead'));
      await node.close().catch(() => undefined);
      const reborn = await open(disk, 4);
      await live(reborn.node, next, 20, sent);
      await reborn.node.parts.chain.finalize(reborn.node.parts.chain.best().hash);
      expect((await audit(reborn.node, disk, await readable(reborn.node, disk))).torn).toEqual([]);
      expect(await finish(disk, reborn.node, 4)).toEqual({ torn: [], stray: 0 });
    }
  }, 120_000);

  it('reports a discarded state like the SDK, also for a head moved to it', async () => {
    const db = createDisk();
    const { node } = await open(db, 4);
    await seals(node, 10);
    const { chain } = node.parts;
    const old = (await chain.loadHashAt(6)) as BlockHash;
    const port = openPort(node);
    await expect(port.request('state_getStorage', ['0x3a636f6465', old])).rejects.toMatchObject({
      code: 4003,
      message: `Client error: UnknownBlock: State already discarded for ${old}`,
    });
    await expect(port.request('state_call', ['Core_version', '0x', old])).rejects.toMatchObject({
      message: `Client error: UnknownBlock: State already discarded for ${old}`,
    });
    expect(await port.request('chain_getHeader', [old])).toMatchObject({ number: '0x6' });
    const before = chain.best();
    await expect(port.request('dev_setHead', [old])).rejects.toMatchObject({
      message: expect.stringContaining('discarded'),
    });
    expect(chain.best()).toEqual(before);
    await sealOn(node);
    port.shut();
    await node.close();
  });

  it('keeps what a snapshot needs until it is deleted, also over a restart', async () => {
    const db = createDisk();
    let { node } = await open(db, 4);
    await seals(node, 5);
    let port = openPort(node);
    await port.request('dev_snapshot', ['five']);
    await seals(node, 50);
    await node.close();
    port.shut();
    ({ node } = await open(db, 4));
    port = openPort(node);
    await seals(node, 50);
    await port.request('dev_restore', ['five']);
    expect(node.parts.chain.best().number).toBe(5);
    // Builds another chain from there. The snapshot stays, and the abandoned blocks eventually lose the
    // states they build on.
    const left = (await db.range('headers', {})).map(([key]) => bytesToHex(key) as string as BlockHash);
    await seals(node, 50);
    await port.request('dev_restore', ['five']);
    await seals(node, 3);
    expect(await port.request('dev_deleteSnapshot', ['five'])).toBe(true);
    await seals(node, 50);
    const { chain } = node.parts;
    expect(await readCode(node, chain.best().hash)).toBe(true);
    for (const hash of left) await expect(readCode(node, hash)).rejects.toMatchObject(discarded);
    const kept = await readable(node, db);
    expect((await audit(node, db, kept)).torn).toEqual([]);
    port.shut();
    await node.close();
  });

  it('keeps the states of blocks pinned by a client', async () => {
    const db = createDisk();
    const { node } = await open(db, 4);
    const { chain } = node.parts;
    await seals(node, 5);
    let isPinned = true;
    const pin = chain.finalized();
    await chain.pinStates(() => (isPinned ? [pin] : []));
    await seals(node, 60);
    expect(await readCode(node, pin.hash)).toBe(true);
    await expect(readCode(node, (await chain.loadHashAt(4)) as BlockHash)).rejects.toMatchObject(discarded);
    isPinned = false;
    await seals(node, 1);
    await expect(readCode(node, pin.hash)).rejects.toMatchObject(discarded);
    await node.close();
  });

  it('keeps dev states complete', async () => {
    const db = createDisk();
    const { node, errors } = await open(db, 4);
    const { chain } = node.parts;
    for (let at = 0; at < 60; at++) {
      const hash = await sealOn(node);
      if (at % 3 === 0)
        await chain.override(hash, {
          main: [[Uint8Array.of(0xff, at), new Uint8Array(40).fill(at)]],
          children: [],
          offchain: [],
        });
      if (at % 2 === 0) await chain.finalize(hash);
    }
    for (const hash of await readable(node, db))
      await chain.withState(hash, (state) => state.visitKeys(everything, () => true));
    expect(errors).toEqual([]);
    await node.close();
  });

  it('is chosen when a chain is created; only the number can be changed later', async () => {
    const db = createDisk();
    const first = await open(db, 4);
    await seals(first.node, 10);
    await first.node.close();
    for (const other of ['archive', 'archive-canonical'] as const)
      await expect(open(db, other)).rejects.toMatchObject({
        code: 'BadConfig',
        message: expect.stringContaining('--state-pruning 4'),
      });
    const platform = createTestPlatform({ db });
    const unset = await createNode(platform, testConfig('development'));
    await expect(readCode(unset, (await unset.parts.chain.loadHashAt(2)) as BlockHash)).rejects.toMatchObject(
      discarded,
    );
    await unset.close();
    const wider = await open(db, 8);
    await seals(wider.node, 10);
    expect(await wider.node.status()).toMatchObject({ statePruning: 8 });
    expect(await readCode(wider.node, (await wider.node.parts.chain.loadHashAt(13)) as BlockHash)).toBe(true);
    await wider.node.close();
    await expect(open(createDisk(), 0)).rejects.toMatchObject({ code: 'BadConfig' });
    const other = createDisk();
    await (await createNode(createTestPlatform({ db: other }), testConfig('development'))).close();
    await expect(open(other, 4)).rejects.toMatchObject({ code: 'BadConfig' });
  });

  it('as the default of new chains, opens chains of every mode as they were created', async () => {
    const start = async (db: ReturnType<typeof createDisk>, statePruning?: NodeConfig['statePruning']) => {
      const node = await createNode(createTestPlatform({ db }), testConfig('development', { statePruning }));
      const { statePruning: mode } = await node.status();
      await node.close();
      return mode;
    };
    for (const mode of ['archive', 'archive-canonical', 4, undefined] as const) {
      const db = createDisk();
      await start(db, mode);
      expect(await start(db, { ifNew: 4096 })).toBe(mode ?? 'archive');
    }
    const fresh = createDisk();
    expect(await start(fresh, { ifNew: 4096 })).toBe(4096);
    expect(await start(fresh, { ifNew: 'archive' })).toBe(4096);
    for (const wrong of [0, 'all', null, {}])
      await expect(start(createDisk(), { ifNew: wrong } as never)).rejects.toMatchObject({
        code: 'BadConfig',
      });
  });
});
