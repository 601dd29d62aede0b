import { deleteDB, openDB } from 'idb';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ChainBook } from './chain-book.svelte.ts';
import { copyChain, loadPayload } from './chain-store.ts';
import { findChains } from './find-chains.ts';

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
const namesFound = async () =>
  (await findChains(new Set(['mine']), [])).map(({ name }) => name).filter((name) => name.startsWith('Mine'));

it('a copy that a reload ended is no chain, its name is not used again, and it is deleted later', async () => {
  onTestFinished(async () => {
    vi.useRealTimers();
    localStorage.clear();
    for (const name of ['mine', 'mine-copy', 'mine-copy-2']) await deleteDB(name);
  });
  await makeChain('mine');
  // All but the last step of a copy.
  await copyChain('mine', 'Mine copy', ['mine']);
  expect(await namesFound()).toContain('Mine copy');
  const own = await openDB('tabnode-devtools');
  await own.put('payloads', { copyBegunMs: Date.now() }, 'mine-copy');
  own.close();
  expect(await namesFound()).not.toContain('Mine copy');

  const mine = { id: 'mine', name: 'Mine', origin: { kind: 'spec' }, createdMs: 0 } as const;
  const copy = await new ChainBook().duplicate(mine, 'Mine copy');
  expect(copy.id).toBe('mine-copy-2');
  expect(await loadPayload(copy.id)).toBeNull();

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
  await namesFound();
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('mine-copy');
  expect(await namesFound()).toEqual(['Mine copy']);
});

it('two tabs that create a chain of the same name at once create two', async () => {
  const ids = ['mine-too', 'mine-too-2'];
  onTestFinished(async () => {
    localStorage.clear();
    for (const id of ids) await deleteDB(id);
  });
  const begun: string[] = [];
  const create = (book: ChainBook) =>
    book.create('Mine too', { kind: 'preset', preset: 'development' }, null, {}, async ({ id }) => {
      begun.push(id);
      await makeChain(id);
    });
  const made = await Promise.all([create(new ChainBook()), create(new ChainBook())]);
  expect(made.map(({ id }) => id).sort()).toEqual(ids);
  expect(begun.sort()).toEqual(ids);
  expect(new ChainBook().entries.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});
