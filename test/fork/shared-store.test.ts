import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ForkStatus } from '../../src/protocol/fork-status.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import { openSqliteNodeStore } from '../../worker/db/node-store-sqlite.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { originOf } from './chain-origin.ts';
import { type ForkOptions, importFork, type OpenedFork, openForkOf, openWhole } from './fork-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-shared-'));
let live: DevNode;
beforeAll(async () => {
  live = await startDevNode();
  for (let block = 0; block < 8; block++) await live.call('engine_createBlock', true, true);
}, 60_000);
afterAll(async () => {
  await live.stop();
  rmSync(folder, { recursive: true });
});

let count = 0;
const newPath = (): string => join(folder, `${count++}.sqlite`);
const sharing = (path: string): Pick<ForkOptions, 'openNodeStore'> => ({
  openNodeStore: async () => openSqliteNodeStore(path),
});
const open = (options: ForkOptions): Promise<OpenedFork> => openForkOf(live.node, { keys: [], ...options });
const seal = ({ call }: OpenedFork): Promise<unknown> => call('engine_createBlock', true, true);
const sharedOf = async ({ call }: OpenedFork): Promise<ForkStatus['shared']> =>
  (await call<{ fork: ForkStatus }>('dev_status')).fork.shared;

/** Opens a fork, builds a block, and closes it. Returns how many requests that took. */
const useOnce = async (options: ForkOptions): Promise<number> => {
  const fork = await open(options);
  await seal(fork);
  const { requests } = fork.origin.stats();
  await fork.node.close();
  return requests;
};

/** An origin that counts the bytes of its proofs. */
const weighed = (): Origin & { bytes: number } => {
  const origin = originOf(live.node);
  const own = {
    ...origin,
    bytes: 0,
    nodes: async (...request: Parameters<Origin['nodes']>) => {
      const nodes = await origin.nodes(...request);
      own.bytes += nodes.reduce((sum, { length }) => sum + length, 0);
      return nodes;
    },
  };
  return own;
};

it('a second fork of the same block asks for no proof to its first block', async () => {
  const path = newPath();
  expect(await useOnce({ block: '8', ...sharing(path) })).toBeGreaterThan(0);
  const second = await open({ block: '8', ...sharing(path) });
  const { stats } = second.origin;
  expect(stats().requests).toBe(0);
  // What it reads ahead of later blocks, from then on, may be asked for.
  let untilBlock: number | null = null;
  second.node.parts.chain.onEvent(({ kind }) => {
    if (kind === 'imported') untilBlock ??= stats().requests;
  });
  await seal(second);
  expect(untilBlock).toBe(0);
  expect((await sharedOf(second))?.found).toBeGreaterThan(20);
  await second.node.close();
});

it('a fork of another block reads in one proof what the first one read, and the code not at all', async () => {
  const path = newPath();
  await useOnce({ block: '4', ...sharing(path) });
  const origin = weighed();
  const other = await open({ block: '8', origin, ...sharing(path) });
  expect(origin.stats().requests).toBe(1);
  expect(origin.bytes).toBeLessThan(100_000);
  await seal(other);
  const full = await openWhole(live.node, 'development', 8, { trustBlocks: true });
  await importFork(full, other.node);
  await full.close();
  await other.node.close();
});

it('what is in the shared store is in the own one as well, so it may be forgotten', async () => {
  const path = newPath();
  await useOnce({ block: '8', ...sharing(path) });
  const db = lastingDatabase();
  await useOnce({ block: '8', db, ...sharing(path) });
  const alone = await open({ db, endpoints: [] });
  await seal(alone);
  expect(alone.node.parts.chain.best().number).toBe(10);
  expect(await sharedOf(alone)).toBeNull();
  await alone.node.close();
});

