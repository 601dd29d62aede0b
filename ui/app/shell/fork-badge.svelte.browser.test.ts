import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import type { ForkStatus } from '../../../src/index.ts';
import { mountIn, openContext, press, typeIn } from '../../testing/open-page.ts';
import ForkBadge from './ForkBadge.svelte';

const endpoint = {
  name: 'wss://rpc.example/',
  state: 'fit',
  problem: null,
  requests: 37,
  bytes: 9,
  failures: 0,
  lies: 0,
  shared: null,
  latencyMs: 80,
  states: 'all',
} as const;
const fork: ForkStatus = {
  name: 'Westend',
  base: { hash: `0x${'ab'.repeat(32)}`, number: 23_456 },
  chosenAs: 'finalized',
  endpoints: [endpoint],
  requests: 37,
  bytes: 1_200_000,
  lies: 0,
  shared: null,
  untruths: [],
};

const open = async (
  change: Partial<ForkStatus>,
  addresses: readonly string[] = [],
  answer: Parameters<typeof openContext>[0] = () => null,
) => {
  const { context, asked } = openContext(answer);
  const page = mountIn(context, ForkBadge, { fork: { ...fork, ...change }, addresses });
  const badge = page.querySelector('button');
  badge?.click();
  const dialog = await vi.waitFor(() => {
    const found = page.querySelector('dialog');
    if (found === null) throw new Error('not loaded');
    return found;
  });
  const text = () => dialog.textContent.replace(/\s+/g, ' ');
  return { badge, text, page, asked };
};

it('names the live chain and the base, and says that nothing differs', async () => {
  const { badge, text } = await open({});
  expect(badge?.textContent).toMatch(/fork\sof Westend\s#23\s456/);
  expect(badge?.classList.contains('warn')).toBe(false);
  expect(text()).toContain('The endpoint said that it is finalized.');
  expect(text()).toMatch(/37 requests, 1.2 MB/);
  expect(text()).toContain('wss://rpc.example/ connected 80 ms, 37 requests, 9 B, has all states');
  expect(text()).toContain('Every response fits its hash.');
  expect(text()).toContain('to the byte');
});

it('lists what is not as on the live chain', async () => {
  const untruths = [
    'Blocks have no seal: the keys of the authorities are not here',
    'The state of some blocks was edited',
  ];
  const liar = { ...endpoint, state: 'liar', lies: 2, failures: 1 } as const;
  const change = { untruths, chosenAs: 'number', lies: 2, endpoints: [liar] } as const;
  const { badge, page } = await open(change);
  expect(badge?.classList.contains('warn')).toBe(true);
  expect([...page.querySelectorAll('.untruths li')].map(({ textContent }) => textContent)).toEqual(
    untruths.map((one) => `${one}.`),
  );
  expect(page.textContent).not.toContain('to the byte');
  expect(page.textContent).toContain('2 false answers');
  expect(page.textContent).toContain('2 responses contradicted its hash, 1 request failed.');
});

it('says what an endpoint lacks, and how the page reaches it again', async () => {
  const gone = { ...endpoint, state: 'failing', problem: 'accepts no connection' } as const;
  const { text, page } = await open({ endpoints: [gone] }, [endpoint.name]);
  expect(text()).toContain('wss://rpc.example/ not reachable');
  expect(text()).toContain('What was read is stored');
  expect(text()).toContain('accepts no connection');
  expect(page.querySelector('dialog a[href^="?"]')?.getAttribute('href')).toMatch(
    /^\?fork=wss%3A%2F%2Frpc\.example%2F/,
  );
  expect((await open({ endpoints: [] })).text()).toContain('Endpoints None.');
});

it('saves the pack as a file that is named after the live chain and the base', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const { page, text } = await open({ name: 'Polkadot Asset Hub' }, [], () => '0x0102');
  press(page, 'Save pack');
  await vi.waitFor(() => expect(text()).toContain('Saved polkadot-asset-hub-23456.pack, 2 B.'));
  expect((saved.mock.contexts[0] as HTMLAnchorElement).download).toBe('polkadot-asset-hub-23456.pack');
  saved.mockRestore();
});

it('says why a pack cannot be saved', async () => {
  const { page, text } = await open({}, [], () => Promise.reject(new Error('It is too large.')));
  press(page, 'Save pack');
  await vi.waitFor(() => expect(text()).toContain('Saving the pack failed'));
  expect(text()).toContain('It is too large.');
});

it('copies a link that forks the same chain at the same block, and none without an endpoint', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const { page, text } = await open({}, [endpoint.name]);
  press(page, 'Copy link');
  await vi.waitFor(() => expect(text()).toContain('Link copied'));
  const link = new URL(write.mock.lastCall?.[0] ?? '');
  expect([link.searchParams.getAll('fork'), link.searchParams.get('block'), link.hash]).toEqual([
    [endpoint.name],
    fork.base.hash,
    '',
  ]);
  write.mockRestore();
  const without = (await open({})).page;
  const button = [...without.querySelectorAll('button')].find(({ textContent }) =>
    /Copy link/.test(textContent),
  );
  expect(button?.title).toContain('Share a pack instead');
});

it('rebases after a question that says what is deleted and what stays', async () => {
  const { page, text, asked } = await open({}, [], (method) =>
    method === 'dev_fork' ? { base: { hash: '0x01', number: 23_500 }, writes: 2 } : null,
  );
  const field = () => page.querySelector('dialog input');
  typeIn(field(), 'latest');
  expect(page.querySelector('[role="alert"]')?.textContent).toContain('“finalized” or “best”');
  typeIn(field(), '23456');
  expect(page.querySelector('[role="alert"]')?.textContent).toMatch(/Enter a block after #23.456/);
  typeIn(field(), '#23500');
  press(page, 'Rebase…');
  const question = () => [...page.querySelectorAll('dialog')].at(-1)?.textContent ?? '';
  await vi.waitFor(() => expect(question()).toMatch(/Continue from block #23.500\?/));
  expect(question()).toContain('The values that you set by hand are set again');
  expect(question()).toContain('Its snapshots are deleted');
  press(page, /^(Rebase|Delete .* and rebase)$/);
  await vi.waitFor(() =>
    expect(text()).toMatch(/now continues from block #23.500. 2 values .* were set again/),
  );
  // The node takes a text for a hash only.
  expect(asked).toContainEqual(['dev_fork', { rebase: 23_500 }]);
  flushSync();
});

it('keeps the list of chains true to the base, whoever moved it, and leaves another chain alone', async () => {
  const { context } = openContext(() => null);
  const origin = { kind: 'fork', endpoints: [], block: 'finalized' };
  const session = $state({
    entry: { id: 'one', name: 'Fork of Westend at #7', origin },
    book: { change: vi.fn(async () => undefined), rename: vi.fn(async () => undefined) },
  });
  mountIn({ ...context, session: session as never }, ForkBadge, { fork, addresses: [] });
  await vi.waitFor(() =>
    expect(session.book.rename).toHaveBeenCalledExactlyOnceWith('one', 'Fork of Westend at #23\u202f456'),
  );
  expect(session.book.change).toHaveBeenCalledExactlyOnceWith('one', {
    origin: { ...origin, block: fork.base.hash },
  });
  session.entry = { ...session.entry, id: 'two' };
  flushSync();
  expect(session.book.change).toHaveBeenCalledOnce();
});
