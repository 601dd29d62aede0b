import { deleteDB, openDB } from 'idb';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { chainLock } from '../../../src/protocol/chain-id.ts';
import { ChainBook } from './chain-book.svelte.ts';
import { changeEntries, copyChain, loadPayload, readEntries } from './chain-store.ts';
import { emptyChains } from './empty-chains.fixture.ts';
import { findChains } from './find-chains.ts';

beforeEach(emptyChains);

const stores = ['bodies', 'headers', 'meta'];
const makeChain = async (name: string) => {
  const db = await openDB(name, 1, {
    upgrade: (made) => {
      for (const store of stores) made.createObjectStore(store);
    },
  });
  for (const store of stores) await db.put(store, new Uint8Array(4), new Uint8Array(1));
  db.close();
};
/** Other tests leave chains of other names in the browser. */
const namesFound = async () => {
  await findChains([]);
  return (await readEntries()).map(({ name }) => name).filter((name) => name.startsWith('Mine'));
};

it('a copy that a reload ended is no chain, its name is not used again, and it is deleted later', async () => {
  onTestFinished(async () => {
    vi.useRealTimers();
    for (const name of ['mine', 'mine-copy', 'mine-copy-2']) await deleteDB(name);
  });
  await makeChain('mine');
  expect(await namesFound()).toEqual(['Mine']);
  // All but the last step of a copy.
  await copyChain('mine', 'Mine copy');
  const own = await openDB('tabnode-devtools');
  await own.put('payloads', { copyBegunMs: Date.now() }, 'mine-copy');
  own.close();
  expect(await namesFound()).toEqual(['Mine']);

  const mine = { id: 'mine', name: 'Mine', origin: { kind: 'spec' }, createdMs: 0 } as const;
  const copy = await new ChainBook().duplicate(mine, 'Mine copy');
  expect(copy.id).toBe('mine-copy-2');
  expect(await loadPayload(copy.id)).toBeNull();

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
  await namesFound();
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('mine-copy');
  expect(await namesFound()).toEqual(['Mine', 'Mine copy']);
});

it('two tabs that create a chain of the same name at once create two', async () => {
  const ids = ['mine-too', 'mine-too-2'];
  onTestFinished(async () => {
    for (const id of ids) await deleteDB(id);
  });
  const begun: string[] = [];
  const create = (book: ChainBook) =>
    book.create('Mine too', { kind: 'preset', preset: 'development' }, null, {}, async ({ id }, add) => {
      begun.push(id);
      await makeChain(id);
      await add();
    });
  const made = await Promise.all([create(new ChainBook()), create(new ChainBook())]);
  expect(made.map(({ id }) => id).sort()).toEqual(ids);
  expect(begun.sort()).toEqual(ids);
  expect((await readEntries()).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

it('two tabs that copy a chain at once make two copies', async () => {
  const ids = ['mine-copy', 'mine-copy-2'];
  onTestFinished(async () => {
    for (const id of ['mine', ...ids]) await deleteDB(id);
  });
  await makeChain('mine');
  const mine = { id: 'mine', name: 'Mine', origin: { kind: 'spec' }, createdMs: 1 } as const;
  await changeEntries((all) => [...all, mine]);
  const copies = await Promise.all([1, 2].map(() => new ChainBook().duplicate(mine, 'Mine copy')));
  expect(copies.map(({ id }) => id).sort()).toEqual(ids);
  expect(copies.map(({ name }) => name).sort()).toEqual(['Mine copy', 'Mine copy 2']);
  expect(await namesFound()).toEqual(['Mine', 'Mine copy', 'Mine copy 2']);
});

it('a chain that is not in the list is not added to it while another tab uses it, because that one may delete it', async () => {
  onTestFinished(() => deleteDB('mine'));
  await makeChain('mine');
  await navigator.locks.request(chainLock('mine'), async () => expect(await namesFound()).toEqual([]));
  expect(await namesFound()).toEqual(['Mine']);
});

it('a fork of which only the database is left is listed as one', async () => {
  const block = `0x${'07'.repeat(32)}`;
  const record = { genesisHash: `0x${'01'.repeat(32)}`, base: { hash: block, number: 7 }, name: 'Live' };
  const db = await openDB('lost-fork', 1, {
    upgrade: (made) => {
      for (const store of ['meta', 'headers', 'bodies']) made.createObjectStore(store);
    },
  });
  // Each record ends with a checksum, whose bytes may be anything.
  const bytes = new Uint8Array([...new TextEncoder().encode(JSON.stringify(record)), 0x7d, 0x22, 0xff, 0x7b]);
  await db.put('meta', bytes, 'fork');
  db.close();
  onTestFinished(() => deleteDB('lost-fork'));
  await findChains([]);
  const found = (await readEntries()).find(({ id }) => id === 'lost-fork');
  expect(found).toMatchObject({ name: 'Lost fork', origin: { kind: 'fork', endpoints: [], block } });
});
