import { deleteDB } from 'idb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { trackConnections } from '../../test/damage/forced-close.ts';
import type { Database } from './database.ts';
import { openIdbDatabase } from './idb.ts';

// The stand-in for IndexedDB in Node.js closes nothing by force.
// A test that shares the process may have put a fake IndexedDB there.
const it = test.skipIf(!('location' in globalThis));

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const put = (database: Database, key: number, value: number): Promise<void> =>
  database.write({ puts: [['headers', bytes(key), bytes(value)]], deletes: [] });
let count = 0;

const openTracked = async () => {
  const name = `tabnode-closed-${Date.now()}-${count++}`;
  const connections = trackConnections();
  const onLost = vi.fn();
  const database = await openIdbDatabase(name, { onLost });
  onTestFinished(async () => {
    connections.restore();
    await database.close();
    await deleteDB(name);
  });
  await put(database, 1, 1);
  return { name, database, connections, onLost };
};

it('opens a database again that the browser has closed, with what was stored', async () => {
  const { database, connections, onLost } = await openTracked();
  for (let round = 2; round < 5; round += 1) {
    expect(connections.forceClose()).toBeGreaterThan(0);
    expect(await database.get('headers', bytes(1))).toEqual(bytes(1));
    await put(database, round, round);
  }
  expect(await database.range('headers')).toHaveLength(4);
  expect(database.fault?.()).toBeNull();
  expect(onLost).not.toHaveBeenCalled();
}, 60_000);

it.each(['readwrite', 'readonly'] as const)(
  'repeats a %s transaction that was interrupted, twice in a row, and those behind it in their order',
  async (mode) => {
    const { database, connections } = await openTracked();
    const closed = connections.closeDuring(mode, 2);
    const done = await Promise.all([
      put(database, 2, 1),
      put(database, 2, 2),
      database.get('headers', bytes(2)),
      put(database, 2, 3),
      database.getMany('headers', [bytes(1), bytes(2)]),
    ]);
    await closed;
    expect(done[2]).toEqual(bytes(2));
    expect(done[4]).toEqual([bytes(1), bytes(3)]);
    expect(await database.get('headers', bytes(2))).toEqual(bytes(3));
  },
  60_000,
);

it('gives up a call that is interrupted each time, and is of use again later', async () => {
  const { database, connections } = await openTracked();
  void connections.closeDuring('readwrite', 4);
  await expect(put(database, 2, 2)).rejects.toMatchObject({ code: 'StorageBroken' });
  await put(database, 3, 3);
  expect(await database.get('headers', bytes(3))).toEqual(bytes(3));
}, 60_000);

it('does not repeat a write after a later one has succeeded', async () => {
  const { database, connections } = await openTracked();
  connections.abortNext();
  const [first, second] = await Promise.allSettled([put(database, 2, 1), put(database, 2, 2)]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'StorageBroken' } });
  expect(second).toMatchObject({ status: 'fulfilled' });
  expect(await database.get('headers', bytes(2))).toEqual(bytes(2));
}, 60_000);

it('is lost, and creates nothing, if the database was deleted meanwhile', async () => {
  const { name, database, connections, onLost } = await openTracked();
  connections.forceClose();
  await deleteDB(name);
  const lost = { code: 'StorageBroken', message: 'This chain was deleted' };
  await expect(put(database, 2, 2)).rejects.toMatchObject(lost);
  expect(onLost).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(lost));
  expect(database.fault?.()).toMatchObject(lost);
  await expect(database.get('headers', bytes(1))).rejects.toMatchObject(lost);
  expect((await indexedDB.databases()).map((one) => one.name)).not.toContain(name);
}, 60_000);

it.each(['another chain in its place', 'the same chain, changed', 'the same chain, taken over'])(
  'never writes to a database that others have changed: %s',
  async (change) => {
    const { name, database, connections } = await openTracked();
    const heads = bytes(99);
    await database.write({ puts: [['meta', heads, bytes(1)]], deletes: [] });
    connections.forceClose();
    if (change.startsWith('another')) await deleteDB(name);
    const other = await openIdbDatabase(name, { seizes: change.endsWith('over') });
    if (change.endsWith('changed')) await other.write({ puts: [['meta', heads, bytes(2)]], deletes: [] });
    await expect(put(database, 1, 7)).rejects.toMatchObject({ code: 'ChainInUse' });
    expect(await other.get('headers', bytes(1))).toEqual(change.startsWith('another') ? null : bytes(1));
    expect(database.fault?.()).toMatchObject({ code: 'ChainInUse' });
    await other.close();
  },
  60_000,
);

it('says why while the browser does not open it, refuses what waits, and tries again with the next call', async () => {
  const { database, connections } = await openTracked();
  const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
    throw new DOMException('Connection to Indexed Database server lost. Refresh the page', 'UnknownError');
  });
  onTestFinished(() => open.mockRestore());
  connections.forceClose();
  const broken = {
    code: 'StorageBroken',
    message: expect.stringMatching(/^The browser closed the database/),
  };
  const all = [put(database, 2, 2), database.get('headers', bytes(1)), database.range('headers')];
  for (const one of await Promise.allSettled(all))
    expect(one).toMatchObject({ status: 'rejected', reason: broken });
  expect(database.fault?.()).toMatchObject(broken);
  open.mockRestore();
  await put(database, 2, 2);
  expect(database.fault?.()).toBeNull();
}, 60_000);

it('closes at once while it is being opened again', async () => {
  const { database, connections } = await openTracked();
  const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
    throw new DOMException('not now', 'UnknownError');
  });
  onTestFinished(() => open.mockRestore());
  connections.forceClose();
  const refused = expect(put(database, 2, 2)).rejects.toMatchObject({ code: 'StorageBroken' });
  await database.close();
  await refused;
}, 60_000);
