import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqliteNodeStore } from '../../worker/db/node-store-sqlite.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { importFork, openForkOf, openWhole } from './fork-rig.ts';
import { rpcOrigin } from './rpc-origin.ts';

// What is requested at the opening of a fork of a chain that another fork with the same shared store was of.

const folder = mkdtempSync(join(tmpdir(), 'tabnode-known-'));
const path = join(folder, 'nodes.sqlite');
let live: DevNode;
const seal = async (blocks: number): Promise<void> => {
  for (let block = 0; block < blocks; block++) await live.call('engine_createBlock', true, true);
};

beforeAll(async () => {
  live = await startDevNode();
  await seal(8);
}, 60_000);
afterAll(async () => {
  await live.stop();
  rmSync(folder, { recursive: true });
});

/** Opens a fork, and builds a block. `asked`: the methods of all requests until then. */
const open = async (block: string) => {
  const asked: string[] = [];
  const origin = await rpcOrigin(live.node, {}, (method) => void asked.push(method));
  const openNodeStore = async () => openSqliteNodeStore(path);
  const fork = await openForkOf(live.node, { keys: [], block, origin, openNodeStore });
  const untilBlock = Promise.withResolvers<readonly string[]>();
  fork.node.parts.chain.onEvent(({ kind }) => kind === 'imported' && untilBlock.resolve([...asked]));
  await fork.call('engine_createBlock', true, true);
  return { fork, asked: await untilBlock.promise };
};

it.each([
  ['a newer block by its number', () => '20'],
  ['the finalized block', () => 'finalized'],
  ['a newer block by its hash', () => live.best().hash],
])('the first block on %s takes at most five requests', async (_what, choose) => {
  await (await open('8')).fork.node.close();
  await seal(12);
  const { fork, asked } = await open(choose());
  expect(asked.filter((method) => method === 'state_getReadProof')).toHaveLength(1);
  // It has the header as well, so that is not requested.
  expect(asked.filter((method) => method === 'chain_getBlock')).toHaveLength(1);
  expect(asked.length).toBeLessThanOrEqual(5);
  expect(fork.errors).toEqual([]);
  const { number } = fork.node.parts.chain.base;
  expect(number).toBeGreaterThan(8);
  const whole = await openWhole(live.node, 'development', number, { trustBlocks: true });
  await importFork(whole, fork.node);
  await whole.close();
  await fork.node.close();
});

it('the first block on a base that another fork had takes three requests, and none of them reads a block', async () => {
  const { number } = live.best();
  await (await open(`${number}`)).fork.node.close();
  const { fork, asked } = await open(`${number}`);
  expect([...asked].sort()).toEqual(['chain_getBlockHash', 'chain_getBlockHash', 'rpc_methods']);
  await fork.node.close();
});

it('a transfer between accounts that an earlier fork used takes no request', async () => {
  const eve = new Uint8Array(32).fill(7);
  /** Builds a block with a transfer once nothing is read in the background. Returns the requests that took. */
  const transfer = async (nonce: number): Promise<number> => {
    const { fork } = await open('finalized');
    const { stats } = fork.origin;
    let last = -1;
    await expect
      .poll(
        () => {
          const isQuiet = stats().requests === last;
          last = stats().requests;
          return isQuiet;
        },
        { interval: 200 },
      )
      .toBe(true);
    await fork.call('author_submitExtrinsic', await live.transfer('//Bob', eve, 10n ** 12n, nonce));
    await fork.call('engine_createBlock', true, true);
    expect(await fork.call('author_pendingExtrinsics')).toEqual([]);
    const { requests } = stats();
    await fork.node.close();
    return requests - last;
  };
  expect(await transfer(0)).toBeGreaterThan(0);
  // Both accounts change, so no node of theirs is known.
  await live.call('author_submitExtrinsic', await live.transfer('//Bob', eve, 10n ** 12n, 0));
  await seal(3);
  expect(await transfer(1)).toBe(0);
});
