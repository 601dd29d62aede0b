import { flushSync, mount, unmount } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import type { NodeOptions } from '../../../../src/index.ts';
import { currentFrame } from '../../../kit/page/frame.ts';
import { providePageContext } from '../../../node/page-context.ts';
import { mountIn, openContext, press, settle } from '../../../testing/open-page.ts';
import PairPage from './PairPage.svelte';
import PairView from './PairView.svelte';
import { Pair } from './pair.svelte.ts';

/** The nodes of the whole page, by their options. */
const fakes = vi.hoisted(() => ({ hosts: [] as NodeOptions[] }));
vi.mock('../../../../src/host.ts', () => ({ createHost: () => null }));
vi.mock('../../../../src/link.ts', () => ({ connectNodes: async () => undefined }));
vi.mock('../../../../src/start.ts', () => ({
  startNodeIn: async (_host: unknown, options: NodeOptions) => {
    fakes.hosts.push(options);
    return createFakeNode(options).node;
  },
}));

type Head = { readonly number: string };
const roundState = {
  setId: 0,
  best: {
    round: 4,
    totalWeight: 2,
    thresholdWeight: 2,
    prevotes: { currentWeight: 1, missing: ['5GoNkf6WdbxCFnPdAnYYQyCjAKPJgLNxXwPjwTh6DGg6gN3E'] },
    precommits: { currentWeight: 0, missing: [] },
  },
  background: [],
};

const createFakeNode = (options: NodeOptions) => {
  const on: { best?: (head: Head) => void; final?: (head: Head) => void; lost?: (why: Error) => void } = {};
  const stop = vi.fn(async () => on.lost?.(new Error('The node was stopped')));
  const node = {
    info: { bestNumber: 0, finalizedNumber: 0 },
    connection: {
      onClose: (listener: (why: Error) => void) => {
        on.lost = listener;
      },
    },
    rpc: {
      chain_subscribeNewHeads: async (_: object, listener: (head: Head) => void) => {
        on.best = listener;
      },
      chain_subscribeFinalizedHeads: async (_: object, listener: (head: Head) => void) => {
        on.final = listener;
      },
      grandpa_roundState: async () => roundState,
    },
    stop,
  };
  return { node, options, stop, on };
};
type FakeNode = ReturnType<typeof createFakeNode>;

/** The page with two nodes that do nothing on their own. */
const open = () => {
  const started: FakeNode[] = [];
  const done: string[] = [];
  const refuse: { why: Error | null } = { why: null };
  const pair = new Pair({
    start: async (options) => {
      if (refuse.why !== null) throw refuse.why;
      const made = createFakeNode(options);
      started.push(made);
      return made.node as never;
    },
    link: async (a, b) => {
      const place = (node: unknown) => started.findIndex((one) => one.node === node);
      done.push(`link ${place(a)} ${place(b)}`);
    },
    clean: async () => void done.push('clean'),
  });
  const { context } = openContext(() => new Promise(() => undefined));
  const page = mountIn(context, PairView, { pair });
  const text = (): string => page.textContent.replace(/\s+/g, ' ');
  const shown = (name: string): string =>
    (page.querySelector(`[aria-label="${name}"]`)?.textContent ?? '').replace(/\s+/g, ' ');
  const see = async (change: () => void): Promise<void> => {
    change();
    await settle();
  };
  const hear = (index: number, kind: 'best' | 'final', number: number) =>
    see(() => started[index]?.on[kind]?.({ number: `0x${number.toString(16)}` }));
  return { pair, page, started, done, refuse, text, shown, see, hear };
};

const start = async () => {
  const pair = open();
  await pair.see(() => press(pair.page, 'Start Alice and Bob'));
  return pair;
};

