import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockHash } from '../codec/identity.ts';
import { createBlockTree, type TreeBlock } from './tree.ts';

const hash = (index: number): BlockHash => `0x${index.toString(16).padStart(64, '0')}` as BlockHash;
const root: TreeBlock = { hash: hash(0), number: 0, parent: hash(0), weight: 0, isOwn: false };

/** Blocks 1…n, each on a parent chosen among the earlier ones. */
const grow = (choices: readonly number[]): TreeBlock[] => {
  const blocks = [root];
  for (const [index, choice] of choices.entries()) {
    const parent = blocks[choice % blocks.length] as TreeBlock;
    blocks.push({
      hash: hash(index + 1),
      number: parent.number + 1,
      parent: parent.hash,
      weight: parent.weight + (choice % 2),
      isOwn: false,
    });
  }
  return blocks;
};

const ancestry = (blocks: readonly TreeBlock[], of: BlockHash): BlockHash[] => {
  const line: BlockHash[] = [];
  for (let at = blocks.find((block) => block.hash === of); at !== undefined; ) {
    line.push(at.hash);
    if (at.number === 0) break;
    const { parent } = at;
    at = blocks.find((block) => block.hash === parent);
  }
  return line;
};

describe('block tree', () => {
  it('finds the route between any two blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(100), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        fc.nat(),
        (choices, a, b) => {
          const blocks = grow(choices);
          const tree = createBlockTree(root);
          for (const block of blocks.slice(1)) tree.insert(block);
          const from = (blocks[a % blocks.length] as TreeBlock).hash;
          const to = (blocks[b % blocks.length] as TreeBlock).hash;
          const [left, right] = [ancestry(blocks, from), ancestry(blocks, to)];
          const route = tree.route(from, to);
          expect(route.retracted).toEqual(left.filter((item) => !right.includes(item)));
          expect(route.enacted).toEqual(right.filter((item) => !left.includes(item)).reverse());
        },
      ),
    );
  });

  it('keeps only descendants of the finalized block, and returns the finalized and the pruned blocks', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100), { minLength: 1, maxLength: 30 }), fc.nat(), (choices, pick) => {
        const blocks = grow(choices);
        const tree = createBlockTree(root);
        for (const block of blocks.slice(1)) tree.insert(block);
        const target = (blocks[pick % blocks.length] as TreeBlock).hash;
        const line = ancestry(blocks, target);
        const result = tree.finalize(target);
        expect(result.blocks).toEqual(line.filter((item) => item !== root.hash).reverse());
        for (const block of blocks) {
          const stays = ancestry(blocks, block.hash).includes(target);
          expect(tree.get(block.hash) !== null).toBe(stays);
          expect(result.pruned.includes(block.hash)).toBe(!stays && !line.includes(block.hash));
        }
      }),
    );
  });

  it('finalizes the first of many blocks in linear time', () => {
    const countReads = (count: number): number => {
      let reads = 0;
      const tree = createBlockTree(root);
      for (let index = 1; index <= count; index++)
        tree.insert({
          hash: hash(index),
          number: index,
          weight: 0,
          isOwn: false,
          get parent() {
            reads += 1;
            return hash(index - 1);
          },
        });
      reads = 0;
      expect(tree.finalize(hash(1))).toEqual({ blocks: [hash(1)], pruned: [] });
      return reads;
    };
    // Ten times as many blocks must take about ten times the work, not a hundred times.
    expect(countReads(20_000)).toBeLessThan(11 * countReads(2000));
  });

  it('finalizes 20,000 blocks at once and drops the forks next to them', () => {
    const tree = createBlockTree(root);
    const side = hash(1_000_000);
    for (let index = 1; index <= 20_000; index++)
      tree.insert({ hash: hash(index), number: index, parent: hash(index - 1), weight: 0, isOwn: false });
    tree.insert({ hash: side, number: 10_001, parent: hash(10_000), weight: 0, isOwn: false });
    const final = tree.finalize(hash(20_000));
    expect(final.blocks).toHaveLength(20_000);
    expect(final.pruned).toEqual([side]);
    expect(tree.all().map((block) => block.hash)).toEqual([hash(20_000)]);
    expect(tree.leaves().map((block) => block.hash)).toEqual([hash(20_000)]);
  });

  it('prefers weight, then height, and keeps the current best on a tie', () => {
    const tree = createBlockTree(root);
    const a: TreeBlock = { hash: hash(1), number: 1, parent: root.hash, weight: 1, isOwn: false };
    tree.insert(a);
    tree.setBest(a.hash);
    expect(tree.isBetter({ hash: hash(2), number: 1, parent: root.hash, weight: 1, isOwn: false })).toBe(
      false,
    );
    expect(tree.isBetter({ hash: hash(2), number: 5, parent: root.hash, weight: 0, isOwn: false })).toBe(
      false,
    );
    expect(tree.isBetter({ hash: hash(2), number: 2, parent: a.hash, weight: 1, isOwn: false })).toBe(true);
  });
});
