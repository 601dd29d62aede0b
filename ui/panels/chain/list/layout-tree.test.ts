import { describe, expect, it } from 'vitest';
import { layoutTree, type TreeBlock } from './layout-tree.ts';

const slotMs = 6000;
/** Block `hash` on `parent`, `slot` slots after the start. */
const block = (hash: string, parent: string, number: number, slot: number | null = number): TreeBlock => ({
  hash,
  parent,
  number,
  timeMs: slot === null ? null : slot * slotMs,
  isEmpty: true,
});
const trunk = Array.from({ length: 6 }, (_, number) => block(`t${number}`, `t${number - 1}`, number));
const lay = (blocks: readonly TreeBlock[], best: string, finalized = 0) =>
  layoutTree(blocks, { best, finalized });

describe('the tree of blocks', () => {
  it('puts the best chain in lane 0, and branches of overlapping heights in lanes of their own', () => {
    const layout = lay([...trunk, block('a2', 't1', 2), block('b2', 't1', 2), block('a3', 'a2', 3)], 't5');
    const laneOf = (hash: string) => layout.blocks.find((found) => found.hash === hash)?.lane;
    expect(trunk.map(({ hash }) => laneOf(hash))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(laneOf('a2')).toBe(laneOf('a3'));
    expect(new Set([laneOf('t2'), laneOf('a2'), laneOf('b2')]).size).toBe(3);
    expect(layout.lanes).toBe(3);
  });

  it('puts a block in lane 0 if only the node knows it to be on the best chain', () => {
    const blocks = [block('old', 'older', 1), ...trunk.slice(4)];
    const laid = (canonical: string) =>
      layoutTree(blocks, { best: 't5', finalized: 5, canonical: new Map([[1, canonical]]) });
    expect(laid('old').blocks.at(-1)).toMatchObject({ lane: 0, standing: 'final' });
    expect(laid('other').blocks.at(-1)).toMatchObject({ lane: 1, standing: 'lost' });
  });

  it('leaves out a block until it is known whether it is on the best chain', () => {
    const tree = [block('t9', 't8', 9), block('f3', 'f2', 3)];
    const numbers = (canonical: ReadonlyMap<number, string | null>) =>
      layoutTree(tree, { best: 't9', finalized: 0, canonical }).blocks.map(({ number }) => number);
    expect(numbers(new Map())).toEqual([9]);
    expect(numbers(new Map([[3, 't3']]))).toEqual([9, 3]);
  });

  it('reuses a lane once its branch has ended', () => {
    const layout = lay([...trunk, block('a1', 't0', 1), block('b5', 't4', 5)], 't5');
    expect(layout.lanes).toBe(2);
  });

  it('puts twelve forks of one block into twelve lanes', () => {
    const forks = Array.from({ length: 12 }, (_, index) => block(`f${index}`, 't2', 3));
    const layout = lay([...trunk, ...forks], 't5');
    expect(layout.lanes).toBe(13);
    const lanes = layout.blocks.filter(({ number }) => number === 3).map(({ lane }) => lane);
    expect(lanes).toEqual(Array.from({ length: 13 }, (_, lane) => lane));
  });

  it('distinguishes final, best, fork and lost', () => {
    const blocks = [
      ...trunk,
      block('lost1', 't0', 1),
      block('lost9', 'lost1', 2, 9),
      block('leftBelow', 't1', 2, 8),
      block('far', 'leftBelow', 3, 10),
      block('fork', 't2', 3, 7),
    ];
    const standing = Object.fromEntries(
      lay(blocks, 't5', 2).blocks.map((found) => [found.hash, found.standing]),
    );
    expect(standing).toMatchObject({
      t0: 'final',
      t2: 'final',
      t3: 'best',
      lost1: 'lost',
      lost9: 'lost',
      leftBelow: 'lost',
      far: 'lost',
      fork: 'fork',
    });
  });

  it('reads each block a bounded number of times, even if no header has a slot', () => {
    const count = 2000;
    let reads = 0;
    const counted = (of: TreeBlock): TreeBlock =>
      new Proxy(of, {
        get: (target, key) => {
          reads += 1;
          return Reflect.get(target, key);
        },
      });
    // Every tenth block has a sibling.
    const blocks = Array.from({ length: count }, (_, at) => [
      block(`t${at}`, `t${at - 1}`, at, null),
      ...(at % 10 === 0 ? [block(`f${at}`, `t${at - 1}`, at, null)] : []),
    ]).flat();
    const layout = lay(blocks.map(counted), `t${count - 1}`, count - 3);
    expect(layout.blocks).toHaveLength(blocks.length);
    expect(reads / blocks.length).toBeLessThan(60);
  });
});
