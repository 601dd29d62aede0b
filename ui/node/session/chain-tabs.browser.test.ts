import { openDB } from 'idb';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { NodeError } from '../../../src/index.ts';
import { chainLock } from '../../../src/protocol/chain-id.ts';
import { createRandom } from '../../../test/rigs/random.ts';
import FirstRun from '../../app/chains/FirstRun.svelte';
import { mountIn, openContext } from '../../testing/open-page.ts';
import type { UiNode } from '../client/ui-node.ts';
import { ChainBook } from './chain-book.svelte.ts';
import { changeEntries, readEntries } from './chain-store.ts';
import { emptyChains } from './empty-chains.fixture.ts';
import { Session } from './session.svelte.ts';

// The list of chains in several tabs, each of which is a book here.

// A book would list the chains that the tests of other files leave in this browser.
vi.mock('./find-chains.ts', () => ({ findChains: async () => undefined }));
beforeEach(emptyChains);

const preset = { kind: 'preset', preset: 'development' } as const;

/** From now on, a tab reads local storage as it is now: in another process, what a tab writes arrives late. */
const delayLocalStorage = (): void => {
  const before = new Map(Object.entries(localStorage));
  const read = vi.spyOn(Storage.prototype, 'getItem').mockImplementation((key) => before.get(key) ?? null);
  onTestFinished(() => read.mockRestore());
};
const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
const databases = async () => (await indexedDB.databases()).map(({ name }) => name);

it('whatever tabs create, rename and delete at once is done, though none reads what another has just written', async () => {
  const books = [new ChainBook(), new ChainBook(), new ChainBook()] as const;
  for (let seed = 1; seed <= 30; seed += 1) {
    const dice = createRandom(seed);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(dice() * all.length)] as T;
    const ids = await Promise.all([1, 2, 3].map(async () => (await pick(books).create('Old', preset)).id));
    const expected = new Map((await readEntries()).map((entry) => [entry.id, entry.name]));
    delayLocalStorage();
    const acts: (() => Promise<unknown>)[] = [];
    for (const id of ids) {
      const name = `Name ${acts.length}, seed ${seed}`;
      if (dice() < 0.4) {
        acts.push(() => pick(books).remove(id));
        expected.delete(id);
      } else expected.set(id, name);
      // Whether it comes before the deletion or after it.
      acts.push(() => pick(books).rename(id, name));
    }
    acts.push(async () => {
      const { id, name } = await pick(books).create(`New, seed ${seed}`, preset);
      expected.set(id, name);
    });
    acts.sort(() => dice() - 0.5);
    await Promise.all(acts.map((act) => act()));
    vi.restoreAllMocks();
    const list = await readEntries();
    expect(new Map(list.map(({ id, name }) => [id, name])), `seed ${seed}`).toEqual(expected);
    for (const book of books)
      await vi.waitFor(() => expect(namesOf(book.entries), `seed ${seed}`).toEqual(namesOf(list)));
  }
  const list = namesOf(await readEntries());
  await vi.waitFor(() => expect(namesOf(new ChainBook().entries), 'the copy of the list').toEqual(list));
});

it('two tabs that give two chains the same name at once leave them apart', async () => {
  const books = [new ChainBook(), new ChainBook()] as const;
  const other = await books[0].create('Other', preset);
  await Promise.all([books[0].rename('development', 'Mine'), books[1].rename(other.id, 'Mine')]);
  expect(namesOf(await readEntries())).toEqual(['Mine', 'Mine 2']);
});

it('a chain that another tab renames has its new name here', async () => {
  const book = new ChainBook();
  await new ChainBook().rename('development', 'Theirs');
  await vi.waitFor(() => expect(namesOf(book.entries)).toEqual(['Theirs']));
});

/** A session in this page, whose nodes another tab runs unless the test says so. */
const openSession = (isElsewhere = true) => {
  const downs: ((error: NodeError) => void)[] = [];
  const opened: string[] = [];
  const node: object = {
    info: { chainName: 'Fake', genesisHash: `0x${'11'.repeat(32)}` },
    isElsewhere,
    onDown: (tell: (error: NodeError) => void) => downs.push(tell),
    stop: async () => undefined,
    with: () => node,
  };
  const open = async (id: string): Promise<UiNode> => {
    opened.push(id);
    // As a node creates its database.
    (await openDB(id)).close();
    return node as UiNode;
  };
  const session = new Session(open, new ChainBook());
  return { session, opened, down: () => downs.at(-1)?.(new NodeError('Disconnected')) };
};
const openShared = async (isElsewhere = true) => {
  const beside = openSession(isElsewhere);
  await beside.session.create('Shared', preset, null);
  const { entry } = beside.session;
  if (entry === null) throw new Error('no chain');
  return { ...beside, entry };
};

