import { flushSync } from 'svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import '../../panels.css';
import { type ForkProgress, NodeError } from '../../../src/index.ts';
import { liveChains } from '../../../src/live-chains.ts';
import { openRemote } from '../../../src/remote.ts';
import { keepForkEntry } from '../../node/fork/fork-name.ts';
import type { Session } from '../../node/session/session.svelte.ts';
import { mountIn, openContext, press, typeIn } from '../../testing/open-page.ts';
import ChainMenu from './ChainMenu.svelte';
import { ForkStart } from './fork-start.svelte.ts';
import NewChain from './NewChain.svelte';

vi.mock('../../../src/remote.ts', () => ({ openRemote: vi.fn() }));

const info = { chainName: 'Westend', genesisHash: '0x01' };
const node = (change: object = {}) =>
  ({ info, methods: null, connection: { close: vi.fn() }, ...change }) as never;
beforeEach(() => {
  sessionStorage.clear();
  vi.mocked(openRemote)
    .mockReset()
    .mockImplementation(async () => node());
});

const openSession = (create: Session['create'] = async () => undefined) => {
  const { context } = openContext(() => null);
  const book = {
    find: () => null,
    entries: [],
    freeName: (name: string) => name,
    change: vi.fn(async () => undefined),
    rename: vi.fn(async () => undefined),
  };
  const session = { node: null, entry: null, book, create: vi.fn(create) };
  return { context, session: session as unknown as Session & { create: typeof session.create } };
};

const openForm = (create?: Session['create']) => {
  const { context, session } = openSession(create);
  const onclose = vi.fn();
  const page = mountIn(context, NewChain, { session, forks: true, onclose });
  const field = (label: string) =>
    [...page.querySelectorAll<HTMLInputElement>('input')].find((one) =>
      one.labels?.[0]?.textContent.trim().startsWith(label),
    );
  const start = (endpoints: string, block = '') => {
    typeIn(field('Endpoints'), endpoints);
    typeIn(field('Block'), block);
    press(page, 'Fork and start');
  };
  /** What the alert of the field says. */
  const faultAt = (label: string) => {
    const help = document.getElementById(field(label)?.getAttribute('aria-describedby') ?? '');
    return help?.role === 'alert' ? help.textContent.trim() : null;
  };
  return { page, session, onclose, field, start, faultAt };
};

it('forks the chain of the endpoints, from the block, under its own name', async () => {
  const { session, onclose, start } = openForm();
  start(' rpc.example, wss://two.example ', ' #17 ');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  const [name, origin, payload, modes, states, isLookOnly] = session.create.mock.lastCall ?? [];
  expect({ name, origin, payload, modes, states, isLookOnly }).toEqual({
    name: 'Fork of Westend',
    origin: { kind: 'fork', endpoints: ['ws://rpc.example/', 'wss://two.example/'], block: '17' },
    payload: null,
    modes: null,
    states: 'archive',
    isLookOnly: false,
  });
});

it.each<readonly [field: string, endpoints: string, block: string, text: string]>([
  [
    'Endpoints',
    '',
    '',
    'Enter the name of a public chain, such as polkadot, or the WebSocket address of a node',
  ],
  ['Endpoints', 'ftp://a', '', 'is not the address of a node'],
  [
    'Endpoints',
    Array.from({ length: 17 }, (_, index) => `ws://n${index}`).join(' '),
    '',
    'at most 16 addresses',
  ],
  ['Block', 'ws://a', 'latest', 'Enter the number or hash of a block'],
])(
  'says at the field %s what is wrong with “%s” and “%s”, and connects to nothing',
  (field, endpoints, block, text) => {
    const { start, faultAt, session } = openForm();
    start(endpoints, block);
    flushSync();
    expect(faultAt(field)).toContain(text);
    expect(openRemote).not.toHaveBeenCalled();
    expect(session.create).not.toHaveBeenCalled();
  },
);

