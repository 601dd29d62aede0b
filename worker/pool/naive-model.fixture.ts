import type { ExtrinsicHash } from '../codec/identity.ts';
import type { Limits } from './graph.ts';
import type { PoolTransaction } from './transaction.ts';

/**
 * The pool's rules on two plain arrays, in the simplest obviously correct way: everything is found by
 * scanning, and a refused change is made on a copy. Used by the property tests.
 */
type State = {
  ready: PoolTransaction[];
  future: PoolTransaction[];
  spent: readonly [readonly string[], readonly string[]];
};

/** Maps each criterion to a number; the first one that differs decides. */
const compareBy =
  (...rules: ((transaction: PoolTransaction) => number)[]) =>
  (a: PoolTransaction, b: PoolTransaction): number =>
    rules.map((rule) => rule(a) - rule(b)).find((difference) => difference !== 0) ?? 0;

const bestFirst = compareBy(
  ({ priority }) => -Number(priority),
  ({ validTill }) => Number(validTill),
  ({ insertionId }) => insertionId,
);
const worstFirst = compareBy(
  ({ priority }) => Number(priority),
  ({ insertionId }) => insertionId,
);
const byAge = compareBy(({ insertionId }) => insertionId);

const providerOf = (ready: readonly PoolTransaction[], tag: string) =>
  ready.find(({ provides }) => provides.includes(tag));

const isSatisfied = ({ ready, spent }: State, { requires }: PoolTransaction): boolean =>
  requires.every(
    (tag) => providerOf(ready, tag) !== undefined || spent[0].includes(tag) || spent[1].includes(tag),
  );

/** Everything that is removed with the given ones: repeatedly, whatever requires a tag of a removed one. */
const fallWith = (
  ready: readonly PoolTransaction[],
  roots: readonly PoolTransaction[],
  kept: readonly string[],
): PoolTransaction[] => {
  const fallen = [...roots];
  for (;;) {
    const next = ready.find(
      (transaction) =>
        !fallen.includes(transaction) &&
        transaction.requires.some(
          (tag) => !kept.includes(tag) && fallen.some(({ provides }) => provides.includes(tag)),
        ),
    );
    if (next === undefined) return fallen;
    fallen.push(next);
  }
};

const without = (list: readonly PoolTransaction[], out: readonly PoolTransaction[]) =>
  list.filter((transaction) => !out.includes(transaction));

/** Repeatedly returns the best of those whose providers have all been returned. */
const blockOrder = (ready: readonly PoolTransaction[]): PoolTransaction[] => {
  const done: PoolTransaction[] = [];
  for (;;) {
    const free = without(ready, done).filter(({ requires }) =>
      requires.every((tag) => {
        const provider = providerOf(ready, tag);
        return provider === undefined || done.includes(provider);
      }),
    );
    const best = free.sort(bestFirst)[0];
    if (best === undefined) return done;
    done.push(best);
  }
};

/**
 * Inserts one, or returns why not. There is a cycle exactly if the block order does not contain all ready
 * ones.
 */
const place = (
  state: State,
  transaction: PoolTransaction,
): { kind: 'ok' | 'tooLowPriority' | 'cycle'; replaced: PoolTransaction[] } => {
  const rivals = state.ready.filter(({ provides }) =>
    provides.some((tag) => transaction.provides.includes(tag)),
  );
  const sum = rivals.reduce((total, { priority }) => total + priority, 0n);
  if (rivals.length > 0 && sum >= transaction.priority) return { kind: 'tooLowPriority', replaced: [] };
  const replaced = fallWith(state.ready, rivals, transaction.provides);
  const ready = [...without(state.ready, replaced), transaction];
  const lost = transaction.requires.some((tag) => replaced.some(({ provides }) => provides.includes(tag)));
  if (lost || blockOrder(ready).length < ready.length) return { kind: 'cycle', replaced };
  state.ready = ready;
  return { kind: 'ok', replaced };
};

