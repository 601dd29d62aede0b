import { deleteDB } from 'idb';
import { expect, onTestFinished, test } from 'vitest';
import { openIdbDatabase } from '../../worker/db/idb.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { checkWhole } from '../chain/whole-chain.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';
import { trackConnections } from './forced-close.ts';

// The stand-in for IndexedDB in Node.js closes nothing by force.
// A test that shares the process may have put a fake IndexedDB there.
const it = test.skipIf(!('location' in globalThis));
const waitMs = 120_000;
let count = 0;

const startStored = async () => {
  const name = `tabnode-closed-node-${Date.now()}-${count++}`;
  const connections = trackConnections();
  const start = async (): Promise<Node> =>
    createNode(createTestPlatform({ db: await openIdbDatabase(name) }), testConfig('development'));
  const node = await start();
  onTestFinished(async () => {
    connections.restore();
    await node.close().catch(() => undefined);
    await deleteDB(name);
  });
  /** What a next start finds. */
  const reopen = async (): Promise<void> => {
    await node.close();
    const next = await start();
    expect(next.parts.chain.best()).toEqual(node.parts.chain.best());
    await checkWhole(next);
    expect(await seal(next)).toMatchObject({ ok: true });
    await next.close();
  };
  return { name, connections, node, reopen };
};

const seal = (node: Node) => node.parts.author.seal({ createEmpty: true, finalize: false });

it(
  'seals on after the browser has closed the database, idle and in the middle of a block, and loses nothing',
  async () => {
    const { connections, node, reopen } = await startStored();
    expect(await seal(node)).toMatchObject({ ok: true, number: 1 });
    connections.forceClose();
    expect(await seal(node)).toMatchObject({ ok: true, number: 2 });
    for (const [number, mode, times] of [
      [3, 'readwrite', 1],
      [4, 'readwrite', 2],
      [5, 'readonly', 1],
    ] as const) {
      const closed = connections.closeDuring(mode, times);
      const sealed = seal(node);
      // A block whose reads come from memory reads nothing.
      const reads = mode === 'readonly' ? node.parts.db.range('headers') : null;
      expect(await sealed).toMatchObject({ ok: true, number });
      if (reads !== null) expect(await reads).not.toHaveLength(0);
      await closed;
    }
    expect((await node.status()).storageFault).toBeNull();
    await checkWhole(node);
    await reopen();
  },
  waitMs,
);

it(
  'imports a file to its end although the database is closed at every third block',
  async () => {
    const author = await createNode(createTestPlatform(), testConfig('development'));
    for (let block = 0; block < 12; block += 1) await seal(author);
    const blocks = [];
    for (let number = 1; number <= 12; number += 1) {
      const hash = await author.parts.chain.loadHashAt(number);
      const block = hash === null ? null : await author.parts.chain.loadBlock(hash);
      if (block !== null) blocks.push(block);
    }
    const { connections, node, reopen } = await startStored();
    for (const [at, { header, extrinsics }] of blocks.entries()) {
      const closed = at % 3 === 0 ? connections.closeDuring('readwrite') : null;
      const given = { origin: 'file' as const, chainTimeMs: Date.UTC(2040, 0, 1) };
      expect(await node.parts.chain.import({ header, extrinsics }, given)).toMatchObject({ ok: true });
      await closed;
    }
    expect(node.parts.chain.best().hash).toBe(author.parts.chain.best().hash);
    await author.close();
    await reopen();
  },
  waitMs,
);

it(
  'says that its chain was deleted, by a tab that asks for it and without being asked',
  async () => {
    for (const isAsked of [true, false]) {
      const { name, connections, node } = await startStored();
      await seal(node);
      if (!isAsked) connections.forceClose();
      await deleteDB(name);
      expect(await seal(node)).toMatchObject({ ok: false, message: 'This chain was deleted' });
      const { request } = openPort(node);
      expect(await request('dev_status', [])).toMatchObject({
        bestNumber: 1,
        storageFault: { code: 'StorageBroken', message: 'This chain was deleted' },
      });
    }
  },
  waitMs,
);
