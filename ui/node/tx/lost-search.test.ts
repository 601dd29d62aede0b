import { expect, it } from 'vitest';
import type { UiNode } from '../client/ui-node.ts';
import { eraOf } from './era.ts';
import { immortalBlocks, LostSearch, type SearchedChain } from './lost-search.ts';
import type { SentItem } from './sent-item.ts';

const hashAt = (number: number): string => `0x${number.toString(16)}`;
const hashOf = (id: number): string => `0x${id.toString(16).padStart(64, '0')}`;

const lostItem = (id: number, change: Partial<SentItem> = {}): SentItem => ({
  ...{ id: `${id}`, hash: hashOf(id), hex: '0x00', label: 'System.remark', args: '', by: 'Alice', atMs: 1 },
  ...{ steps: [{ name: 'unknown', hash: null, atMs: 1 }], refused: null, open: true, lost: true },
  ...{ block: null, events: [], outcome: null, ...change },
});

/** A chain of empty blocks, and a list of transactions that are searched on it. */
const open = (from: number, items: SentItem[]) => {
  const chain = { number: from, finalized: 0 };
  const asked: string[] = [];
  const answers: Readonly<Record<string, (params: readonly never[]) => unknown>> = {
    chain_getHeader: () => ({ number: chain.number }),
    dev_pool: () => ({ ready: [], future: [] }),
    chain_getBlockHash: ([of]) =>
      Array.isArray(of) ? (of as number[]).map(hashAt) : hashAt(of as unknown as number),
    archive_v1_finalizedHeight: () => chain.finalized,
    archive_v1_hashByHeight: ([height]) => [hashAt(height as unknown as number)],
  };
  const node = {
    offers: () => true,
    request: async (method: string, params: readonly never[]) => {
      asked.push(method);
      return answers[method]?.(params);
    },
  } as unknown as Pick<UiNode, 'request' | 'offers'>;
  let list: readonly SentItem[] = items;
  const change = (id: string, part: Partial<SentItem>) => {
    list = list.map((item) => (item.id === id ? { ...item, ...part } : item));
  };
  const search = new LostSearch(node, {
    items: () => list,
    change,
    take: (id, status) => {
      const name = typeof status === 'string' ? status : (Object.keys(status as object)[0] ?? '');
      const steps = list.find((item) => item.id === id)?.steps ?? [];
      change(id, { steps: [...steps, { name, hash: null, atMs: 1 }] });
    },
  });
  const view = {
    get best() {
      return { number: chain.number };
    },
    get finalized() {
      return chain.finalized;
    },
    loadBlock: async (hash: string) => {
      asked.push('loadBlock');
      return { hash, number: Number(hash), extrinsics: [] };
    },
  } as unknown as SearchedChain;
  /** The requests that the next block costs. */
  const nextBlock = async (to = chain.number + 1): Promise<number> => {
    asked.length = 0;
    chain.number = to;
    await search.follow(view);
    return asked.length;
  };
  const names = () => list.map(({ steps, lost, open: isOpen }) => [steps.at(-1)?.name, lost, isOpen]);
  return { nextBlock, names, first: () => search.follow(view) };
};

const facts = (number: number) => ({ birth: { number, hash: '' } });

it('a block costs as many requests for a hundred lost transactions as for one', async () => {
  const costs: number[] = [];
  for (const count of [1, 100]) {
    const { nextBlock, first } = open(
      40,
      Array.from({ length: count }, (_, id) => lostItem(id)),
    );
    await first();
    costs.push(await nextBlock(), await nextBlock());
  }
  // The hash of the block, the block, those that are final, the forks, and the pool.
  expect(costs).toEqual([5, 5, 5, 5]);
});

it('a mortal transaction is searched for until its era has ended, and then never again', async () => {
  const era = eraOf(facts(100), { period: 16 });
  expect(era).toEqual({ birth: 100, until: 115 });
  const { nextBlock, names, first } = open(101, [lostItem(1, { era })]);
  await first();
  expect(names()).toEqual([['not included', true, true]]);
  for (let number = 102; number <= 115; number += 1) expect(await nextBlock()).toBeGreaterThan(0);
  expect(names()).toEqual([['not included', true, true]]);
  await nextBlock();
  expect(names()).toEqual([['expired', false, false]]);
  expect([await nextBlock(), await nextBlock()]).toEqual([0, 0]);
});

it('on a chain that was reset too, as many blocks are searched as the era lasts', async () => {
  const { nextBlock, names, first } = open(1, [lostItem(1, { era: eraOf(facts(10_000), { period: 16 }) })]);
  await first();
  for (let blocks = 1; blocks <= 15; blocks += 1) await nextBlock();
  expect(names()).toEqual([['not included', true, true]]);
  await nextBlock();
  expect(names()).toEqual([['expired', false, false]]);
  expect(await nextBlock()).toBe(0);
});

it('an immortal transaction is searched for in a bounded number of blocks', async () => {
  expect(eraOf(facts(7), { period: null })).toBeUndefined();
  const { nextBlock, names, first } = open(7, [lostItem(1)]);
  await first();
  for (let blocks = 1; blocks <= immortalBlocks; blocks += 1) await nextBlock();
  expect(names()).toEqual([['not included', true, true]]);
  await nextBlock();
  expect(names()).toEqual([['not included', false, false]]);
  expect(await nextBlock()).toBe(0);
});

it('a hundred finalized transactions cost one request per block', async () => {
  const items = Array.from({ length: 100 }, (_, id) =>
    lostItem(id, {
      ...{ steps: [{ name: 'finalized', hash: hashAt(id), atMs: 1 }], lost: false, open: false },
      block: { hash: hashAt(id), number: id, index: 0 },
    }),
  );
  const { nextBlock } = open(200, items);
  expect([await nextBlock(), await nextBlock()]).toEqual([1, 1]);
});
