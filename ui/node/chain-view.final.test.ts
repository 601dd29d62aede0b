import { describe, expect, it, vi } from 'vitest';
import { ChainView } from './chain-view.svelte.ts';

vi.mock('svelte/reactivity', () => import('../testing/eager-subscriber.ts'));

type Fake = { readonly hash: string; readonly number: number; readonly header: Record<string, unknown> };

/**
 * Chains are strings with one letter per block: `abc` is #1 to #3, and its blocks are `a`, `ab` and `abc`.
 */
const createFake = (best: string, finalized: string, isListed = true) => {
  const heads = { best, finalized };
  const asked: string[] = [];
  /** The best listed block and the finalized number, recorded at every request and response. */
  const shown: string[] = [];
  const seen: (readonly [best: number, final: number])[] = [];
  const toBlock = (hash: string): Fake => ({
    hash,
    number: hash.length,
    header: { number: `0x${hash.length.toString(16)}`, parentHash: hash.slice(0, -1), stateRoot: hash },
  });
  const hashAt = (number: number) => (number > heads.best.length ? null : heads.best.slice(0, number));
  const answers: Record<string, (param: never) => unknown> = {
    chain_getHeader: (hash: string = heads.best) => toBlock(hash).header,
    chain_getFinalizedHead: () => heads.finalized,
    chain_getBlockHash: (of: number | number[]) => (Array.isArray(of) ? of.map(hashAt) : hashAt(of)),
    chain_getBlock: (hash: string) => ({ block: { header: toBlock(hash).header, extrinsics: [] } }),
  };
  let hear = (_header: unknown): void => undefined;
  const view: ChainView = new ChainView({
    isFresh: false,
    base: () => null,
    request: async (method: string, [param]: readonly [never]) => {
      const note = () => {
        seen.push([view.best?.number ?? Number.POSITIVE_INFINITY, view.finalized]);
        if (isListed) shown.push(`${view.blocks[0]?.hash} ${view.finalized}`);
      };
      asked.push(method);
      note();
      queueMicrotask(note);
      return answers[method]?.(param);
    },
    subscribe: (method: string, _params: unknown, _end: string, onValue: typeof hear) => {
      if (method === 'chain_subscribeFinalizedHeads') hear = onValue;
      return { opened: Promise.resolve(), close: () => undefined };
    },
  } as never);
  return {
    view,
    asked,
    shown,
    seen,
    heads,
    hear: (hash: string) => hear(toBlock(hash).header),
    /** Finalizes a block on any branch, as dev_finalise does: no new head is reported. */
    finalize: (hash: string) => {
      heads.finalized = hash;
      if (!heads.best.startsWith(hash)) heads.best = hash;
      hear(toBlock(hash).header);
    },
  };
};
const hashes = ({ blocks }: ChainView) => blocks.map(({ hash }) => hash);

describe('finality', () => {
  it('of a fork switches the list to it, and never shows a competing block as finalized', async () => {
    const { view, finalize, shown } = createFake('abcdef', 'a');
    await vi.waitFor(() => expect(hashes(view)[0]).toBe('abcdef'));
    finalize('a');
    expect(view.finalized).toBe(1);
    finalize('abX');
    await vi.waitFor(() => expect(view.finalized).toBe(3));
    expect(shown).not.toContain('abcdef 3');
    expect(view.best).toEqual({ number: 3, hash: 'abX' });
    expect(hashes(view)).toEqual(['abX', 'ab', 'a', '']);
  });

  it('of a listed block is shown immediately, without a request', async () => {
    const { view, asked, finalize } = createFake('abcdef', 'a');
    await vi.waitFor(() => expect(hashes(view)[0]).toBe('abcdef'));
    asked.length = 0;
    finalize('abc');
    expect(view.finalized).toBe(3);
    expect(asked).toEqual([]);
  });

  it('without a block list costs one request, and two more if the best block has changed', async () => {
    const { view, asked, finalize } = createFake('abcdef', 'a', false);
    expect(view.best).toBeNull();
    await vi.waitFor(() => expect(view.best?.hash).toBe('abcdef'));
    asked.length = 0;
    finalize('abc');
    expect(view.finalized).toBe(3);
    await vi.waitFor(() => expect(asked).toEqual(['chain_getHeader']));
    finalize('abcX');
    await vi.waitFor(() => expect(view.best).toEqual({ number: 4, hash: 'abcX' }));
    expect(asked).toEqual(['chain_getHeader', 'chain_getHeader', 'chain_getBlockHash']);
  });

  it('reported while the best block is being read is kept', async () => {
    const { view, finalize } = createFake('abcdef', 'a', false);
    expect(view.best).toBeNull();
    finalize('abc');
    await vi.waitFor(() => expect(view.best?.hash).toBe('abcdef'));
    await view.sync();
    expect(view.finalized).toBe(3);
  });

  it('never exceeds the best block, whichever is read first', async () => {
    for (const isListed of [true, false]) {
      const { view, heads, hear, seen } = createFake('abcdef', 'a', isListed);
      void view.best;
      await vi.waitFor(() => expect(view.best?.hash).toBe('abcdef'));
      hear('a');
      await view.sync();
      seen.length = 0;
      // Finalized while the page still reads an older best block.
      heads.finalized = 'abcdefgh';
      hear('abcdefgh');
      await view.sync();
      expect(view.finalized).toBe(1);
      heads.best = 'abcdefgh';
      await view.sync();
      expect([view.best?.number, view.finalized]).toEqual([8, 8]);
      Object.assign(heads, { best: 'abX', finalized: 'ab' });
      await view.sync();
      expect([view.best?.number, view.finalized]).toEqual([3, 2]);
      expect(seen.filter(([best, final]) => final > best)).toEqual([]);
    }
  });

  it('is followed while a newer block is finalized during every read, as in a flood', async () => {
    const { view, heads, hear } = createFake('a', 'a');
    await vi.waitFor(() => expect(hashes(view)[0]).toBe('a'));
    let length = 1;
    Object.defineProperty(heads, 'best', {
      get: () => {
        const best = 'a'.repeat(length);
        length += 1;
        queueMicrotask(() => hear('a'.repeat(length)));
        return best;
      },
    });
    for (let read = 0; read < 5; read++) {
      await view.sync();
      expect(view.finalized).toBeGreaterThan(read);
    }
  });

  it('moves back when the chain is rolled back, even if a new branch has grown since', async () => {
    const { view, finalize, heads } = createFake('abcdef', 'a');
    await vi.waitFor(() => expect(hashes(view)[0]).toBe('abcdef'));
    finalize('abcde');
    expect(view.finalized).toBe(5);
    Object.assign(heads, { best: 'aXXXXXXX', finalized: 'aX' });
    await view.sync();
    expect(hashes(view)[0]).toBe('aXXXXXXX');
    expect(view.finalized).toBe(2);
  });

  it('of a paused list is as of the pause', async () => {
    const { view, finalize } = createFake('abcdef', 'a');
    await vi.waitFor(() => expect(hashes(view)[0]).toBe('abcdef'));
    finalize('ab');
    view.togglePause();
    finalize('abX');
    await vi.waitFor(() => expect(view.finalized).toBe(3));
    expect(view.shownHeads).toMatchObject({ finalized: 2, best: 6 });
    expect(hashes(view)[0]).toBe('abcdef');
    view.togglePause();
    expect(view.shownHeads).toMatchObject({ finalized: 3, best: 3 });
    expect(hashes(view)[0]).toBe('abX');
  });
});
