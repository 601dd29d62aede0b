import { expect, it } from 'vitest';
import { ChainTree } from './chain-tree.svelte.ts';

const header = (number: number, parentHash: string) => ({ number, parentHash, digest: { logs: [] } });

it('an old block is judged by the newest answer of the node, and again when the chain has gone back', async () => {
  const answers: ((hashes: readonly (string | null)[]) => void)[] = [];
  const asked: unknown[] = [];
  let isIncluded = false;
  const chain = { liveBlocks: [], best: { number: 90, hash: 'b90' }, finalized: 80, paused: false };
  const request = async (method: string, params: readonly unknown[]) => {
    if (method === 'chain_getHeader') return header(5, 'b4');
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
  // Settled answers are not asked for again, but of the block that somebody looks at.
  await tree.check(null);
  expect(asked).toHaveLength(2);
  const third = tree.check(5);
  expect(asked.at(-1)).toEqual([5]);
  answers[2]?.(['x5']);
  await third;
  expect(tree.standing('b5')).toBe('lost');
});
