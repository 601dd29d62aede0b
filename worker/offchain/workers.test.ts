import { cryptoWaitReady } from '@polkadot/util-crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { latestReport, observe, open, seal, sendAsAlice } from '../../test/network/workers-rig.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { type SignedBlock, signedBlockToJson } from '../codec/signed-block.ts';
import type { Database } from '../db/database.ts';
import { createMemoryDatabase } from '../db/memory.ts';

const runsKey = bytesToHex(new TextEncoder().encode('tabnode::observer::runs'));
const indexKey = (name: string): string =>
  bytesToHex(new TextEncoder().encode(`tabnode::observer::index::${name}`));

/** An asynchronous database, like IndexedDB. */
const createSlowDisk = (): Database => {
  const { getSync: _none, ...disk } = createMemoryDatabase();
  return { ...disk, close: async () => undefined };
};

beforeAll(async () => {
  await cryptoWaitReady();
});

describe('offchain workers', () => {
  it.each([
    ['a disk that answers at once', false],
    ['a cache of one trie node over a slow disk', true],
  ] as const)(
    'report once per best block, and count their runs: %s',
    async (_name, isSlow) => {
      const db = createSlowDisk();
      const config = isSlow ? { cacheBytes: 1 } : {};
      const places = isSlow ? { openDatabase: async () => db } : {};
      let { node, call, errors } = await open(config, places);
      await observe(node, { interval: 1 });
      await seal(node);
      for (let block = 1; block <= 5; block++) {
        await node.parts.offchain.idle();
        // The report of this block in the pool. Accepted from a local source, it would be refused from an
        // external one.
        expect(node.parts.pool.readyCount()).toBe(1);
        expect(await call('offchain_localStorageGet', 'PERSISTENT', runsKey)).toBe(
          `0x${block.toString(16).padStart(2, '0')}00000000000000`,
        );
        if (block === 3 && isSlow) {
          // Everything in memory is lost. The report in the pool is on the disk.
          const pending = node.parts.pool.pending();
          await node.close();
          expect(errors).toEqual([]);
          ({ node, call, errors } = await open(config, places));
          expect(node.parts.pool.pending()).toEqual(pending);
        }
        await seal(node);
        expect(await latestReport(node)).toMatchObject({ block, runs: block - 1, fetched: null });
      }
      await node.parts.offchain.idle();
      expect(errors).toEqual([]);
      await node.close();
    },
    60_000,
  );

  it.each([
    ['when-authority', ['//Alice'], true],
    ['when-authority', [], false],
    ['always', [], true],
    ['never', ['//Alice'], false],
  ] as const)(
    'run according to the mode: %s, keys %j',
    async (offchainWorkers, keys, runs) => {
      const author = await open();
      await observe(author.node, { interval: 1 });
      const hash = await seal(author.node);
      const block = await author.node.parts.chain.loadBlock(hash);
      if (block === null) throw new Error('no block');
      const other = await open({ offchainWorkers, keys });
      expect((await other.node.parts.chain.import(block)).ok).toBe(true);
      await other.node.parts.offchain.idle();
      const ran = await other.call('offchain_localStorageGet', 'PERSISTENT', runsKey);
      expect(ran).toBe(runs ? '0x0100000000000000' : null);
      // A report that may not be propagated is useless to a node that does not author.
      expect(other.node.parts.pool.readyCount()).toBe(runs && keys.length > 0 ? 1 : 0);
      await author.node.close();
      await other.node.close();
    },
    30_000,
  );

  it('do not run for old blocks of a file', async () => {
    const author = await open();
    await observe(author.node, { interval: 1 });
    const block = await author.node.parts.chain.loadBlock(await seal(author.node));
    const other = await open();
    await other.node.importBlock(signedBlockToJson(block as SignedBlock));
    await other.node.parts.offchain.idle();
    expect(await other.call('offchain_localStorageGet', 'PERSISTENT', runsKey)).toBeNull();
    await author.node.close();
    await other.node.close();
  }, 30_000);

  it('run for a block that becomes best, not for one on a side fork', async () => {
    // The clock's slots determine who claims a block, and therefore which of two branches is heavier.
    const { node, call } = await open({}, { now: () => 1_750_000_000_000 });
    await observe(node, { interval: 1 });
    const first = await seal(node);
    await seal(node);
    await node.parts.offchain.idle();
    const before = await call('offchain_localStorageGet', 'PERSISTENT', runsKey);
    expect(before).toBe('0x0200000000000000');
    const side = await node.parts.author.seal({ createEmpty: true, finalize: false, parent: first });
    if (!side.ok) throw new Error(side.message);
    await node.parts.offchain.idle();
    expect(node.parts.chain.best().hash).not.toBe(side.hash);
    expect(await call('offchain_localStorageGet', 'PERSISTENT', runsKey)).toBe(before);
    await node.close();
  }, 30_000);
});

describe('offchain indexing', () => {
  it.each([true, false])(
    'is stored if enabled (%s)',
    async (offchainIndexing) => {
      const { node, call } = await open({ offchainIndexing });
      // Reads first, so that a cache would remember the absence.
      expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBeNull();
      await sendAsAlice(node, (tx) => tx.observer.storeOffchain('k', '0x0102'));
      expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBeNull();
      await seal(node);
      expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBe(
        offchainIndexing ? '0x0102' : null,
      );
      await node.close();
    },
    30_000,
  );

  it('is visible through the cache of an asynchronous database', async () => {
    const { node, call } = await open(
      { offchainIndexing: true },
      { openDatabase: async () => createSlowDisk() },
    );
    expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBeNull();
    await sendAsAlice(node, (tx) => tx.observer.storeOffchain('k', '0x0102'));
    await seal(node);
    expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBe('0x0102');
    await node.close();
  }, 30_000);
});