it('nothing runs until it is started; then both vote for one chain, and only Bob’s is stored', async () => {
  const idle = open();
  const separate = 'Alice and Bob run a separate chain with two validators, not the chain in the list.';
  expect(idle.text()).toContain(separate);
  expect(idle.started).toEqual([]);
  const { page, started, done, text, shown, hear } = await start();
  expect(done).toEqual(['clean', 'link 0 1']);
  expect(started.map(({ options }) => options)).toMatchObject([
    { chain: 'local_testnet', storage: 'memory', keys: ['//Alice'], finality: 'grandpa' },
    {
      chain: 'local_testnet',
      storage: { kind: 'indexeddb' },
      keys: ['//Bob'],
      finality: 'grandpa',
      seal: 'manual',
    },
  ]);
  expect(text()).toContain('Both are voting.');
  expect(text()).toContain(separate);
  await hear(0, 'best', 3);
  await hear(0, 'final', 2);
  await hear(1, 'best', 1200);
  expect(shown('Alice')).toMatch(/running best #3 finalized #2/);
  expect(shown('Alice')).toContain('1 of 2, 1 more vote needed; no vote yet: Bob');
  const [fact, bar] = ['dl.facts dd', 'meter'].map(
    (name) => page.querySelector(name)?.getBoundingClientRect().left,
  );
  expect(fact).toBe(bar);
  expect(shown('Bob')).toMatch(/best #1.200/);
  expect(text()).toContain('1 block waits for finality.');
});

it('Bob is stopped, what waits is counted, and he is linked again when he is started', async () => {
  const { page, started, done, text, shown, see, hear } = await start();
  await hear(1, 'best', 4);
  await see(() => press(page, 'Stop Bob'));
  expect(started[1]?.stop).toHaveBeenCalledTimes(1);
  expect(shown('Bob')).toMatch(/stopped.*best #4/);
  expect(page.querySelector('[role="status"]')?.textContent).toContain('finality waits for Bob');
  await hear(0, 'best', 5);
  expect(text()).toContain('5 blocks wait for finality.');
  // Messages that the stopped node may still send are ignored.
  await hear(1, 'best', 99);
  expect(shown('Bob')).not.toContain('99');
  await see(() => press(page, 'Start Bob'));
  expect(done).toEqual(['clean', 'link 0 1', 'link 0 2']);
  expect(started[2]?.options.storage).toEqual(started[1]?.options.storage);
  expect(text()).toContain('Both are voting.');
  await hear(0, 'final', 5);
  expect(text()).not.toContain('for finality.');
});

it('the focus stays on the page and on the button that was pressed', async () => {
  const { page, started, see } = open();
  const button = (name: string) =>
    [...page.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name);
  button('Start Alice and Bob')?.focus();
  await see(() => press(page, 'Start Alice and Bob'));
  await vi.waitFor(() => expect(document.activeElement?.ariaLabel).toBe('Nodes'));
  const stopping = Promise.withResolvers<void>();
  started[1]?.stop.mockImplementation(() => stopping.promise);
  const bob = button('Stop Bob');
  bob?.focus();
  await see(() => press(page, 'Stop Bob'));
  expect(bob?.ariaDisabled).toBe('true');
  await see(() => stopping.resolve());
  expect([bob?.ariaDisabled, bob?.textContent.trim()]).toEqual(['false', 'Start Bob']);
  expect(document.activeElement).toBe(bob);
});

it('a start that fails, and a node that ends by itself, are shown with a way to try again', async () => {
  const { page, started, refuse, text, see } = open();
  refuse.why = new Error('no room for a worker');
  await see(() => press(page, 'Start Alice and Bob'));
  expect(page.querySelector('[role="alert"]')?.textContent).toContain('no room for a worker');
  refuse.why = null;
  await see(() => press(page, 'Try again'));
  expect(page.querySelector('[role="alert"]')).toBeNull();
  expect(text()).toContain('Both are voting.');
  await see(() => started[0]?.on.lost?.(new Error('the worker died')));
  expect(page.querySelector('[role="alert"]')?.textContent).toContain('the worker died');
});

it('a start of which one half fails is over when the other half is, so that a retry stops both', async () => {
  const late = Promise.withResolvers<void>();
  const stopped: string[] = [];
  const pair = new Pair({
    start: async ({ keys }) => {
      const [name = ''] = keys ?? [];
      if (name === '//Alice' && stopped.length === 0) throw new Error('no room for a worker');
      await late.promise;
      const { node, stop } = createFakeNode({});
      stop.mockImplementation(async () => void stopped.push(name));
      return node as never;
    },
    link: async () => undefined,
    clean: async () => undefined,
  });
  const first = pair.start();
  await settle();
  expect([pair.busy, pair.fault]).toEqual([true, null]);
  late.resolve();
  await first;
  expect(String(pair.fault)).toContain('no room for a worker');
  stopped.push('');
  await pair.start();
  expect(stopped).toEqual(['', '//Bob']);
  expect([pair.alice.now.phase, pair.bob.now.phase, pair.fault]).toEqual(['running', 'running', null]);
});

it('both workers end with the page', async () => {
  const { pair, page, started } = await start();
  pair.close();
  for (const { options, on } of started) {
    expect(options.signal?.aborted).toBe(true);
    on.lost?.(new Error('Aborted'));
  }
  flushSync();
  expect(page.querySelector('[role="alert"]')).toBeNull();
});

it('a node that ended is named, and nothing deletes the chain unasked', async () => {
  const { page, started, done, text, see, hear } = await start();
  await hear(0, 'best', 35);
  const alert = () => page.querySelector('[role="alert"]')?.textContent ?? '';
  await see(() => started[1]?.on.lost?.(new Error('the worker died')));
  expect(alert()).toContain('Bob failed');
  await see(() => press(page, 'Try again'));
  expect([started.length, done.filter((one) => one === 'clean')]).toEqual([3, ['clean']]);
  expect([alert(), text().includes('35 blocks wait for finality.')]).toEqual(['', true]);

  await see(() => started[0]?.on.lost?.(new Error('the worker died')));
  expect(alert()).toContain('Alice failed');
  expect(alert()).toContain('Alice seals the blocks, so this chain ends at #35.');
  expect(text()).not.toContain('for finality.');
  await see(() => press(page, 'Delete it and start a new chain'));
  expect([alert(), done.filter((one) => one === 'clean').length]).toEqual(['', 2]);
});

it('the nodes outlive the node of the shown chain, and end when their page is left', async () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const { address } = currentFrame();
  address.open('#/chain/pair');
  const props = { onclose: () => undefined };
  const mountPage = () => {
    const target = document.createElement('div');
    const around = (...args: Parameters<typeof PairPage>) => {
      providePageContext(() => ({ ...context, session: {} as never }));
      return PairPage(...args);
    };
    const app = mount(around as typeof PairPage, { target, props });
    return { target, app };
  };
  const first = mountPage();
  press(first.target, 'Start Alice and Bob');
  await vi.waitFor(() => expect(first.target.textContent).toContain('Both are voting.'));
  await unmount(first.app);
  const second = mountPage();
  expect(second.target.textContent).toContain('Both are voting.');
  expect(fakes.hosts.map(({ signal }) => signal?.aborted)).toEqual([false, false]);
  address.open('#/chain');
  expect(fakes.hosts.map(({ signal }) => signal?.aborted)).toEqual([true, true]);
  await unmount(second.app);
});
