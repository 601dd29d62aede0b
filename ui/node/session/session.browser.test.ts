import { openDB } from 'idb';
import { flushSync } from 'svelte';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { NodeError } from '../../../src/index.ts';
import { fillChain } from '../../app/chains/chain-archive.ts';
import { openNode } from '../../testing/open-page.ts';
import { nodeOptions, type OpenNode, type UiNode } from '../client/ui-node.ts';
import { ChainBook } from './chain-book.svelte.ts';
import { emptyChains } from './empty-chains.fixture.ts';
import { Session } from './session.svelte.ts';

// A book would list the chains that the tests of other files leave in this browser.
vi.mock('./find-chains.ts', () => ({ findChains: async () => undefined }));
beforeEach(emptyChains);

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
  const toConsole = vi.fn();
  opening.resolve(nodeOf(known, { toConsole }));
  await started;
  expect(session.phase.kind).toBe('running');
  expect(session.node).toBe(starting);
  expect(toConsole).toHaveBeenCalledOnce();
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

it('the console gets the node that the page shows, not one that starts after another was chosen', async () => {
  const given: string[] = [];
  const late = Promise.withResolvers<UiNode>();
  const named = (name: string) => openNode(() => null).node.with({ toConsole: () => void given.push(name) });
  const nodes = [late.promise, Promise.resolve(named('shown'))];
  const session = new Session(async () => nodes.shift() ?? named('none'), new ChainBook());
  const [entry] = session.book.entries;
  if (entry === undefined) throw new Error('no chain');
  const first = session.start(entry);
  await session.start(entry);
  late.resolve(named('late'));
  await first;
  expect(given).toEqual(['shown']);
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
  await found.refresh();
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

it('chains that are kept in memory are not stored, whether they are started or created', async () => {
  const asked: unknown[] = [];
  const open: OpenNode = async (...call) => {
    asked.push(nodeOptions(...call).storage);
    return nodeOf(known);
  };
  const session = new Session(open, new ChainBook());
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

it('a fork keeps all states, seals when there is a transaction, and reads through the page', async () => {
  const asked: ReturnType<typeof nodeOptions>[] = [];
  const open: OpenNode = async (...call) => {
    asked.push(nodeOptions(...call));
    return nodeOf(known);
  };
  const session = new Session(open, new ChainBook());
  const endpoints = ['wss://a.example/', 'wss://b.example/'];
  const origin = { kind: 'fork', endpoints, block: '7' } as const;
  const { signal } = new AbortController();
  const onProgress = () => undefined;
  await session.create('Fork', origin, null, null, 'archive', false, { signal, onProgress });
  const { entry } = session;
  if (entry === null) throw new Error('no chain');
  // What the page remembers of it may be lost.
  localStorage.removeItem(`tabnode.modes.${entry.id}`);
  await session.start(entry);
  const port = expect.any(MessagePort);
  const source = { endpoints: endpoints.map((name) => ({ name, port })), block: '7' };
  const forkSource = expect.any(Function);
  expect(asked[0]).toEqual({
    storage: { kind: 'indexeddb', name: entry.id },
    forkSource,
    signal,
    statePruning: { ifNew: 'archive' },
    seal: { kind: 'instant' },
    clock: 'chain',
  });
  expect(await asked[0]?.forkSource?.()).toEqual({ ...source, progress: port });
  expect(asked[1]).toMatchObject({ forkSource, statePruning: { ifNew: 'archive' } });
  expect(asked[1]).not.toHaveProperty('signal');
  // Its base is in its database: a rebase, which any client can ask for, may have changed it.
  expect(await asked[1]?.forkSource?.()).toEqual({ endpoints: source.endpoints });
  expect(new ChainBook().find(entry.id)?.origin).toEqual(origin);
});

it('a fork that is canceled while it starts leaves no entry and no database', async () => {
  const aborter = new AbortController();
  const open: OpenNode = async (id, _chain, _modes, { signal }) => {
    (await openDB(id)).close();
    const ended = Promise.withResolvers<never>();
    signal?.addEventListener('abort', () => ended.reject(new NodeError('Aborted')));
    aborter.abort();
    return ended.promise;
  };
  const session = new Session(open, new ChainBook());
  const origin = { kind: 'fork', endpoints: ['wss://a.example/'], block: 'finalized' } as const;
  const created = session.create('Dropped', origin, null, null, 'archive', false, { signal: aborter.signal });
  await expect(created).rejects.toMatchObject({ code: 'Aborted' });
  expect(session.book.entries.map(({ name }) => name)).not.toContain('Dropped');
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain('dropped');
});