it.each([
  ['EndpointFailed', 'Endpoints'],
  ['EndpointLied', 'Endpoints'],
  ['UnknownBlock', 'Block'],
  ['NotCached', 'Block'],
] as const)('shows %s of the node at the field %s', async (code, field) => {
  const { start, faultAt, onclose } = openForm(() => Promise.reject(new NodeError(code, 'What it was.')));
  start('ws://a');
  await vi.waitFor(() => expect(faultAt(field)).toBe('What it was.'));
  expect(onclose).not.toHaveBeenCalled();
});

it('refuses endpoints of different chains, and those that cannot prove a state', async () => {
  vi.mocked(openRemote).mockImplementation(async (url) =>
    node({ info: { chainName: url.slice(5, 6), genesisHash: url } }),
  );
  const { start, faultAt } = openForm();
  start('ws://a ws://b');
  await vi.waitFor(() =>
    expect(faultAt('Endpoints')).toContain('of different chains: ws://a/ is of a, ws://b/'),
  );
  vi.mocked(openRemote).mockImplementation(async () => node({ methods: new Set(['chainHead_v1_follow']) }));
  start('ws://a');
  await vi.waitFor(() => expect(faultAt('Endpoints')).toContain('does not offer state_getReadProof'));
});

it('ends while a node does not respond when it is canceled, and can be started again', async () => {
  const late = Promise.withResolvers<never>();
  vi.mocked(openRemote).mockImplementationOnce(() => late.promise);
  const { page, field, start, session, onclose } = openForm();
  expect((document.activeElement as HTMLInputElement).checked).toBe(true);
  field('Endpoints')?.focus();
  start('ws://a');
  await vi.waitFor(() => expect(page.textContent).toContain('Connecting…'));
  // The button that was pressed is gone, and so is the one that ends it afterwards.
  expect(document.activeElement?.textContent).toBe('Cancel');
  press(page, 'Cancel');
  await vi.waitFor(() => expect(page.textContent).toContain('Fork and start'));
  await vi.waitFor(() => expect(document.activeElement).toBe(field('Endpoints')));
  expect(page.querySelector('[role="alert"]')).toBeNull();
  expect(session.create).not.toHaveBeenCalled();
  // What it says after that is nobody's.
  late.reject(new NodeError('Disconnected', 'Gone.'));
  start('ws://a');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
});

const { westend } = liveChains;
const refused = new NodeError('NotAllowed', 'The policy forbids it.', { details: { isPolicy: true } });

it('offers the public chains, and takes the name of one for its nodes', async () => {
  vi.mocked(openRemote).mockImplementation(async () =>
    node({ info: { chainName: 'Westend', genesisHash: westend.genesisHash } }),
  );
  const { page, field, start, session, onclose } = openForm();
  const offered = () =>
    [...(field('Endpoints')?.list?.options ?? [])].map(({ value, label }) => [value, label]);
  await vi.waitFor(() => expect(offered()).toContainEqual(['polkadot-asset-hub', 'Polkadot Asset Hub']));
  start(' Westend ', '5');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  const endpoints = westend.endpoints.map((url) => new URL(url).href);
  expect(session.create.mock.lastCall?.[1]).toEqual({ kind: 'fork', endpoints, block: '5' });
  expect(page.querySelector('[role="alert"]')).toBeNull();
});

it('refuses nodes that are not of the chain that is named, and two names, before it creates a chain', async () => {
  const { start, faultAt, session } = openForm();
  start('westend ws://a');
  await vi.waitFor(() =>
    expect(faultAt('Endpoints')).toBe(
      `ws://a/ is not of Westend: its genesis is 0x01, not ${westend.genesisHash}.`,
    ),
  );
  start('kusamo');
  await vi.waitFor(() => expect(faultAt('Endpoints')).toContain('No public chain is known as “kusamo”.'));
  start('westend kusama');
  await vi.waitFor(() => expect(faultAt('Endpoints')).toBe('Enter one chain, not westend and kusama.'));
  expect(session.create).not.toHaveBeenCalled();
});

