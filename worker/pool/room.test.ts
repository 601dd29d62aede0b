import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { ExtrinsicHash } from '../codec/identity.ts';
import { createEntry, type EntryDeps } from './entry.ts';
import { createTransactionGraph } from './graph.ts';
import { sketchToTransaction, someSketch } from './sketch.fixture.ts';
import { compareForEviction, type PoolTransaction } from './transaction.ts';

const limits = { ready: { count: 5, bytes: 30 }, future: { count: 3, bytes: 15 } };

/**
 * What is evicted for a newcomer: transactions of lower priority in order, until there is room for its bytes.
 */
const chooseNaively = (all: PoolTransaction[], { priority, extrinsic }: PoolTransaction): ExtrinsicHash[] => {
  let free = 45 - all.reduce((sum, one) => sum + one.extrinsic.length, 0);
  if (all.length < 8 && extrinsic.length <= free) return [];
  const out: ExtrinsicHash[] = [];
  for (const one of all.filter((other) => other.priority < priority).sort(compareForEviction)) {
    if (out.length > 0 && extrinsic.length <= free) break;
    free += one.extrinsic.length;
    out.push(one.hash);
  }
  return extrinsic.length > free ? [] : out;
};

const setUp = () => {
  const graph = createTransactionGraph();
  const removeSubtree = vi.spyOn(graph, 'removeSubtree');
  const values = [vi.spyOn(graph.ready, 'values'), vi.spyOn(graph.future, 'values')];
  const entry = createEntry(
    {
      graph,
      bans: { ban: () => undefined },
      watchers: { notify: () => undefined },
      emitReady: () => undefined,
    } as unknown as EntryDeps,
    { limits, acceptFuture: true, isAuthor: () => true },
  );
  return { graph, removeSubtree, values, entry };
};

it('evicts the worst of both queues, and visits no others', () => {
  fc.assert(
    fc.property(fc.array(someSketch, { minLength: 10, maxLength: 60 }), (sketches) => {
      const { graph, removeSubtree, values, entry } = setUp();
      sketches.forEach((sketch, index) => {
        const newcomer = sketchToTransaction(index + 1, sketch);
        const expected = chooseNaively([...graph.ready.values(), ...graph.future.values()], newcomer);
        removeSubtree.mockClear();
        for (const spy of values) spy.mockClear();
        entry.enter(newcomer);
        for (const spy of values) expect(spy).not.toHaveBeenCalled();
        // The limits of a single queue are enforced inside the graph.
        expect(removeSubtree.mock.calls[0]?.[0] ?? []).toEqual(expected);
      });
    }),
    { seed: 7 },
  );
});
