import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeNodeStore } from './node-store.fixture.ts';
import { createNodeStore, type NodeStoreEngine } from './node-store.ts';
import { openSqliteNodeStore } from './node-store-sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-nodes-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
let path = '';
const empty = (): void => {
  path = join(folder, `${count++}.sqlite`);
};

const deps = (open: () => Promise<NodeStoreEngine>, errors: unknown[]) => ({
  open,
  now: Date.now,
  schedule: (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  onError: (error: unknown) => void errors.push(error),
});
const key = new Uint8Array(32).fill(1);

describe('a store of nodes in a file', () => {
  describeNodeStore(async () => openSqliteNodeStore(path), empty);

  it.skipIf(process.platform === 'win32')('can be read by its owner only', async () => {
    empty();
    const engine = openSqliteNodeStore(path);
    await engine.write({ puts: [{ key, value: key, replaces: false }], used: [], usedAt: 1 });
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o077).toBe(0);
    await engine.close();
  });

  it.each([
    ['a damaged file', () => writeFileSync(path, new Uint8Array(8192).fill(7)), 'is not a database'],
    [
      'a file of another program',
      () => {
        const other = new DatabaseSync(path);
        other.exec('CREATE TABLE nodes (id INTEGER)');
        other.close();
      },
      'another program created this file',
    ],
    [
      'a file of another version',
      () => {
        const other = new DatabaseSync(path);
        other.exec('PRAGMA application_id = 1952539246; PRAGMA user_version = 9; CREATE TABLE records (key)');
        other.close();
      },
      'another version',
    ],
  ])('does without %s, and says so once', async (_what, write, why) => {
    empty();
    write();
    const errors: unknown[] = [];
    const store = createNodeStore(
      deps(async () => openSqliteNodeStore(path), errors),
      1e6,
    );
    store.add(key, key);
    expect(await store.read([key])).toEqual([null]);
    expect(await store.read([key])).toEqual([null]);
    await store.close();
    expect(errors).toEqual([
      expect.objectContaining({ code: 'StorageBroken', message: expect.stringContaining(why) }),
    ]);
  });

  it('is created, opened and closed by several threads at the same moment', async () => {
    const threads = Array.from(
      { length: 4 },
      () => new Worker(new URL('node-store-thread.fixture.ts', import.meta.url)),
    );
    onTestFinished(async () => void (await Promise.all(threads.map((thread) => thread.terminate()))));
    const failures: string[] = [];
    const use = async (thread: Worker, byte: number): Promise<void> => {
      thread.postMessage({ path, byte });
      const [failure] = await once(thread, 'message');
      if (failure !== null) failures.push(failure);
    };
    // Without the second attempt, about one of 200 uses fails.
    for (let round = 0; round < 120; round++) {
      empty();
      await Promise.all(threads.map(use));
    }
    expect(failures).toEqual([]);
    const engine = openSqliteNodeStore(path);
    const keys = threads.map((_, byte) => new Uint8Array(32).fill(byte));
    expect((await engine.read(keys)).every((one) => one !== null)).toBe(true);
    await engine.close();
  });

  it('is not waited for while another process writes without end', async () => {
    empty();
    const first = openSqliteNodeStore(path);
    await first.write({ puts: [{ key, value: key, replaces: false }], used: [], usedAt: 1 });
    const busy = new DatabaseSync(path);
    busy.exec('BEGIN IMMEDIATE');
    const errors: unknown[] = [];
    const store = createNodeStore(
      deps(async () => first, errors),
      1e6,
    );
    store.add(
      key.map(() => 2),
      key,
    );
    expect(await store.read([key])).toEqual([key]);
    await store.close();
    busy.close();
    expect(errors).toEqual([]);
  });
});
