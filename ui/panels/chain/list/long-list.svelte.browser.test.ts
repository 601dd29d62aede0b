import { flushSync } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { ChainView } from '../../../node/chain-view.svelte.ts';
import { ChainTree } from './chain-tree.svelte.ts';

const hashOf = (number: number, branch = '0'): string =>
  `0x${branch}${number.toString(16).padStart(63, '0')}`;
const numberOf = (hash: unknown): number => Number(`0x${String(hash).slice(3)}`);
const inherent = '0x280402000b';
const transaction = '0x45028400';

/** A chain whose blocks have transactions at every tenth height, in a list that is shown. */
const openChain = async (length: number) => {
  const now = { best: length };
  const asked: string[] = [];
  const headerOf = (hash: string) => ({
    number: `0x${numberOf(hash).toString(16)}`,
    // A fork has one block.
    parentHash: hashOf(numberOf(hash) - 1),
    stateRoot: hashOf(0),
    extrinsicsRoot: hashOf(0),
    digest: { logs: [] },
  });
  const request = async (method: string, [first]: readonly unknown[]): Promise<unknown> => {
    asked.push(method);
    if (method === 'chain_getHeader') return headerOf(first === undefined ? hashOf(now.best) : String(first));
    if (method === 'chain_getFinalizedHead') return hashOf(now.best - 3);
    if (method === 'chain_getBlockHash')
      return Array.isArray(first) ? first.map((number) => hashOf(Number(number))) : hashOf(Number(first));
    if (method !== 'chain_getBlock') return method === 'archive_v1_hashByHeight' ? [] : null;
    const isBusy = numberOf(first) % 10 === 0;
    return {
      block: { header: headerOf(String(first)), extrinsics: [inherent, ...(isBusy ? [transaction] : [])] },
    };
  };
  const subscribe = () => ({ opened: Promise.resolve(), close: () => undefined });
  const chain = new ChainView({ isFresh: false, base: () => null, request, subscribe } as never);
  const tree = new ChainTree({ request, subscribe } as never, chain);
  onTestFinished(
    $effect.root(() => {
      $effect(() => void [tree.layout, chain.blocks, tree.unjoined]);
    }),
  );
  flushSync();
  await expect.poll(() => chain.blocks.length).toBe(40);
  const grow = async () => {
    now.best += 1;
    await chain.sync();
    flushSync();
  };
  return { chain, tree, asked, grow, now };
};

it('bodies are kept of the newest 200 blocks, and of the others whether they are empty', async () => {
  const { chain, grow, asked, now } = await openChain(1000);
  for (let pages = 0; pages < 9; pages += 1) await chain.loadOlder();
  const withBody = () =>
    chain.keptBlocks.flatMap(({ extrinsics }, index) => (extrinsics === null ? [] : [index]));
  const newest = Array.from({ length: 200 }, (_, index) => index);
  expect(chain.keptBlocks.length).toBe(400);
  expect(withBody()).toEqual(newest);
  for (let blocks = 0; blocks < 30; blocks += 1) await grow();
  expect(withBody()).toEqual(newest);
  expect(chain.keptBlocks.map(({ number, isEmpty }) => [number, isEmpty])).toEqual(
    Array.from({ length: 430 }, (_, at) => [
      now.best - at,
      at < 200 ? undefined : (now.best - at) % 10 !== 0,
    ]),
  );
  // A body that is not kept is requested again, one that is kept is not.
  asked.length = 0;
  expect((await chain.loadBlock(hashOf(now.best - 5)))?.extrinsics[0]).toBe(inherent);
  expect(asked).toEqual([]);
  expect((await chain.loadBlock(hashOf(now.best - 300)))?.extrinsics[0]).toBe(inherent);
  expect(asked).toEqual(['chain_getBlock']);
});

it('a long list is laid out from its newest blocks, and shows the others again without asking for them', async () => {
  const { chain, tree, asked, grow, now } = await openChain(2000);
  while (chain.keptBlocks.length < 1500) await chain.loadBelow();
  expect(tree.layout.blocks.length).toBe(chain.blocks.length);
  tree.pin(hashOf(now.best - 1000));
  expect(chain.narrow()).toBe(true);
  flushSync();
  await tree.check(null);
  expect(tree.layout.blocks.length).toBeLessThan(450);
  expect([chain.keptBlocks.length, chain.hasOlder]).toEqual([chain.keptBlocks.length, true]);
  // The chosen block stays, and the node has said where it is.
  expect(tree.standing(hashOf(now.best - 1000))).toBe('best');
  expect(tree.standing(hashOf(now.best - 1001))).toBeNull();
  for (let blocks = 0; blocks < 300; blocks += 1) {
    await grow();
    chain.narrow();
  }
  flushSync();
  expect(tree.layout.blocks.length).toBeLessThan(650);
  asked.length = 0;
  const low = chain.keptBlocks.at(-1)?.number ?? 0;
  while ((chain.blocks.at(-1)?.number ?? 0) > low) await chain.loadOlder();
  expect(asked.filter((method) => method === 'chain_getBlock')).toEqual([]);
  flushSync();
  expect(tree.layout.blocks.map(({ number }) => number)).toEqual(
    Array.from({ length: now.best - low + 1 }, (_, at) => now.best - at),
  );
  await chain.loadOlder();
  expect(chain.blocks.at(-1)?.number).toBe(low - 40);
});

it('a fork stays in the list while its height is shown, and comes back with it', async () => {
  const { chain, tree, grow, now } = await openChain(800);
  const fork = hashOf(795, '1');
  const has = () => tree.layout.blocks.some(({ hash }) => hash === fork);
  await tree.include(fork);
  await expect.poll(has).toBe(true);
  expect(tree.layout.blocks.find(({ hash }) => hash === fork)?.lane).toBe(1);
  for (let blocks = 0; blocks < 700; blocks += 1) {
    await grow();
    chain.narrow();
  }
  flushSync();
  expect(chain.floor).toBeGreaterThan(795);
  await tree.check(null);
  // It was asked for by its hash, and stays.
  expect([has(), now.best]).toEqual([true, 1500]);
});
