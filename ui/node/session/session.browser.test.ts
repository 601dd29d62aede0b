import { openDB } from 'idb';
import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NodeError } from '../../../src/index.ts';
import { chainLock } from '../../../src/protocol/chain-id.ts';
import { fillChain } from '../../app/chains/chain-archive.ts';
import { openNode } from '../../testing/open-page.ts';
import { nodeOptions, type OpenNode, type UiNode } from '../client/ui-node.ts';
import { ChainBook } from './chain-book.svelte.ts';
import { Session } from './session.svelte.ts';

// A book would list the chains that the tests of other files leave in this browser.
vi.mock('./find-chains.ts', () => ({ findChains: async () => [] }));

it('a chain that this page closes is not said to be closed by another tab, however long its node takes', async () => {
  const stopped = Promise.withResolvers<void>();
  const node = {
    info: { chainName: 'Fake', genesisHash: '0x00' },
    isElsewhere: false,
    status: () => new Promise(() => undefined),
    onDown: () => () => undefined,
    stop: () => stopped.promise,
    with: () => node,
  } as unknown as UiNode;
  const book = new ChainBook();
  const session = new Session(async () => node, book);
  const [entry] = book.entries;
  if (entry === undefined) throw new Error('no chain');
  await session.start(entry);
  // A second channel receives the session's last message.
  const received = Promise.withResolvers<void>();
  const channel = new BroadcastChannel('tabnode.chains');
  onTestFinished(() => channel.close());
  channel.onmessage = () => received.resolve();
  const closed = session.close();
  await received.promise;
  // Calls of a page that is left on the screen would fail while the node ends.
  expect(session.phase.kind).toBe('closing');
  stopped.resolve();
  await closed;
  flushSync();
  expect(session.phase.kind).toBe('none');
});

const known = { chainName: 'Fake', genesisHash: `0x${'11'.repeat(32)}` };

/** A node with this info; its name tells it from others. */
const nodeOf = (info: object, more: object = {}): UiNode => {
  const node: object = {
    info,
    isElsewhere: false,
    onDown: () => () => undefined,
    stop: async () => undefined,
    with: () => node,
    ...more,
  };
  return node as UiNode;
};

/** A session with a chain that was open before, whose node runs or fails when the test says so. */
const openSession = () => {
  const book = new ChainBook();
  const [entry] = book.entries;
  if (entry === undefined) throw new Error('no chain');
  book.keepIdentity(entry.id, known);
  onTestFinished(() => localStorage.clear());
  const opening = Promise.withResolvers<UiNode>();
  const starting = nodeOf(known);
  const open: OpenNode = async (_id, _chain, _modes, { known: identity, take }) => {
    if (identity !== null) take(starting);
    return opening.promise;
  };
  const session = new Session(open, book);
  return { book, entry, session, started: session.start(entry), starting, opening };
};
const shownBy = ({ phase }: Session): UiNode | null => ('node' in phase ? phase.node : null);

it('a chain that was open before can be shown while its node starts, and is not shown anew then', async () => {
  const { session, started, starting, opening } = openSession();
  await expect.poll(() => shownBy(session)).toBe(starting);
  expect(session.phase.kind).toBe('starting');
  opening.resolve(nodeOf(known));
  await started;
  expect(session.phase.kind).toBe('running');
  expect(session.node).toBe(starting);
});

it('a chain that has become another one, or that another tab runs, is shown anew', async () => {
  for (const opened of [
    nodeOf({ ...known, genesisHash: `0x${'22'.repeat(32)}` }),
    nodeOf({ ...known, chainName: 'Other' }),
    nodeOf(known, { isElsewhere: true }),
  ]) {
    const { book, entry, session, started, starting, opening } = openSession();
    await expect.poll(() => shownBy(session)).toBe(starting);
    opening.resolve(opened);
    await started;
    expect(session.node).toBe(opened);
    expect(book.identity(entry.id)).toEqual({
      chainName: opened.info.chainName,
      genesisHash: opened.info.genesisHash,
    });
  }
});

it('a node that does not start is not left on the screen', async () => {
  const { session, started, starting, opening } = openSession();
  await expect.poll(() => shownBy(session)).toBe(starting);
  opening.reject(new NodeError('StorageBroken'));
  await started;
  expect(session.phase).toMatchObject({ kind: 'failed', error: { code: 'StorageBroken' } });
});

it('a chain of which nothing is known, or nothing readable, is shown once it runs', async () => {
  const { book, entry } = openSession();
  expect(book.identity(entry.id)).toEqual(known);
  for (const text of ['', 'Fake', '0x11 Fake', `0x${'11'.repeat(32)}`, `0x${'11'.repeat(32)} `]) {
    localStorage.setItem(`tabnode.identity.${entry.id}`, text);
    expect(book.identity(entry.id)).toBeNull();
  }
  await book.remove(entry.id);
  expect(localStorage.getItem(`tabnode.identity.${entry.id}`)).toBeNull();
});

