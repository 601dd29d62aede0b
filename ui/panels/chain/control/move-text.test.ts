import { expect, it } from 'vitest';
import { layoutTree } from '../list/layout-tree.ts';
import { finalizeText, jumpText, previewHeadMove, restoreText } from './move-text.ts';

const line = (name: string, from: number, to: number, parent: string) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    hash: `${name}${from + at}`,
    parent: at === 0 ? parent : `${name}${from + at - 1}`,
    number: from + at,
    timeMs: null,
    isEmpty: true,
  }));

it('a jump names the blocks that leave the best chain, and what happens to them, their transactions and finality', () => {
  const way = {
    number: 1,
    common: 1,
    best: 1_202,
    finalized: 1_200,
    isInstant: false,
    pending: 3,
  };
  expect(jumpText(way)).toEqual([
    '#2 to #1\u202f202 (1\u202f201 blocks) leave the best chain. Their transactions that are still valid return to the pool.',
    'Finality moves back from #1\u202f200 to #1.',
    'The blocks that leave stay as a fork: you can switch back to #1\u202f202 while its state is kept. After a reload, only a link to a block leads there.',
  ]);
  expect(jumpText({ ...way, number: 1_202, common: 1_202 })).toEqual(['No block leaves the best chain.']);
  expect(jumpText({ ...way, number: 2, finalized: 0 })[1]).toBe(
    'The blocks that leave stay as a fork, which finality may delete unless a snapshot keeps it. Until then, you can switch back to #1\u202f202.',
  );
});

it.each([
  [true, 1, ['#2 to #5 (4 blocks) become final.', 'while its state is kept']],
  [true, 3, ['back from #3 to #1.', '#2 to #5 (4 blocks) become final.', 'while its state is kept']],
  [false, 3, ['back from #3 to #1.', 'while its state is kept']],
  [false, 1, ['finality may delete']],
])(
  'a switch to a fork, with instant finality: %s, says what becomes final, and the way back',
  (isInstant, finalized, texts) => {
    const said = jumpText({ number: 5, common: 1, best: 4, finalized, isInstant, pending: 0 }).slice(1);
    expect(said).toHaveLength(texts.length);
    for (const [index, text] of texts.entries()) expect(said[index]).toContain(text);
  },
);

it('a restore names the blocks that leave the best chain and the pending transactions', () => {
  const at = { number: 5, common: 5, isInstant: false };
  expect(restoreText({ ...at, best: 6, finalized: 4, pending: 1 }, 'snapshot', 2)).toEqual([
    'Block #6 leaves the best chain. Its transactions do not return to the pool.',
    'Finality moves back from #4 to #2.',
    'The pool, now 1 pending transaction, is replaced by the snapshot’s, like the clock, the offchain storage and edited state.',
    'The block that leaves stays as a fork: you can switch back to #6 while its state is kept. After a reload, only a link to a block leads there. To keep the current state, save a snapshot first.',
  ]);
  expect(restoreText({ ...at, best: 5, finalized: 0, pending: 0 }, 'genesis', 0)).toEqual([
    'No block leaves the best chain.',
    'The pool is emptied, and the clock and edited state are reset. Snapshots are kept.',
    'To keep the current state, save a snapshot first.',
  ]);
  // A snapshot that was left by a jump.
  expect(restoreText({ ...at, best: 5, finalized: 2, pending: 0 }, 'snapshot', 4)[1]).toBe(
    'Finality moves from #2 to #4.',
  );
});

it('a block on a fork is followed down to the best chain', async () => {
  const parents: Readonly<Record<string, string>> = { f4: 'f3', f3: 'b2' };
  const request = async (method: string, [what]: readonly unknown[] = []) => {
    if (method === 'chain_getFinalizedHead') return 'final';
    if (method === 'chain_getBlockHash') return `b${what}`;
    if (what === undefined) return { number: '0x9' };
    return what === 'final' ? { number: '0x3' } : { number: '0x0', parentHash: parents[String(what)] };
  };
  const status = async () => ({ ready: 2, future: 1, finality: { kind: 'instant' } });
  expect(await previewHeadMove({ request, status } as never, { hash: 'f4', number: 4 })).toEqual({
    number: 4,
    common: 2,
    best: 9,
    finalized: 3,
    isInstant: true,
    pending: 3,
  });
});

it('finalizing says which blocks become final, which are abandoned, and how to go back', () => {
  const blocks = [...line('a', 0, 6, ''), ...line('b', 3, 4, 'a2')];
  const { blocks: placed } = layoutTree(blocks, { best: 'a6', finalized: 1 });
  const linesOf = (hash: string, number: number, canReturn = true) =>
    finalizeText(
      placed,
      { hash, number },
      { finalized: 1, best: 6, isOnBest: hash.startsWith('a'), canReturn },
    );
  expect(linesOf('a5', 5)).toEqual([
    '#2 to #5 (4 blocks) become final.',
    '2 blocks on other branches are abandoned.',
    'To go back, roll back to an older block or restore a snapshot. Both move finality back too.',
  ]);
  expect(linesOf('a2', 2).slice(0, 2)).toEqual(['Block #2 becomes final.', 'No fork is abandoned.']);
  // Not all blocks between it and the best one are known.
  const gapped = placed.filter(({ number }) => number !== 4);
  const [, forks] = finalizeText(
    gapped,
    { hash: 'a2', number: 2 },
    { finalized: 1, best: 6, isOnBest: true, canReturn: true },
  );
  expect(forks).toBe('No fork is abandoned.');
  expect(linesOf('b3', 3, false)).toEqual([
    '#2 to #3 (2 blocks) become final.',
    '4 blocks on other branches are abandoned. Among them are #3 to #6 of the best chain.',
    'This node cannot undo it.',
  ]);
});
