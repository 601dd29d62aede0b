import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ForkSource } from '../../src/protocol/fork-source.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import { openSqliteNodeStore } from '../../worker/db/node-store-sqlite.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { originOf } from './chain-origin.ts';
import { type OpenedFork, openForkOf } from './fork-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-offline-'));
const path = join(folder, 'nodes.sqlite');
const url = 'ws://live';

let live: DevNode;
let firstHash: string;
const db = lastingDatabase();

/** The network is forbidden: whoever connects fails the test. */
const forbidden = new Proxy({} as Origin, {
  get: () => {
    throw new Error('The network was used');
  },
});

const seal = ({ call }: OpenedFork) => call<{ hash: string }>('engine_createBlock', true, true);
const openNodeStore = async () => openSqliteNodeStore(path);
const openOnline = (source: Partial<ForkSource>) =>
  openForkOf(live.node, { keys: [], openNodeStore, endpoints: [url], source });
const openOffline = (source: Partial<ForkSource>, more: object = {}) =>
  openForkOf(live.node, {
    keys: [],
    openNodeStore,
    origin: forbidden,
    source: { endpoints: [url], offline: true, ...source },
    ...more,
  });

beforeAll(async () => {
  live = await startDevNode();
  for (let block = 0; block < 6; block++) await live.call('engine_createBlock', true, true);
  const first = await openForkOf(live.node, { db, keys: [], openNodeStore, endpoints: [url], block: '6' });
  firstHash = (await seal(first)).hash;
  await first.node.close();
  // The same chain as `finalized`, without a storage of its own.
  await (await openOnline({ block: 'finalized' })).node.close();
}, 60_000);
afterAll(async () => {
  await live.stop();
  rmSync(folder, { recursive: true });
});

describe('a new fork without the network', () => {
  it.each(['6', 'finalized', 'by its hash'])(
    'at a block that another fork began at (%s) builds the same block',
    async (choice) => {
      const block = choice === 'by its hash' ? live.best().hash : choice;
      const fork = await openOffline({ block, ...(choice === 'by its hash' ? { endpoints: [] } : {}) });
      expect(fork.node.parts.chain.base).toMatchObject({ number: 6, hash: live.best().hash });
      expect(fork.node.parts.chain.spec.name).toBe(live.node.parts.chain.spec.name);
      expect((await seal(fork)).hash).toBe(firstHash);
      expect(fork.errors).toEqual([]);
      await fork.node.close();
    },
  );

  it.each<readonly [what: string, source: Partial<ForkSource>, code: string, text: string]>([
    [
      'a block of an endpoint with a password',
      { endpoints: ['ws://me:secret@live/x?key=secret'], block: '5' },
      'NotCached',
      'Block #5 of ws://live/x was never read here',
    ],
    ['a block', { block: '5' }, 'NotCached', 'Block #5 of ws://live was never read here, and the network'],
    ['a choice', { block: 'best' }, 'NotCached', 'The best block of ws://live was never read here'],
    ['a hash', { block: `0x${'12'.repeat(32)}` }, 'NotCached', `Block 0x${'12'.repeat(32)} was never read`],
    ['a chain', { endpoints: ['ws://other'] }, 'NotCached', 'The finalized block of ws://other was never'],
    ['who it is', { endpoints: [] }, 'BadConfig', 'needs the hash of its block, or the URL'],
  ])('says which part is missing: %s', async (_what, source, code, text) => {
    await expect(openOffline(source)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  it('names the key of what was never read of the state, and goes on', async () => {
    const fork = await openOffline({ block: '6' });
    const bob = live.accountKey(live.pair('//Bob').publicKey);
    await expect(fork.call('state_getStorage', bob)).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(`at the key ${bob} was never read, and the network is forbid`),
      ),
    });
    await expect(fork.call('chain_getBlockHash', 3)).rejects.toMatchObject({
      message: expect.stringContaining('the network is forbidden'),
    });
    expect((await seal(fork)).hash).toBe(firstHash);
    await fork.node.close();
  });

  it('without a store writes nothing, and says so', async () => {
    const own = lastingDatabase();
    await expect(openOffline({ block: '6', sharedBytes: 0 }, { db: own })).rejects.toMatchObject({
      code: 'NotCached',
    });
    expect(await own.range('meta')).toEqual([]);
    expect(await own.range('headers')).toEqual([]);
  });
});

it('a stored fork goes on without the network, whatever endpoints are named', async () => {
  const fork = await openOffline({}, { db });
  expect(fork.node.parts.chain.best().hash).toBe(firstHash);
  await seal(fork);
  expect(fork.node.parts.chain.best().number).toBe(8);
  await fork.node.close();
});

it('a fork that is closed right after its first block still reads what the next ones need', async () => {
  const stored = lastingDatabase();
  const whole = originOf(live.node);
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const order: string[] = [];
  let isFirstBuilt = false;
  const origin: Origin = {
    ...whole,
    nodes: async (...request) => {
      if (!isFirstBuilt) return whole.nodes(...request);
      begun.resolve();
      await held.promise;
      const nodes = await whole.nodes(...request);
      order.push('read');
      return nodes;
    },
    close: () => void order.push('closed'),
  };
  const first = await openForkOf(live.node, { db: stored, keys: [], block: '6', origin });
  first.node.parts.chain.onEvent(({ kind }) => {
    isFirstBuilt ||= kind === 'imported';
  });
  await seal(first);
  await begun.promise;
  const closed = first.node.close();
  // Time enough to be closed, for one that does not wait.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  held.resolve();
  await closed;
  expect(order).toEqual(['read', 'closed']);
  const again = await openForkOf(live.node, { db: stored, keys: [], endpoints: [] });
  for (let block = 0; block < 20; block++) await seal(again);
  expect(again.node.parts.chain.best().number).toBe(27);
  await again.node.close();
});
