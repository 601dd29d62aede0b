import { flushSync } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { headerHash } from '../../../../src/scale/hash.ts';
import { openContext } from '../../../testing/open-page.ts';
import { ChainTree } from './chain-tree.svelte.ts';

const zero = `0x${'00'.repeat(32)}`;
const childOf = (parentHash: string, number: number) => ({
  parentHash,
  number: `0x${number.toString(16)}`,
  stateRoot: zero,
  extrinsicsRoot: zero,
  digest: { logs: [] },
});

it('a new block is not taken for a fork while the best chain is still being read', async () => {
  const first = childOf(zero, 1);
  const second = childOf(headerHash(first), 2);
  const headers = [childOf(zero, 0), first];
  const hashes = () => [zero, ...headers.slice(1).map(headerHash)];
  const answers: Readonly<Record<string, (param: never) => unknown>> = {
    chain_getHeader: (hash?: string) =>
      headers[hash === undefined ? headers.length - 1 : hashes().indexOf(hash)],
    chain_getFinalizedHead: () => zero,
    chain_getBlockHash: (heights: readonly number[]) => heights.map((height) => hashes()[height] ?? null),
    chain_getBlock: (hash: string) => ({
      block: { header: headers[hashes().indexOf(hash)], extrinsics: [] },
    }),
    archive_v1_hashByHeight: (height: number) => hashes().slice(height, height + 1),
  };
  const { context, subscribers } = openContext((method, [param]) => answers[method]?.(param as never));
  const tree = new ChainTree(context.node, context.chain);
  const seen: unknown[] = [];
  const stop = $effect.root(() => {
    $effect(() => {
      seen.push(tree.layout.blocks.map(({ number, standing }) => `${number} ${standing}`).join());
    });
  });
  await expect.poll(() => seen.at(-1)).toBe('1 best,0 final');
  await expect.poll(() => subscribers.has('chain_subscribeAllHeads')).toBe(true);
  headers.push(second);
  subscribers.get('chain_subscribeAllHeads')?.(second);
  await expect.poll(() => seen.at(-1)).toBe('2 best,1 best,0 final');
  stop();
  expect(seen.filter((shown) => String(shown).includes('fork'))).toEqual([]);
});

it('old blocks that are notified of again, as they become final, do not take the place of newer ones', async () => {
  let notify = (_header: unknown): void => undefined;
  const node = {
    request: async (method: string) => (method === 'chain_getHeader' ? { number: '0x1770' } : []),
    subscribe: (_method: string, _params: unknown, _end: string, onItem: typeof notify) => {
      notify = onItem;
      return { opened: Promise.resolve(), close: () => undefined };
    },
  };
  const chain = {
    liveBlocks: [],
    best: { number: 6000, hash: zero },
    finalized: 6000,
    paused: false,
    sync: async () => undefined,
  };
  const tree = new ChainTree(node as never, chain as never);
  onTestFinished(
    $effect.root(() => {
      $effect(() => void tree.layout);
    }),
  );
  flushSync();
  notify(childOf(zero, 1000));
  notify(childOf(zero, 5999));
  await expect.poll(() => tree.unjoined).toEqual([5998, 5999]);
});