it('a chain that does not start leaves nothing behind, and the open chain runs on', async () => {
  const { node } = openNode(() => null);
  const session = new Session(async (id) => {
    if (id === 'development') return node;
    (await openDB(id)).close();
    throw new Error('Unknown preset: absent');
  }, new ChainBook());
  const [first] = session.book.entries;
  if (first === undefined) throw new Error('no chain');
  await session.start(first);
  const { phase } = session;
  const origin = { kind: 'wasm', preset: 'absent' } as const;
  const made = session.create('Mine', origin, { wasm: new Uint8Array(4) });
  await expect(made).rejects.toThrow('Unknown preset: absent');
  expect(session.phase).toBe(phase);
  expect(session.book.entries).toEqual([first]);
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('mine');
  expect(await session.book.payload({ ...first, id: 'mine', origin })).toBeNull();
});

const manual = { kind: 'manual' };
/** A session whose chains' nodes record how they were told to seal. */
const openSealed = () => {
  const sealed: unknown[] = [];
  const { node } = openNode((method, params) => {
    if (method === 'dev_setSealMode') sealed.push(params[0]);
    return null;
  });
  const told = node.with({
    status: async () => ({ seal: sealed.at(-1) ?? manual, finality: null }) as never,
  });
  const book = new ChainBook();
  onTestFinished(() => localStorage.clear());
  const session = new Session(async () => told, book);
  return { session, book, sealed };
};
const preset = { kind: 'preset', preset: 'development' } as const;

it('a chain made from a file seals no block until the whole file is in it, not even after a reload', async () => {
  const { session, book, sealed } = openSealed();
  const slots = { kind: 'slots' } as const;
  const modes = { seal: slots, finality: { kind: 'manual' }, clock: 'chain', states: 'recent' } as const;
  await session.create('Copy', preset, null, modes);
  const id = session.entry?.id ?? '';
  expect(session.entry?.isPartial).toBe(true);
  const broken = fillChain(session, async () => Promise.reject(new Error('Line 7')), slots);
  await expect(broken).rejects.toThrow('Line 7');
  expect(sealed).toEqual([]);
  // What another page would find.
  const found = new ChainBook();
  expect(found.find(id)?.isPartial).toBe(true);
  expect(found.modes(id)).toEqual({ ...modes, seal: manual });
  await fillChain(session, async () => undefined, slots);
  expect(sealed).toEqual([slots]);
  expect(book.find(id)?.isPartial).toBe(false);
  expect(session.filling).toBe(false);
});

it('a chain that is created to look at seals no block, and its page knows so from the start', async () => {
  const { session, book } = openSealed();
  const create = session.create('Look', preset, null, null, 'recent', true);
  await vi.waitFor(() => expect(session.phase.kind).toBe('running'), { interval: 0 });
  // As the page that is mounted then finds it.
  expect(session.phase).toMatchObject({ entry: { isLookOnly: true } });
  await create;
  expect(book.modes(session.entry?.id ?? '').seal).toEqual(manual);
  expect(new ChainBook().find(session.entry?.id ?? '')?.isLookOnly).toBe(true);
});

it('a chain into which blocks of a file go keeps its seal mode, whether they all fit or not', async () => {
  const { session, sealed } = openSealed();
  await session.create('Mine', preset, null);
  for (const load of [async () => 1, async () => Promise.reject(new Error('refused'))])
    await fillChain(session, load).catch(() => undefined);
  expect(sealed).toEqual([]);
});

it('a seal mode that another client chooses while blocks are imported stays', async () => {
  const { session, sealed } = openSealed();
  await session.create('Mine', preset, null);
  const interval = { kind: 'interval', ms: 200 };
  await fillChain(session, async () => sealed.push(interval), { kind: 'slots' });
  expect(sealed).toEqual([interval]);
});

it('a chain that is deleted while it is open makes way for the last one', async () => {
  const { session, book } = openSealed();
  const [first] = book.entries;
  if (first === undefined) throw new Error('no chain');
  await session.create('Second', preset, null);
  const second = session.entry;
  await session.create('Third', preset, null);
  for (const next of [second, first]) {
    if (session.entry === null) throw new Error('no chain');
    await session.remove(session.entry);
    expect(session.entry?.id).toBe(next?.id);
  }
  expect(book.entries).toEqual([first]);
});

/** A session in this page, and the words of another tab. */
const openBeside = (isElsewhere = true) => {
  const downs: ((error: NodeError) => void)[] = [];
  const opened: string[] = [];
  const node = nodeOf(known, {
    isElsewhere,
    onDown: (tell: (error: NodeError) => void) => downs.push(tell),
  });
  const session = new Session(async (id) => {
    opened.push(id);
    return node;
  }, new ChainBook());
  const other = new BroadcastChannel('tabnode.chains');
  onTestFinished(() => {
    other.close();
    localStorage.clear();
  });
  return { session, opened, other, down: () => downs.at(-1)?.(new NodeError('Disconnected')) };
};