it('names the chain, not the first of its nodes, if none of them can be reached', async () => {
  vi.mocked(openRemote).mockImplementation(async (url) => {
    throw new NodeError('Disconnected', `Nothing answers at ${url}.`);
  });
  const { start, faultAt } = openForm();
  start('westend');
  await vi.waitFor(() =>
    expect(faultAt('Endpoints')).toBe(
      `None of the ${westend.endpoints.length} nodes of Westend can be reached. Check the network connection, or enter the address of another node.`,
    ),
  );
  start('westend ws://a');
  await vi.waitFor(() => expect(faultAt('Endpoints')).toBe('Nothing answers at ws://a/.'));
});

it('keeps the name of the chain while the page is opened again', async () => {
  vi.mocked(openRemote).mockImplementation(() => Promise.reject(refused));
  const { session } = openSession();
  const assign = vi.fn();
  const first = new ForkStart(session, { search: '', assign });
  first.endpoints = 'westend';
  expect(await first.run('')).toBe(false);
  expect(assign).toHaveBeenCalledOnce();
  expect(new ForkStart(session, { search: '', assign }).endpoints).toBe('westend');
});

it('goes on with the endpoints that can be used', async () => {
  vi.mocked(openRemote).mockImplementationOnce(() => Promise.reject(new NodeError('Disconnected', 'Gone.')));
  const { start, onclose, session } = openForm();
  start('ws://a ws://b');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  expect(session.create).toHaveBeenCalledOnce();
});

it('shows how much is read, and ends that when it is canceled', async () => {
  let signal: AbortSignal | undefined;
  let report: ((progress: ForkProgress) => void) | undefined;
  const { page, start, onclose } = openForm((...args) => {
    const watch = args[6];
    signal = watch?.signal;
    report = watch?.onProgress;
    report?.({ requests: 12, bytes: 1_200_000, items: 140, reading: null });
    return new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(new NodeError('Aborted'))),
    );
  });
  start('ws://a');
  await vi.waitFor(() =>
    expect(page.textContent).toMatch(/Reading 140 items of the state… 12 requests, 1.2 MB/),
  );
  const counts = { requests: 13, bytes: 1_300_000, items: 180 };
  report?.({ ...counts, reading: { pallet: 'Staking', item: null, keys: 40 } });
  await vi.waitFor(() => expect(page.textContent).toMatch(/Reading 40 items of Staking… 13 requests/));
  report?.({ ...counts, reading: { pallet: 'Staking', item: 'Ledger', keys: 1 } });
  await vi.waitFor(() => expect(page.textContent).toMatch(/Reading 1 item of Staking.Ledger… 13 requests/));
  press(page, 'Cancel');
  await vi.waitFor(() => expect(page.textContent).toContain('Fork and start'));
  expect(signal?.aborted).toBe(true);
  expect(page.querySelector('[role="alert"]')).toBeNull();
  expect(onclose).not.toHaveBeenCalled();
});

it('opens the page again with endpoints that its policy refuses, once, and goes on there', async () => {
  vi.mocked(openRemote).mockImplementation(() => Promise.reject(refused));
  const { session } = openSession();
  const assign = vi.fn();
  const first = new ForkStart(session, { search: '', assign });
  Object.assign(first, { endpoints: 'wss://a.example wss://b.example', block: '5' });
  expect(first.continued).toBeNull();
  expect(await first.run('Mine')).toBe(false);
  const search = '?fork=wss%3A%2F%2Fa.example%2F&fork=wss%3A%2F%2Fb.example%2F&block=5';
  expect(assign.mock.calls).toEqual([[search]]);
  expect(first.fault).toBeNull();
  const second = new ForkStart(session, { search, assign });
  expect(second).toMatchObject({ continued: 'Mine', block: '5' });
  expect(second.endpoints).toBe('wss://a.example wss://b.example');
  // A host whose policy is the same for all pages.
  expect(await second.run('Mine')).toBe(false);
  expect(assign).toHaveBeenCalledTimes(1);
  expect(second.fault).toEqual({ field: 'endpoints', text: 'The policy forbids it.' });
  // A link of someone else starts nothing.
  expect(new ForkStart(session, { search, assign })).toMatchObject({ continued: null, block: '5' });
});

