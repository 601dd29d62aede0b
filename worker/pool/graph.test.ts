import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTransactionGraph, type Limits, type TransactionGraph } from './graph.ts';
import { createNaivePool } from './naive-model.fixture.ts';
import { type Sketch, sketchToTransaction, someSketch, someTags } from './sketch.fixture.ts';
import type { PoolTransaction } from './transaction.ts';

type Step =
  | { readonly kind: 'import'; readonly sketch: Sketch; readonly acceptFuture: boolean }
  | { readonly kind: 'prune'; readonly tags: readonly string[] }
  | { readonly kind: 'remove'; readonly ids: readonly number[] }
  | { readonly kind: 'limit'; readonly limits: Limits };

const limit = fc.record({ count: fc.nat({ max: 6 }), bytes: fc.nat({ max: 40 }) });
const someStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      sketch: someSketch,
      acceptFuture: fc.nat({ max: 9 }).map((n) => n > 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('prune' as const), tags: someTags(0, 2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      ids: fc.uniqueArray(fc.nat({ max: 25 }), { maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      limits: fc.record({ ready: limit, future: limit }),
    }),
  },
);

const ids = (transactions: Iterable<PoolTransaction>): number[] =>
  [...transactions].map(({ insertionId }) => insertionId);
/** Runs all steps of a pruning. */
const pruneAll = (graph: TransactionGraph, tags: readonly string[]) => {
  const steps = graph.prune(tags);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
const sorted = (numbers: number[]): number[] => numbers.sort((a, b) => a - b);

const checkInvariants = (ready: readonly PoolTransaction[], count: number): void => {
  expect(ready.length).toBe(count);
  const provided = ready.flatMap(({ provides }) => provides);
  expect(new Set(provided).size).toBe(provided.length);
  // The provider of a required tag comes earlier.
  const at = new Map(ready.flatMap(({ provides }, i) => provides.map((tag) => [tag, i] as const)));
  for (const [i, { requires }] of ready.entries())
    for (const tag of requires) expect(at.get(tag) ?? -1).toBeLessThan(i);
};

describe('transaction graph', () => {
  it('behaves like the naive model', () => {
    void fc.assert(
      fc.property(fc.array(someStep, { maxLength: 30 }), (steps) => {
        const graph = createTransactionGraph();
        const model = createNaivePool();
        for (const [i, step] of steps.entries()) {
          if (step.kind === 'import') {
            const transaction = sketchToTransaction(i, step.sketch);
            expect(graph.import(transaction, step.acceptFuture).kind).toBe(
              model.import(transaction, step.acceptFuture),
            );
          } else if (step.kind === 'prune') {
            const { fromReady, fromFuture } = pruneAll(graph, step.tags);
            expect(sorted(ids([...fromReady, ...fromFuture]))).toEqual(sorted(ids(model.prune(step.tags))));
          } else if (step.kind === 'remove') {
            const hashes = step.ids.map((id) => sketchToTransaction(id, {}).hash);
            expect(sorted(ids(graph.removeSubtree(hashes)))).toEqual(
              sorted(ids(model.removeSubtree(hashes))),
            );
          } else {
            expect(ids(graph.enforceLimits(step.limits)).sort()).toEqual(
              ids(model.enforceLimits(step.limits)).sort(),
            );
            expect(graph.ready.size).toBeLessThanOrEqual(step.limits.ready.count);
            expect(graph.ready.bytes).toBeLessThanOrEqual(step.limits.ready.bytes);
            expect(graph.future.size).toBeLessThanOrEqual(step.limits.future.count);
            expect(graph.future.bytes).toBeLessThanOrEqual(step.limits.future.bytes);
          }
          const order = [...graph.ready.iterate()];
          expect(ids(order)).toEqual(ids(model.order()));
          expect(ids(graph.future.values())).toEqual(ids(model.future()));
          expect(graph.ready.bytes).toBe(order.reduce((sum, { extrinsic }) => sum + extrinsic.length, 0));
          checkInvariants(order, graph.ready.size);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('is unchanged if a promotion would evict the newcomer', () => {
    const graph = createTransactionGraph();
    const old = sketchToTransaction(1, { provides: ['b'], priority: 1 });
    const later = sketchToTransaction(2, { requires: ['a'], provides: ['b'], priority: 9 });
    expect(graph.import(old, true).kind).toBe('ready');
    expect(graph.import(later, true).kind).toBe('future');
    const newcomer = sketchToTransaction(3, { provides: ['a', 'b'], priority: 5 });
    expect(graph.import(newcomer, true)).toEqual({ kind: 'cycle' });
    expect(ids(graph.ready.iterate())).toEqual([1]);
    expect(ids(graph.future.values())).toEqual([2]);
  });

  it('keeps the dependents of a replaced transaction whose tags the newcomer provides', () => {
    const graph = createTransactionGraph();
    for (const [id, sketch] of [
      [1, { provides: ['a', 'b'], priority: 2 }],
      [2, { requires: ['a'], provides: ['c'] }],
      [3, { requires: ['b'], provides: ['d'] }],
    ] as const)
      graph.import(sketchToTransaction(id, sketch), true);
    expect(graph.import(sketchToTransaction(4, { provides: ['a'], priority: 2 }), true)).toEqual({
      kind: 'tooLowPriority',
      old: 2n,
    });
    const outcome = graph.import(sketchToTransaction(5, { provides: ['a'], priority: 3 }), true);
    expect(outcome).toMatchObject({ kind: 'ready', promoted: [], failed: [] });
    if (outcome.kind === 'ready')
      expect(outcome.usurped.map(([{ insertionId }]) => insertionId)).toEqual([1, 3]);
    expect(ids(graph.ready.iterate())).toEqual([5, 2]);
  });

  it('adds up the priorities of all transactions that would be replaced', () => {
    const graph = createTransactionGraph();
    graph.import(sketchToTransaction(1, { provides: ['a'], priority: 3 }), true);
    graph.import(sketchToTransaction(2, { provides: ['b'], priority: 4 }), true);
    expect(graph.import(sketchToTransaction(3, { provides: ['a', 'b'], priority: 7 }), true)).toEqual({
      kind: 'tooLowPriority',
      old: 7n,
    });
    expect(graph.import(sketchToTransaction(4, { provides: ['a', 'b'], priority: 8 }), true).kind).toBe(
      'ready',
    );
    expect(ids(graph.ready.iterate())).toEqual([4]);
  });

  it('remembers spent tags for two prunings', () => {
    const graph = createTransactionGraph();
    pruneAll(graph, ['a']);
    pruneAll(graph, []);
    expect(graph.import(sketchToTransaction(1, { requires: ['a'], provides: ['b'] }), true).kind).toBe(
      'ready',
    );
    pruneAll(graph, []);
    expect(graph.import(sketchToTransaction(2, { requires: ['a'], provides: ['c'] }), true).kind).toBe(
      'future',
    );
  });
});

describe('a large block', () => {
  const chains = 6;
  const sketch = (i: number): Sketch => ({
    requires: i < chains ? [] : [`t${i - chains}`],
    provides: [`t${i}`],
    priority: i % 5,
  });
  const fill = (count: number) => {
    const graph = createTransactionGraph();
    for (let i = 0; i < count; i++) graph.import(sketchToTransaction(i, sketch(i)), true);
    return graph;
  };
  const tags = Array.from({ length: 700 }, (_, i) => `t${i}`);

  it('is pruned in steps', () => {
    const graph = fill(900);
    const { fromReady } = pruneAll(graph, tags.toReversed());
    expect(sorted(ids(fromReady))).toEqual(Array.from({ length: 700 }, (_, i) => i));
    expect(sorted(ids(graph.ready.iterate()))).toEqual(Array.from({ length: 200 }, (_, i) => 700 + i));
    checkInvariants([...graph.ready.iterate()], 200);
  });

  it('keeps the graph consistent between the steps, so that transactions can be added', () => {
    const graph = fill(900);
    const steps = graph.prune(tags);
    expect(steps.next().done).toBe(false);
    checkInvariants([...graph.ready.iterate()], graph.ready.size);
    expect(graph.ready.size).toBeLessThan(900);
    // A tag of a later step already satisfies requirements, so this becomes ready at once.
    expect(graph.import(sketchToTransaction(2000, { requires: ['t699'], provides: ['x'] }), true).kind).toBe(
      'ready',
    );
    while (steps.next().done !== true) checkInvariants([...graph.ready.iterate()], graph.ready.size);
    checkInvariants([...graph.ready.iterate()], 201);
  });
});

describe('iteration', () => {
  const fill = (count: number) => {
    const graph = createTransactionGraph();
    for (let i = 0; i < count; i++)
      graph.import(sketchToTransaction(i, { provides: [`t${i}`], priority: i % 7 }), true);
    return graph;
  };

  it('omits transactions removed meanwhile, and does not include new ones', () => {
    const graph = fill(10);
    const pass = graph.ready.iterate();
    const first = pass.next().value as PoolTransaction;
    expect(first.insertionId).toBe(6);
    graph.removeSubtree([sketchToTransaction(5, {}).hash]);
    graph.import(sketchToTransaction(50, { provides: ['x'], priority: 100 }), true);
    expect(ids(pass)).toEqual([4, 3, 2, 9, 1, 8, 0, 7]);
    expect(ids(graph.ready.iterate())[0]).toBe(50);
  });

  it('skips the dependents of a transaction that was not included', () => {
    const graph = createTransactionGraph();
    graph.import(sketchToTransaction(1, { provides: ['a'] }), true);
    graph.import(sketchToTransaction(2, { requires: ['a'], provides: ['b'] }), true);
    graph.import(sketchToTransaction(3, { provides: ['c'], priority: 0 }), true);
    const pass = graph.ready.iterate();
    const first = pass.next().value as PoolTransaction;
    pass.skipDependents(first);
    expect(ids(pass)).toEqual([3]);
  });

  it('returns the first few without visiting the rest', () => {
    const graph = fill(8192);
    let reads = 0;
    for (const transaction of graph.ready.values()) {
      const { requires } = transaction;
      Object.defineProperty(transaction, 'hash', { value: transaction.hash });
      Object.defineProperty(transaction, 'requires', {
        get: () => {
          reads++;
          return requires;
        },
      });
    }
    let visited = 0;
    const counted = new Set<number>();
    for (const transaction of graph.ready.iterate()) {
      counted.add(transaction.insertionId);
      if (++visited === 10) break;
    }
    expect(counted.size).toBe(10);
    expect(reads).toBeLessThan(100);
  });
});