it('what does not match its hash is read from the live chain instead', async () => {
  const path = newPath();
  await useOnce({ block: '8', ...sharing(path) });
  const file = new DatabaseSync(path);
  file.exec("UPDATE records SET value = x'00' || value");
  file.close();
  const fork = await open({ block: '8', ...sharing(path) });
  await seal(fork);
  expect(fork.origin.stats().requests).toBeGreaterThan(0);
  expect((await sharedOf(fork))?.found).toBe(0);
  const full = await openWhole(live.node, 'development', 8, { trustBlocks: true });
  await importFork(full, fork.node);
  await full.close();
  await fork.node.close();
});

it('a store that fails does not fail the fork', async () => {
  const broken = {
    openNodeStore: async () => ({
      read: () => Promise.reject(new Error('cannot be read')),
      write: () => Promise.reject(new Error('is full')),
      removeOldest: () => Promise.reject(new Error('is full')),
      close: () => Promise.reject(new Error('is gone')),
    }),
  };
  const fork = await open({ block: '8', ...broken });
  for (let block = 0; block < 3; block++) await seal(fork);
  await fork.node.close();
  expect(fork.errors).toEqual([expect.objectContaining({ message: 'cannot be read' })]);
  const none = await open({ openNodeStore: () => Promise.reject(new Error('no room')) });
  await seal(none);
  await none.node.close();
  expect(none.errors).toEqual([expect.objectContaining({ message: 'no room' })]);
});

it('two forks use it at once, and its limit holds', async () => {
  const path = newPath();
  const source = { sharedBytes: 50_000 };
  const forks = await Promise.all(['7', '8'].map((block) => open({ block, source, ...sharing(path) })));
  for (const fork of forks) await seal(fork);
  expect(await sharedOf(forks[0] as OpenedFork)).toMatchObject({ limitBytes: 50_000 });
  for (const { node, errors } of forks) {
    await node.close();
    expect(errors).toEqual([]);
  }
  const file = new DatabaseSync(path);
  const { sum } = file.prepare('SELECT sum(length(value)) AS sum FROM records').get() as { sum: number };
  expect(file.prepare('SELECT bytes FROM totals').get()).toEqual({ bytes: sum });
  expect(sum).toBeLessThanOrEqual(50_000);
  expect(sum).toBeGreaterThan(1000);
  file.close();
});

it('is not used with a limit of 0', async () => {
  const path = newPath();
  const source = { sharedBytes: 0 };
  const fork = await open({ block: '8', source, ...sharing(path) });
  await seal(fork);
  expect(await sharedOf(fork)).toBeNull();
  await fork.node.close();
});

it('what lies behind known nodes is one request, not one for each level of the trie', async () => {
  const many = await startDevNode();
  const accountOf = (index: number): Uint8Array => {
    const account = new Uint8Array(32).fill(index & 255);
    account[0] = index >> 8;
    return account;
  };
  const keys = Array.from({ length: 3000 }, (_, index) => many.accountKey(accountOf(index)));
  await many.call('engine_createBlock', true, true);
  await many.call(
    'dev_setStorage',
    keys.map((key) => [key, `0x${'01'.repeat(80)}`]),
  );
  await many.call('engine_createBlock', true, true);
  const path = newPath();
  const { hash } = many.best();
  const readAll = async (from: number, to: number): Promise<number> => {
    const { node, origin } = await openForkOf(many.node, { keys: [], ...sharing(path) });
    const before = origin.stats().requests;
    const wanted = keys.slice(from, to).map(hexToBytes);
    await node.parts.chain.withState(
      hash,
      (state) => wanted.map(state.get),
      (state) => wanted.map(state.get),
    );
    const requests = origin.stats().requests - before;
    await node.close();
    return requests;
  };
  expect(await readAll(0, 30)).toBe(1);
  // Their paths have parts of all lengths in common with those that were read.
  expect(await readAll(1500, 1800)).toBe(1);
  expect(await readAll(1500, 1800)).toBe(0);
  await many.stop();
}, 60_000);