const base = { hash: `0x${'ab'.repeat(32)}`, number: 23_456 };
const file = { kind: 'pack', name: '', fileName: 'mine.pack', pack: new Uint8Array([1]) } as const;

it('opens the pack of a fork without the network, and names the fork after its base', async () => {
  const { context, session } = openSession(async (name, origin) => {
    const entry = { id: 'fork', name, origin, createdMs: 0 };
    Object.assign(session, { entry, node: { info: { chainName: 'Westend' }, base: () => base } });
  });
  const onclose = vi.fn();
  const page = mountIn(context, NewChain, { session, file, onclose });
  expect(page.querySelector('h2')?.textContent).toBe('Packed fork “mine.pack”');
  press(page, 'Open the fork');
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
  const [name, origin, payload, , states, , watch] = session.create.mock.lastCall ?? [];
  expect({ name, origin, payload, states, pack: watch?.pack }).toEqual({
    name: 'Fork',
    origin: { kind: 'fork', endpoints: [], block: '' },
    payload: null,
    states: 'archive',
    pack: file.pack,
  });
  expect(session.book.rename).toHaveBeenLastCalledWith('fork', 'Fork of Westend at #23\u202f456');
  expect(openRemote).not.toHaveBeenCalled();
});

it('a pack that is damaged is refused with what the node says of it, and can be chosen again', async () => {
  const why = 'This is not a pack of a fork, or it is damaged: its checksum does not match';
  const { context, session } = openSession(() => Promise.reject(new NodeError('BadValue', why)));
  const onclose = vi.fn();
  const page = mountIn(context, NewChain, { session, file, onclose });
  press(page, 'Open the fork');
  await vi.waitFor(() => expect(page.querySelector('[role="alert"]')?.textContent).toBe(why));
  expect(onclose).not.toHaveBeenCalled();
  expect(page.textContent).toContain('Open the fork');
});

it.each([
  ['Fork of Westend', 'renamed'],
  ['Fork of Westend 2', 'renamed'],
  ['Fork of Westend at #7', 'renamed'],
  ['Fork of Westend at #23\u202f456', 'kept'],
  ['Fork of Westend at #23\u202f456 2', 'kept'],
  ['Fork of Westend for a test', 'kept'],
  ['Mine', 'kept'],
])('“%s” is %s once its base is known', async (name, what) => {
  const { session } = openSession();
  const origin = { kind: 'fork', endpoints: ['ws://a/'], block: '7' } as const;
  await keepForkEntry(session.book, { id: 'one', name, origin, createdMs: 0 }, { name: 'Westend', base });
  expect(session.book.rename).toHaveBeenCalledTimes(what === 'renamed' ? 1 : 0);
  // The block of a link, and of the fork's color.
  expect(session.book.change).toHaveBeenCalledExactlyOnceWith('one', {
    origin: { ...origin, block: base.hash },
  });
});

it('a fork in the list of chains says why it cannot be exported or repaired', () => {
  const { context, session } = openSession();
  const origin = { kind: 'fork', endpoints: ['wss://a.example/'], block: 'finalized' };
  Object.assign(session.book, { entries: [{ id: 'one', name: 'Westend fork', origin }] });
  const page = mountIn(context, ChainMenu, { session, onclose: () => undefined, oncreate: () => undefined });
  const why = (name: string) => {
    const button = [...page.querySelectorAll('button')].find(
      ({ textContent }) => textContent.trim() === name,
    );
    return button?.disabled === true ? button.title : null;
  };
  expect(why('Export')).toMatch(/^A fork cannot be exported: .*Duplicate it instead\.$/);
  expect(why('Repair…')).toMatch(/^A fork cannot be repaired\./);
  expect([why('Rename'), why('Duplicate'), why('Delete')]).toEqual([null, null, null]);
});
