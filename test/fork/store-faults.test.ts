import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ForkStatus } from '../../src/protocol/fork-status.ts';
import type { NodeStoreEngine } from '../../worker/db/node-store.ts';
import { openSqliteNodeStore } from '../../worker/db/node-store-sqlite.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { importFork, type OpenedFork, openForkOf, openWhole } from './fork-rig.ts';

// What may happen to the store that all forks share. No fork fails for it.

const baseNumber = 8;
const folder = mkdtempSync(join(tmpdir(), 'tabnode-faults-'));
let live: DevNode;
beforeAll(async () => {
  live = await startDevNode();
  for (let block = 0; block < baseNumber; block++) await live.call('engine_createBlock', true, true);
}, 60_000);
afterAll(async () => {
  await live.stop();
  rmSync(folder, { recursive: true });
});

let count = 0;
let path = '';
beforeEach(() => {
  path = join(folder, `${count++}.sqlite`);
});

const openFile = async (): Promise<NodeStoreEngine> => openSqliteNodeStore(path);
const open = (openNodeStore = openFile, sharedBytes = 1e8): Promise<OpenedFork> =>
  openForkOf(live.node, { keys: [], openNodeStore, source: { sharedBytes } });
const seal = ({ call }: OpenedFork): Promise<unknown> => call('engine_createBlock', true, true);
const foundBy = async ({ call }: OpenedFork): Promise<number | undefined> =>
  (await call<{ fork: ForkStatus }>('dev_status')).fork.shared?.found;

/** Closes a fork; a node with the whole state computes the same blocks. */
const expectTrue = async (fork: OpenedFork): Promise<void> => {
  const whole = await openWhole(live.node, 'development', baseNumber, { trustBlocks: true });
  await importFork(whole, fork.node);
  await whole.close();
  await fork.node.close();
};

/** Something to read that no fork needs for its blocks. */
const readMore = async ({ call }: OpenedFork, byte: number): Promise<unknown> =>
  call('state_getStorage', live.accountKey(new Uint8Array(32).fill(byte)));

const removeFiles = (): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
};

it('is deleted while two forks use it: they go on, and the next one begins it anew', async () => {
  const forks = [await open(), await open()];
  for (const fork of forks) await seal(fork);
  removeFiles();
  for (const [index, fork] of forks.entries()) {
    await readMore(fork, index);
    await seal(fork);
  }
  for (const fork of forks) await expectTrue(fork);
  const next = await open();
  await seal(next);
  expect(next.errors).toEqual([]);
  await expectTrue(next);
  expect(existsSync(path)).toBe(true);
  const last = await open();
  await seal(last);
  expect(await foundBy(last)).toBeGreaterThan(20);
  await expectTrue(last);
});

const reported =
  /^The store of nodes .*sqlite is not used: .*malformed.* Delete the file to begin a new one\.$/;

it('is damaged in its middle: what cannot be read is read from the live chain', async () => {
  const first = await open();
  await seal(first);
  await first.node.close();
  const file = openSync(path, 'r+');
  for (let at = 4096; at < statSync(path).size; at += 4096)
    writeSync(file, new Uint8Array(64).fill(255), 0, 64, at);
  closeSync(file);
  const fork = await open();
  for (let block = 0; block < 2; block++) await seal(fork);
  expect(fork.origin.stats().requests).toBeGreaterThan(0);
  expect(await foundBy(fork)).toBe(0);
  expect(fork.errors).toEqual([
    expect.objectContaining({ code: 'StorageBroken', message: expect.stringMatching(reported) }),
  ]);
  await expectTrue(fork);
});

it.each<readonly [string, () => void, string]>([
  ['no database', () => writeFileSync(path, new Uint8Array(8192).fill(7)), 'is not a database'],
  [
    'that of another program',
    () => {
      const file = new DatabaseSync(path);
      file.exec('CREATE TABLE nodes (id INTEGER)');
      file.close();
    },
    'another program created this file',
  ],
  [
    'that of another version',
    () => {
      const file = openSqliteNodeStore(path);
      void file.close();
      const later = new DatabaseSync(path);
      later.exec('PRAGMA user_version = 9');
      later.close();
    },
    'another version of this program created it',
  ],
])('is %s: the fork does without, says so once, and changes nothing in it', async (_what, write, why) => {
  write();
  const before = statSync(path).mtimeMs;
  const fork = await open();
  for (let block = 0; block < 2; block++) await seal(fork);
  expect(fork.errors).toEqual([
    expect.objectContaining({ code: 'StorageBroken', message: expect.stringContaining(why) }),
  ]);
  await expectTrue(fork);
  expect(statSync(path).mtimeMs).toBe(before);
});

it('has no more room: what it has is read, and what is new is not kept', async () => {
  await (await open()).node.close();
  let writes = 0;
  const full = async (): Promise<NodeStoreEngine> => ({
    ...(await openFile()),
    write: () => {
      writes += 1;
      return Promise.reject(new Error('database or disk is full'));
    },
  });
  const fork = await open(full);
  for (let block = 0; block < 3; block++) {
    await readMore(fork, block);
    await seal(fork);
  }
  expect(await foundBy(fork)).toBeGreaterThan(10);
  await expectTrue(fork);
  expect(writes).toBeGreaterThan(0);
});

it('reaches its limit in the middle of a block: the block is built, and the limit holds', async () => {
  const limit = 4000;
  const fork = await open(openFile, limit);
  for (let block = 0; block < 3; block++) {
    await readMore(fork, block);
    await seal(fork);
  }
  expect(fork.errors).toEqual([]);
  await expectTrue(fork);
  const file = new DatabaseSync(path);
  const { sum } = file.prepare('SELECT sum(length(value)) AS sum FROM records').get() as { sum: number };
  expect(sum).toBeLessThanOrEqual(limit);
  file.close();
});

it('is written by another process without end: nobody waits for it', async () => {
  await (await open()).node.close();
  const busy = new DatabaseSync(path);
  busy.exec('BEGIN IMMEDIATE');
  const fork = await open();
  for (let block = 0; block < 2; block++) await seal(fork);
  expect(await foundBy(fork)).toBeGreaterThan(10);
  await expectTrue(fork);
  busy.close();
});