it('a tab that deletes a chain whose node another tab runs does not start it when that node ends', async () => {
  const { session, opened, other, down } = openBeside();
  await session.create('Shared', preset, null);
  const { entry } = session;
  if (entry === null) throw new Error('no chain');
  const words: unknown[] = [];
  other.onmessage = ({ data }) => {
    words.push(data);
    down();
  };
  // The other tab holds the chain until it is told.
  await navigator.locks.request(chainLock(entry.id), async () => {
    const removed = session.remove(entry);
    expect(session.phase).toMatchObject({ kind: 'closing', what: 'Deleting' });
    expect(new ChainBook().find(entry.id), 'no tab finds it').toBeNull();
    await vi.waitFor(() => expect(words).toEqual([{ kind: 'deleted', chain: entry.id }]));
    expect(opened).toEqual([entry.id]);
    void removed;
  });
  await vi.waitFor(() => expect(session.entry?.id).toBe('development'));
  expect(opened).toEqual([entry.id, 'development']);
});

it('a chain that another tab deletes is left, whether the word, the list or the end of its node comes first', async () => {
  for (const first of ['word', 'list', 'end', 'start'] as const) {
    const { session, opened, other, down } = openBeside();
    await session.create('Shared', preset, null);
    const { entry } = session;
    if (entry === null) throw new Error('no chain');
    const list = session.book.entries.map((one) => (one.id === entry.id ? { ...one, isDeleted: true } : one));
    localStorage.setItem('tabnode.chains', JSON.stringify(list));
    if (first === 'word') other.postMessage({ kind: 'deleted', chain: entry.id });
    if (first === 'list') dispatchEvent(new StorageEvent('storage', { key: 'tabnode.chains' }));
    if (first === 'end') down();
    if (first === 'start') await session.start(entry);
    await vi.waitFor(() =>
      expect(session.phase, first).toMatchObject({ kind: 'deleted', entry: { name: 'Shared' } }),
    );
    expect(opened, first).toEqual([entry.id]);
    expect([session.entry, location.hash], first).toEqual([null, '#/']);
    // The deletion failed: the chain is opened again.
    localStorage.setItem('tabnode.chains', JSON.stringify(list.map(({ isDeleted: _, ...one }) => one)));
    other.postMessage({ kind: 'kept', chain: entry.id });
    await vi.waitFor(() => expect(session.phase.kind, first).toBe('running'));
    await session.remove(entry);
    other.close();
  }
});

it('a deletion that fails says so, and the chain stays', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(new DOMException('late', 'TimeoutError')), 50);
    return ending.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  const { session } = openBeside(false);
  await session.create('Held', preset, null);
  const { entry } = session;
  if (entry === null) throw new Error('no chain');
  await navigator.locks.request(chainLock(entry.id), async () => {
    await expect(session.remove(entry)).rejects.toThrow(
      'The chain is open in another tab. Close it there first.',
    );
  });
  expect(session.phase).toMatchObject({ kind: 'running', entry: { id: entry.id } });
  expect(session.told).toBe(
    '“Held” could not be deleted: The chain is open in another tab. Close it there first.',
  );
  expect(new ChainBook().find(entry.id)?.name).toBe('Held');
  await session.remove(entry);
});

it('chains that are kept in memory are not stored, whether they are started or created', async () => {
  const asked: unknown[] = [];
  const open: OpenNode = async (...call) => {
    asked.push(nodeOptions(...call).storage);
    return nodeOf(known);
  };
  const session = new Session(open, new ChainBook());
  onTestFinished(() => localStorage.clear());
  await session.begin();
  session.inMemory = true;
  await session.begin();
  await session.create('Second', { kind: 'preset', preset: 'development' }, null);
  expect(asked).toEqual([{ kind: 'indexeddb', name: 'development' }, 'memory', 'memory']);
});

it('a new chain keeps recent states unless all are asked for, and later as well', async () => {
  const asked: unknown[] = [];
  const open: OpenNode = async (...call) => {
    asked.push(nodeOptions(...call).statePruning);
    return nodeOf(known);
  };
  const session = new Session(open, new ChainBook());
  onTestFinished(() => localStorage.clear());
  const [first] = session.book.entries;
  if (first === undefined) throw new Error('no chain');
  await session.start(first);
  await session.create('Second', preset, null);
  await session.create('Third', preset, null, null, 'archive');
  const third = session.entry;
  if (third === null) throw new Error('no chain');
  await session.start(third);
  expect(asked).toEqual([4096, 4096, 'archive', 'archive'].map((ifNew) => ({ ifNew })));
});

it('a chain that another tab renames has its new name here', () => {
  const book = new ChainBook();
  onTestFinished(() => localStorage.clear());
  const [entry] = book.entries;
  localStorage.setItem('tabnode.chains', JSON.stringify([{ ...entry, createdMs: 5, name: 'Theirs' }]));
  dispatchEvent(new StorageEvent('storage', { key: 'tabnode.chains' }));
  expect(book.entries.map(({ name }) => name)).toEqual(['Theirs']);
});
