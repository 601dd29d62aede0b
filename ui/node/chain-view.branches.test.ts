import { expect, it, vi } from 'vitest';
import { ChainView } from './chain-view.svelte.ts';

vi.mock('svelte/reactivity', () => import('../testing/eager-subscriber.ts'));

/**
 * A node whose best chain is a string with one letter per block; a block's hash is the string up to it. Of a fork, nothing below
 * its base can be read while the live chain is out of reach.
 */
const createFake = (first: string, base: number | null = null) => {
  let best = first;
  let isOffline = base !== null;
  let waits: Promise<unknown> | null = null;
  const headerOf = (hash: string) => ({
    number: hash.length,
    parentHash: hash.slice(0, -1),
    stateRoot: hash,
  });
  const answers: Record<string, (param: never) => unknown> = {
    chain_getHeader: (hash: string = best) => headerOf(hash),
    chain_getFinalizedHead: () => '',
    chain_getBlockHash: (of: readonly number[]) =>
      of.map((number) => (number > best.length ? null : best.slice(0, number))),
    chain_getBlock: (hash: string) => {
      if (isOffline && hash.length < (base ?? 0)) throw new Error('out of reach');
      return { block: { header: headerOf(hash), extrinsics: [] } };
    },
  };
  const view = new ChainView({
    isFresh: false,
    base: () => (base === null ? null : { number: base, hash: first.slice(0, base) }),
    request: async (method: string, [param]: readonly [never]) => {
      const answer = answers[method]?.(param);
      await waits;
      return answer;
    },
    subscribe: () => ({ opened: Promise.resolve(), close: () => undefined }),
  } as never);
  return {
    view,
    move: (to: string) => {
      best = to;
    },
    connect: () => {
      isOffline = false;
    },
    /** Delays the responses to calls made by `begin` until the returned function is called. */
    delay: async (begin: () => Promise<void>): Promise<() => Promise<void>> => {
      const late = Promise.withResolvers<void>();
      waits = late.promise;
      const done = begin();
      await Promise.resolve();
      waits = null;
      return () => {
        late.resolve();
        return done;
      };
    },
  };
};

const hashes = ({ blocks }: ChainView) => blocks.map(({ hash }) => hash);
/** Hashes of the newest blocks of a chain, newest first. */
const chainOf = (best: string, length: number) =>
  Array.from({ length }, (_, index) => best.slice(0, best.length - index));

const open = async (best: string) => {
  const fake = createFake(best);
  await vi.waitFor(() => expect(hashes(fake.view)).toEqual(chainOf(best, 40)));
  return fake;
};

it('keeps no block of an abandoned fork in the list, however far the new one has grown', async () => {
  const { view, move } = await open('a'.repeat(100));
  await view.loadOlder();
  expect(hashes(view)).toEqual(chainOf('a'.repeat(100), 80));
  const other = 'a'.repeat(40) + 'b'.repeat(60);
  move(other);
  await view.sync();
  expect(hashes(view)).toEqual(chainOf(other, hashes(view).length));
});

it('lists older blocks once if they are requested twice', async () => {
  const { view } = await open('a'.repeat(100));
  await Promise.all([view.loadOlder(), view.loadOlder()]);
  expect(hashes(view)).toEqual(chainOf('a'.repeat(100), 80));
});

it('does not append older blocks that arrive after the chain was rolled back', async () => {
  const { view, move, delay } = await open('a'.repeat(100));
  const answer = await delay(() => view.loadOlder());
  move('a'.repeat(30));
  await view.sync();
  expect(hashes(view)).toEqual(chainOf('a'.repeat(30), 31));
  await answer();
  expect(hashes(view)).toEqual(chainOf('a'.repeat(30), 31));
});

it('appends older blocks of a paused list to the list shown', async () => {
  const { view, move } = await open('a'.repeat(100));
  view.togglePause();
  move('a'.repeat(90));
  await view.sync();
  await view.loadOlder();
  expect(hashes(view)).toEqual(chainOf('a'.repeat(100), 80));
});

it('lists the blocks of a fork without those below its base, and adds these once the live chain can be read', async () => {
  const { view, move, connect } = createFake('a'.repeat(60), 57);
  await vi.waitFor(() => expect(hashes(view)).toEqual(chainOf('a'.repeat(60), 4)));
  expect(view).toMatchObject({ fault: null, hasOlder: true, endsAtBase: true });
  await view.loadOlder();
  expect(view.olderFault).toMatchObject({ message: 'out of reach' });
  move('a'.repeat(61));
  await view.sync();
  expect(hashes(view)).toEqual(chainOf('a'.repeat(61), 5));
  connect();
  await view.loadOlder();
  expect(view).toMatchObject({ olderFault: null, endsAtBase: false });
  expect(hashes(view)).toEqual(chainOf('a'.repeat(61), 45));
});