/** Returns the new state, or why the first one is refused. */
const importReady = (before: State, first: PoolTransaction): State | 'tooLowPriority' | 'cycle' => {
  const state: State = { ...before };
  const queue = [first];
  for (const transaction of queue) {
    if (transaction !== first && (!state.future.includes(transaction) || !isSatisfied(state, transaction)))
      continue;
    const { kind, replaced } = place(state, transaction);
    if (transaction === first && kind !== 'ok') return kind;
    if (kind !== 'tooLowPriority' && replaced.includes(first)) return 'cycle';
    state.future = without(state.future, [transaction]);
    if (kind !== 'ok') continue;
    const woken = state.future.filter(({ requires }) =>
      requires.some((tag) => transaction.provides.includes(tag)),
    );
    queue.push(...woken.filter((other) => isSatisfied(state, other)).sort(byAge));
  }
  return state;
};

const pruneTags = (before: State, tags: readonly string[]): { state: State; removed: PoolTransaction[] } => {
  let spentOnes = before.ready.filter(({ provides }) => provides.some((tag) => tags.includes(tag)));
  for (let size = -1; size !== spentOnes.length; ) {
    size = spentOnes.length;
    const needed = spentOnes.flatMap(({ requires }) => requires);
    const previous = before.ready.filter(({ provides }) => provides.some((tag) => needed.includes(tag)));
    spentOnes = [...new Set([...spentOnes, ...previous])];
  }
  const stale = before.future.filter(({ provides }) => provides.some((tag) => tags.includes(tag)));
  const removed = [...fallWith(before.ready, spentOnes, tags), ...stale];
  let state: State = {
    ready: without(before.ready, removed),
    future: without(before.future, removed),
    spent: [tags, before.spent[0]],
  };
  for (const transaction of state.future
    .filter(({ requires }) => requires.some((tag) => tags.includes(tag)))
    .sort(byAge)) {
    if (!state.future.includes(transaction) || !isSatisfied(state, transaction)) continue;
    const next = importReady(state, transaction);
    state = typeof next === 'string' ? { ...state, future: without(state.future, [transaction]) } : next;
  }
  return { state, removed };
};

const total = (list: readonly PoolTransaction[]): number =>
  list.reduce((sum, { extrinsic }) => sum + extrinsic.length, 0);

/** Creates an empty model. */
export const createNaivePool = () => {
  let state: State = { ready: [], future: [], spent: [[], []] };
  const removeSubtree = (hashes: readonly ExtrinsicHash[]): PoolTransaction[] => {
    const named = (list: readonly PoolTransaction[]) => list.filter(({ hash }) => hashes.includes(hash));
    const removed = [...fallWith(state.ready, named(state.ready), []), ...named(state.future)];
    state = { ...state, ready: without(state.ready, removed), future: without(state.future, removed) };
    return removed;
  };
  return {
    order: () => blockOrder(state.ready),
    future: () => [...state.future].sort(byAge),
    import: (transaction: PoolTransaction, acceptFuture: boolean): string => {
      if (transaction.requires.some((tag) => transaction.provides.includes(tag))) return 'cycle';
      if (!isSatisfied(state, transaction)) {
        if (!acceptFuture) return 'futureRejected';
        state = { ...state, future: [...state.future, transaction] };
        return 'future';
      }
      const next = importReady(state, transaction);
      if (typeof next === 'string') return next;
      state = next;
      return 'ready';
    },
    prune: (tags: readonly string[]): PoolTransaction[] => {
      const { state: next, removed } = pruneTags(state, tags);
      state = next;
      return removed;
    },
    removeSubtree,
    enforceLimits: (limits: Limits): PoolTransaction[] => {
      const evicted: PoolTransaction[] = [];
      while (state.ready.length > limits.ready.count || total(state.ready) > limits.ready.bytes) {
        evicted.push(...removeSubtree([([...state.ready].sort(worstFirst)[0] as PoolTransaction).hash]));
      }
      while (state.future.length > limits.future.count || total(state.future) > limits.future.bytes) {
        evicted.push(...removeSubtree([([...state.future].sort(byAge)[0] as PoolTransaction).hash]));
      }
      return evicted;
    },
  };
};