it('a tab that deletes a chain whose node another tab runs does not start it when that node ends', async () => {
  const { session, opened, entry, down } = await openShared();
  const other = new ChainBook();
  // The other tab holds the chain until it no longer finds it.
  await navigator.locks.request(chainLock(entry.id), async () => {
    const removed = session.remove(entry);
    expect(session.phase).toMatchObject({ kind: 'closing', what: 'Deleting' });
    await vi.waitFor(() => expect(other.find(entry.id)).toBeNull());
    down();
    await session.book.refresh();
    expect(opened).toEqual([entry.id]);
    void removed;
  });
  await vi.waitFor(() => expect(session.entry?.id).toBe('development'));
  expect(opened).toEqual([entry.id, 'development']);
});

it('a chain that another tab deletes is left, whether its word or the end of the node comes first, or neither before a start', async () => {
  for (const first of ['word', 'end', 'start'] as const) {
    const { session, opened, entry, down } = await openShared();
    const other = new ChainBook();
    const mark = (isDeleted: boolean) =>
      changeEntries((all) => all.map((one) => (one.id === entry.id ? { ...one, isDeleted } : one)));
    delayLocalStorage();
    if (first === 'word') await other.change(entry.id, { isDeleted: true });
    else await mark(true);
    if (first === 'end') down();
    if (first === 'start') await session.start(entry);
    await vi.waitFor(() =>
      expect(session.phase, first).toMatchObject({ kind: 'deleted', entry: { name: 'Shared' } }),
    );
    vi.restoreAllMocks();
    expect(opened, first).toEqual(first === 'start' ? [entry.id, entry.id] : [entry.id]);
    expect([session.entry, location.hash], first).toEqual([null, '#/']);
    // The deletion failed: the chain is opened again.
    await other.change(entry.id, { isDeleted: false });
    await vi.waitFor(() => expect(session.phase.kind, first).toBe('running'));
    await session.remove(entry);
    expect(await databases(), first).not.toContain(entry.id);
  }
});

it('a page that starts with an old copy of the list stores nothing of a chain that was deleted, and opens another one', async () => {
  for (const address of ['', '#/@shared']) {
    const other = new ChainBook();
    const { id } = await other.create('Shared', preset);
    localStorage.setItem('tabnode.chain', id);
    delayLocalStorage();
    await other.remove(id);
    location.hash = address;
    const { session, opened } = openSession();
    await session.begin();
    expect(opened, address).toEqual(address === '' ? [id, 'development'] : [id]);
    expect(session.phase).toMatchObject(
      address === '' ? { kind: 'running', entry: { id: 'development' } } : { kind: 'deleted', entry: { id } },
    );
    await vi.waitFor(async () => expect(await databases()).not.toContain(id));
    vi.restoreAllMocks();
    expect(namesOf(await readEntries())).toEqual(['Development']);
    location.hash = '';
  }
});

it('a page says that there is no chain of its address until another tab creates it', async () => {
  const { session } = openSession();
  const page = mountIn(openContext(() => null).context, FirstRun, { session, unknown: 'shared' });
  expect(page.textContent).toContain('This browser has no chain “shared”');
  await new ChainBook().create('Shared', preset);
  await vi.waitFor(() => expect(page.textContent).not.toContain('This browser has no chain'));
  expect(page.querySelector('[aria-label="Chains"]')?.textContent).toContain('Shared');
});

it('a deletion that fails says so, and the chain stays', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(new DOMException('late', 'TimeoutError')), 50);
    return ending.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  const { session, entry } = await openShared(false);
  await navigator.locks.request(chainLock(entry.id), async () => {
    await expect(session.remove(entry)).rejects.toThrow(
      'The chain is open in another tab. Close it there first.',
    );
  });
  expect(session.phase).toMatchObject({ kind: 'running', entry: { id: entry.id } });
  expect(session.notice).toBe(
    '“Shared” could not be deleted: The chain is open in another tab. Close it there first.',
  );
  expect(namesOf(await readEntries())).toContain('Shared');
  await session.remove(entry);
});
