import { SvelteMap } from 'svelte/reactivity';
import { expect, it, vi } from 'vitest';
import { ChainTree } from './chain-tree.svelte.ts';

const sync = async () => undefined;

const header = (number: number, parentHash: string) => ({ number, parentHash, digest: { logs: [] } });

it('the standing of an old block follows the newest answer of the node, and is checked again after a rollback', async () => {
  const answers: ((hashes: readonly (string | null)[]) => void)[] = [];
  const asked: unknown[] = [];
  let isIncluded = false;
  const loadBlock = async () => ({ hash: 'b5', number: 5, header: header(5, 'b4') });
  const best = { number: 90, hash: 'b90' };
  const chain = { liveBlocks: [], best, finalized: 80, paused: false, sync, loadBlock };
  const request = async (_method: string, params: readonly unknown[]) => {
    if (!isIncluded) return ['b5'];
    asked.push(params[0]);
    return new Promise((resolve) => answers.push(resolve));
  };
  const tree = new ChainTree({ request } as never, chain as never);
  expect(tree.standing('b5')).toBeNull();
  await tree.include('b5');
  isIncluded = true;
  expect(tree.unjoined).toEqual([4, 5]);
  const [first, second] = [tree.check(5), tree.check(5)];
  expect(tree.standing('b5')).toBeNull();
  answers[1]?.(['b4', 'b5']);
  await second;
  expect(tree.standing('b5')).toBe('final');
  answers[0]?.(['x4', 'x5']);
  await first;
  expect(tree.standing('b5')).toBe('final');
  // Settled answers are not requested again, except for the open block.
  await tree.check(null);
  expect(asked).toHaveLength(2);
  const third = tree.check(5);
  expect(asked.at(-1)).toEqual([5]);
  answers[2]?.(['x5']);
  await third;
  expect(tree.standing('b5')).toBe('lost');
});

it('blocks above the best one after a jump back are a fork, even if the node once returned them as best', async () => {
  const toItem = (number: number) => ({
    hash: `b${number}`,
    number,
    header: header(number, `b${number - 1}`),
  });
  /** The best block number of the node and of the page, and how many blocks the page lists. */
  const at = new SvelteMap([
    ['node', 3],
    ['page', 1],
    ['listed', 0],
  ]);
  const now = (what: string) => at.get(what) ?? 0;
  const chain = {
    get liveBlocks() {
      return Array.from({ length: now('listed') }, (_, back) => toItem(now('page') - back));
    },
    get best() {
      return { number: now('page'), hash: `b${now('page')}` };
    },
    finalized: 1,
    paused: false,
    sync,
    loadBlock: async (hash: string) => toItem(Number(hash.slice(1))),
  };
  const request = async (_method: string, [param]: readonly unknown[]) => {
    return (param as number[]).map((number) => (number > now('node') ? null : `b${number}`));
  };
  const tree = new ChainTree({ request } as never, chain as never);
  // A panel that is opened again may receive new blocks before it has listed them.
  await tree.include('b2');
  await tree.include('b3');
  await vi.waitFor(() => expect(tree.unjoined).toEqual([1, 2, 3]));
  await tree.check(null);
  expect([tree.standing('b2'), tree.standing('b3')]).toEqual(['best', 'best']);
  for (const what of ['page', 'listed']) at.set(what, 3);
  await tree.check(null);
  expect([tree.standing('b2'), tree.standing('b3')]).toEqual(['best', 'best']);
  for (const what of ['node', 'page', 'listed']) at.set(what, 1);
  await tree.check(null);
  expect([tree.standing('b1'), tree.standing('b2'), tree.standing('b3')]).toEqual(['final', 'fork', 'fork']);
});

it('a block that comes while the best chain is read waits for the next read', async () => {
  const reads: (() => void)[] = [];
  const chain = {
    liveBlocks: [],
    best: { number: 90, hash: 'b90' },
    finalized: 80,
    paused: false,
    sync: () => new Promise<void>((resolve) => reads.push(resolve)),
    loadBlock: async (hash: string) => {
      const number = Number(hash.slice(1));
      return { hash, number, header: header(number, `b${number - 1}`) };
    },
  };
  const request = async (_method: string, [[number]]: [[number]]) => [`b${number}`];
  const tree = new ChainTree({ request } as never, chain as never);
  await tree.include('b5');
  await tree.include('b6');
  reads[0]?.();
  await vi.waitFor(() => expect(tree.unjoined).toEqual([4, 5]));
  await vi.waitFor(() => expect(reads).toHaveLength(2));
  expect(tree.unjoined).toEqual([4, 5]);
  reads[1]?.();
  await vi.waitFor(() => expect(tree.unjoined).toEqual([4, 5, 6]));
});

it('the blocks of a fork load down to one that is known', async () => {
  const toItem = (number: number, name = 'x') => {
    const hash = `${name}${number}`;
    return { hash, number, header: header(number, number === 6 ? 'b5' : `${name}${number - 1}`) };
  };
  const loaded: string[] = [];
  const chain = {
    liveBlocks: [5, 4, 3].map((number) => toItem(number, 'b')),
    best: { number: 5, hash: 'b5' },
    finalized: 3,
    paused: false,
    sync,
    loadBlock: async (hash: string) => {
      loaded.push(hash);
      return toItem(Number(hash.slice(1)));
    },
  };
  const request = async () => [null];
  const tree = new ChainTree({ request } as never, chain as never);
  await tree.include('x9');
  expect(loaded).toEqual(['x9', 'x8', 'x7', 'x6']);
  await vi.waitFor(() => expect(tree.standing('x9')).toBe('fork'));
  loaded.length = 0;
  await tree.include('x100', 40);
  expect(loaded.length).toBe(40);
});
