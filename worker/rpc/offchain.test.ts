import { describe, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { connectRpc } from '../../test/rigs/rpc.ts';
import type { Database } from '../db/database.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import { createNode } from '../node.ts';

const createDisk = (isSync: boolean): Database => {
  const { getSync, ...rest } = createMemoryDatabase();
  const disk = isSync && getSync !== undefined ? { ...rest, getSync } : rest;
  return { ...disk, close: async () => undefined };
};
const open = (db: Database) =>
  createNode(createTestPlatform({ db }), testConfig('development', { finality: { kind: 'manual' } }));

describe.each([true, false])(
  'offchain_localStorage over a database that responds synchronously: %s',
  (isSync) => {
    it('PERSISTENT is set, read and cleared, across blocks and restarts', async () => {
      const db = createDisk(isSync);
      const node = await open(db);
      const { ask, call } = connectRpc(node);
      expect(await ask('offchain_localStorageGet', 'PERSISTENT', '0x4B6579')).toEqual({ result: null });
      expect(await ask('offchain_localStorageSet', 'PERSISTENT', '0x4B6579', '0x01')).toEqual({
        result: null,
      });
      expect(await ask('offchain_localStorageSet', 'PERSISTENT', '0x02', '0x')).toEqual({ result: null });
      expect(await ask('offchain_localStorageGet', 'PERSISTENT', '0x4b6579')).toEqual({ result: '0x01' });
      await call('engine_createBlock', true, false);
      await node.close();
      const again = await open(db);
      const later = connectRpc(again);
      expect(await later.ask('offchain_localStorageGet', 'PERSISTENT', '0x4b6579')).toEqual({
        result: '0x01',
      });
      expect(await later.ask('offchain_localStorageGet', 'PERSISTENT', '0x02')).toEqual({ result: '0x' });
      expect(await later.ask('offchain_localStorageClear', 'PERSISTENT', '0x4b6579')).toEqual({
        result: null,
      });
      expect(await later.ask('offchain_localStorageGet', 'PERSISTENT', '0x4b6579')).toEqual({ result: null });
      // A worker's own prefix, so that workers and JSON-RPC see the same values.
      expect((await db.range('offchain')).map(([key]) => Buffer.from(key).toString('latin1'))).toEqual([
        'storage\x02',
      ]);
      await again.close();
    });

    it('is bounded in bytes and in values for clients, also after a restart', async () => {
      const db = createDisk(isSync);
      const node = await open(db);
      const { ask } = connectRpc(node);
      const large = `0x${'00'.repeat(5_000_000)}`;
      const set = (key: string, value: string) => ask('offchain_localStorageSet', 'PERSISTENT', key, value);
      for (const key of ['0x01', '0x02', '0x03', '0x03'])
        expect(await set(key, large)).toEqual({ result: null });
      const refused = {
        error: { code: 5003, message: expect.stringContaining('at most 65536 values and 16777216 bytes') },
      };
      expect(await set('0x04', large)).toMatchObject(refused);
      await node.close();
      const again = await open(db);
      const later = connectRpc(again);
      const setLater = (key: string, value: string) =>
        later.ask('offchain_localStorageSet', 'PERSISTENT', key, value);
      expect(await setLater('0x04', large)).toMatchObject(refused);
      await later.ask('offchain_localStorageClear', 'PERSISTENT', '0x03');
      expect(await setLater('0x04', large)).toEqual({ result: null });
      const puts = Array.from(
        { length: 65_536 },
        (_, at) => ['offchain', Uint8Array.of(1, at >> 8, at), new Uint8Array(1)] as const,
      );
      for (const [key] of await db.range('offchain'))
        await db.write({ puts: [], deletes: [['offchain', key]] });
      await db.write({ puts, deletes: [] });
      await again.close();
      const full = await open(db);
      expect(
        await connectRpc(full).ask('offchain_localStorageSet', 'PERSISTENT', '0x05', '0x'),
      ).toMatchObject(refused);
      await full.close();
    });

    it('LOCAL belongs to the best block: invisible at later blocks, kept over a restart, gone with a retraction', async () => {
      const db = createDisk(isSync);
      const node = await open(db);
      const { ask, call } = connectRpc(node, { dialect: 'psp-6' });
      const first = await call<{ hash: string }>('engine_createBlock', true, false);
      await call('offchain_localStorageSet', 'LOCAL', '0x01', '0xaa');
      await call('offchain_localStorageSet', 'PERSISTENT', '0x01', '0xbb');
      expect(await ask('offchain_localStorageGet', 'LOCAL', '0x01')).toEqual({ result: '0xaa' });
      await node.close();
      const again = await open(db);
      const later = connectRpc(again, { dialect: 'psp-6' });
      expect(await later.ask('offchain_localStorageGet', 'LOCAL', '0x01')).toEqual({ result: '0xaa' });
      await later.call('engine_createBlock', true, false, first.hash);
      expect(await later.ask('offchain_localStorageGet', 'LOCAL', '0x01')).toEqual({ result: null });
      await later.call('offchain_localStorageSet', 'LOCAL', '0x01', '0xcc');
      // A fork of two blocks on genesis, and one more on top, retracts both.
      const genesis = again.parts.chain.genesisHash;
      const fork = [await later.call<{ hash: string }>('engine_createBlock', true, false, genesis)];
      fork.push(await later.call('engine_createBlock', true, false, fork[0]?.hash));
      fork.push(await later.call('engine_createBlock', true, false, fork[1]?.hash));
      expect(again.parts.chain.best().hash).toBe(fork[2]?.hash);
      expect(await later.ask('offchain_localStorageGet', 'LOCAL', '0x01')).toEqual({ result: null });
      expect(await later.ask('offchain_localStorageGet', 'PERSISTENT', '0x01')).toEqual({ result: '0xbb' });
      await again.close();
      expect((await db.range('offchain')).length).toBe(1);
    });
  },
);

it('offchain_localStorage of kind LOCAL is 5001 under polkadot-sdk, as in the native node', async () => {
  const node = await open(createDisk(true));
  const { call } = connectRpc(node, { dialect: 'psp-6' });
  await call('offchain_localStorageSet', 'LOCAL', '0x01', '0xaa');
  const { ask } = connectRpc(node, { dialect: 'polkadot-sdk' });
  const error = { code: 5001, message: 'This storage kind is not available yet' };
  expect(await ask('offchain_localStorageGet', 'LOCAL', '0x01')).toEqual({ error });
  expect(await ask('offchain_localStorageSet', 'LOCAL', '0x01', '0xbb')).toEqual({ error });
  expect(await ask('offchain_localStorageClear', 'LOCAL', '0x01')).toEqual({ error });
  expect(await call('offchain_localStorageGet', 'LOCAL', '0x01')).toBe('0xaa');
  await node.close();
});

it.each([
  [
    'polkadot-sdk',
    'unknown variant `OTHER`, expected `PERSISTENT` or `LOCAL`',
    'expected value',
    'No more params',
  ],
  [
    'psp-6',
    'kind: unknown variant `OTHER`, expected `PERSISTENT` or `LOCAL`',
    'kind: expected value',
    'key: is missing',
  ],
] as const)(
  'offchain_localStorage refuses other kinds with the message of %s',
  async (dialect, unknown, noValue, missing) => {
    const node = await open(createDisk(true));
    const { ask } = connectRpc(node, { dialect });
    for (const [method, rest] of [
      ['offchain_localStorageSet', ['0x01', '0x02']],
      ['offchain_localStorageGet', ['0x01']],
      ['offchain_localStorageClear', ['0x01']],
    ] as const) {
      const refused = { code: -32602, message: 'Invalid params' };
      expect((await ask(method, 'OTHER', ...rest)).error).toEqual({ ...refused, data: unknown });
      expect((await ask(method, 1, ...rest)).error?.data).toBe(noValue);
      expect((await ask(method, 'LOCAL')).error?.data).toBe(missing);
    }
    await node.close();
  },
);
