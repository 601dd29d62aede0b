import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { describe, expect, it } from 'vitest';
import type { ChainSource } from '../../src/protocol/node.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { hasFixtures, loadFixtureJson, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { fixtureToJson } from './fixture-block.ts';

type Body = { number: number; hash: string; header: string; body: string[] };

/** An asynchronous database, like IndexedDB, that counts trie reads. */
const createSlowDisk = (): { readonly db: Database; reads(): number } => {
  const { getSync: _none, ...disk } = createMemoryDatabase();
  let reads = 0;
  const getMany: Database['getMany'] = async (store, keys) => {
    if (store === 'nodes') reads += keys.length;
    return disk.getMany(store, keys);
  };
  return { db: { ...disk, getMany, close: async () => undefined }, reads: () => reads };
};

const importInto = async (node: Node, from: Node, hash: BlockHash): Promise<void> => {
  const block = await from.parts.chain.loadBlock(hash);
  if (block === null) throw new Error(`no block ${hash}`);
  await node.importBlock(signedBlockToJson(block));
};

const sealOn = async (node: Node): Promise<BlockHash> => {
  const result = await node.parts.author.seal({ createEmpty: true, finalize: false });
  if (!result.ok) throw new Error(result.message);
  return result.hash;
};

/** Ten consecutive transfers by //Alice. */
const makeTransfers = async (node: Node): Promise<Uint8Array[]> => {
  const { api, close } = await openApi(node);
  const keyring = new Keyring({ type: 'sr25519' });
  const [alice, bob] = [keyring.addFromUri('//Alice'), keyring.addFromUri('//Bob')];
  const out: Uint8Array[] = [];
  for (let nonce = 0; nonce < 10; nonce++) {
    const call = api.tx['balances']?.['transferKeepAlive']?.(bob.address, 1_000_000_000_000n + BigInt(nonce));
    if (call === undefined) throw new Error('no transfer call');
    out.push((await call.signAsync(alice, { nonce, era: 0 })).toU8a());
  }
  await close();
  return out;
};

/**
 * A node with a large cache and one with a tiny cache seal alternately, and each executes the other's blocks.
 * The tiny cache is emptied in between.
 */
const takeTurns = async (chain: ChainSource): Promise<number> => {
  await cryptoWaitReady();
  const disk = createSlowDisk();
  const starve = () => createNode(createTestPlatform({ db: disk.db }), testConfig(chain, { cacheBytes: 1 }));
  const roomy = await createNode(createTestPlatform(), testConfig(chain));
  let starved = await starve();
  for (const [round, extrinsic] of (await makeTransfers(roomy)).entries()) {
    await starved.close();
    starved = await starve();
    const nodes = round % 2 === 0 ? ([roomy, starved] as const) : ([starved, roomy] as const);
    for (const { parts } of nodes) expect(await parts.pool.submit(extrinsic, 2)).toMatchObject({ ok: true });
    expect(starved.parts.pool.pending()).toEqual(roomy.parts.pool.pending());
    const hash = await sealOn(nodes[0]);
    await importInto(nodes[1], nodes[0], hash);
    expect(starved.parts.chain.best().hash).toBe(roomy.parts.chain.best().hash);
    const [one, two] = [roomy.parts.chain.changesOf(hash), starved.parts.chain.changesOf(hash)];
    expect(one).not.toBeNull();
    expect(two).toEqual(one);
    await sealOn(nodes[0]).then((next) => importInto(nodes[1], nodes[0], next));
    await expect.poll(() => starved.parts.pool.readyCount()).toBe(roomy.parts.pool.readyCount());
    expect(roomy.parts.pool.pending()).toEqual([]);
  }
  await starved.close();
  await roomy.close();
  return disk.reads();
};

describe('a node whose cache has room for one trie node', () => {
  it('has the same roots, pool and changes as one with a large cache: own blocks with transfers', async () => {
    expect(await takeTurns('development')).toBeGreaterThan(100);
  }, 120_000);

  it.skipIf(!hasFixtures)(
    'the same on westend-dev',
    async () => {
      expect(
        await takeTurns({ specJson: await loadFixtureText('chains/westend-dev-raw.json') }),
      ).toBeGreaterThan(100);
    },
    120_000,
  );

  it.skipIf(!hasFixtures)(
    're-executes Westend 1–128, emptying the cache every eight blocks',
    async () => {
      const disk = createSlowDisk();
      const chain: ChainSource = { specJson: await loadFixtureText('chains/westend-raw.json') };
      const config = testConfig(chain, { finality: { kind: 'manual' } });
      const starve = () => createNode(createTestPlatform({ db: disk.db }), { ...config, cacheBytes: 1 });
      let node = await starve();
      for (const block of await loadFixtureJson<Body[]>('blocks/westend-1-128.json')) {
        if (block.number % 8 === 0) {
          await node.close();
          node = await starve();
        }
        expect(await node.importBlock(fixtureToJson(block))).toEqual({
          hash: block.hash,
          number: block.number,
        });
      }
      expect(disk.reads()).toBeGreaterThan(500);
      await node.close();
    },
    120_000,
  );
});
