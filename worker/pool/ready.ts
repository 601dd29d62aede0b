import type { ExtrinsicHash } from '../codec/identity.ts';
import { createSortedList } from './sorted-list.ts';
import {
  addSaturating,
  compareForBlock,
  compareForEviction,
  type OnChange,
  type PoolTransaction,
} from './transaction.ts';

/** An iteration over the ready transactions. */
export type ReadyIteration = IterableIterator<PoolTransaction> & {
  /** Skips the dependents of the transaction last returned by this iteration, because it was not included. */
  skipDependents(transaction: PoolTransaction): void;
};

/** The transactions that a new one would replace, or why it is refused. */
export type Replacement =
  | { readonly kind: 'ok'; readonly replaced: readonly PoolTransaction[] }
  | { readonly kind: 'tooLowPriority'; readonly old: bigint }
  | { readonly kind: 'cycle'; readonly replaced: readonly PoolTransaction[] };

/**
 * The ready transactions and their dependency graph. Edges are not stored: A depends on B if A requires a tag
 * that B provides, so inserting and removing in any order results in the same graph. No tag has two
 * providers.
 */
export type ReadyQueue = {
  readonly size: number;
  readonly bytes: number;
  get(hash: ExtrinsicHash): PoolTransaction | undefined;
  provider(tag: string): PoolTransaction | undefined;
  /** No other transaction may provide the tags in `transaction.provides`. */
  insert(transaction: PoolTransaction): void;
  remove(transaction: PoolTransaction): void;
  /** Parents must come first, as returned by `subtree`. */
  removeAll(transactions: readonly PoolTransaction[]): void;
  planReplacement(transaction: PoolTransaction): Replacement;
  /**
   * The given transactions and, transitively, their dependents. A dependent that only needs tags in `kept`
   * stays. Parents come first.
   */
  subtree(roots: Iterable<PoolTransaction>, kept?: ReadonlySet<string>): PoolTransaction[];
  /** The first to be evicted, or the n-th after it. */
  worst(after?: number): PoolTransaction | undefined;
  values(): IterableIterator<PoolTransaction>;
  /** In block-building order, lazily: taking the first k costs about k log k, whatever the pool's size. */
  iterate(): ReadyIteration;
};

/** For at least this many, one pass over the whole queue is cheaper than finding each. */
const bulk = 64;

type Node = { transaction: PoolTransaction; pending: number };

const addTo = (index: Map<string, Set<Node>>, tag: string, node: Node): void => {
  const found = index.get(tag);
  if (found === undefined) index.set(tag, new Set([node]));
  else found.add(node);
};

const removeFrom = (index: Map<string, Set<Node>>, tag: string, node: Node): void => {
  const found = index.get(tag);
  if (found?.delete(node) === true && found.size === 0) index.delete(tag);
};

type Graph = {
  readonly nodes: Map<ExtrinsicHash, Node>;
  readonly providers: Map<string, Node>;
  readonly requirers: Map<string, Set<Node>>;
};

/** Removes a node from the graph. Returns the remaining nodes that required one of its tags. */
const unlink = (graph: Graph, node: Node): readonly Node[] => {
  const { hash, requires, provides } = node.transaction;
  graph.nodes.delete(hash);
  for (const tag of requires) removeFrom(graph.requirers, tag, node);
  for (const tag of provides) graph.providers.delete(tag);
  return provides.flatMap((tag) => [...(graph.requirers.get(tag) ?? [])]);
};

const subtreeOf = (
  graph: Graph,
  roots: Iterable<PoolTransaction>,
  kept: ReadonlySet<string> | null,
): PoolTransaction[] => {
  const found = new Set<PoolTransaction>(roots);
  // Iterating over a set includes elements added meanwhile.
  for (const { provides } of found) {
    for (const tag of provides) {
      if (kept?.has(tag) === true) continue;
      for (const { transaction } of graph.requirers.get(tag) ?? []) found.add(transaction);
    }
  }
  return [...found];
};

/** Whether a transaction, after replacing `replaced`, would depend on itself or on one of those. */
const closesCycle = (
  graph: Graph,
  transaction: PoolTransaction,
  replaced: ReadonlySet<PoolTransaction>,
): boolean => {
  const needed = new Set<PoolTransaction>();
  for (const tag of transaction.requires) {
    const provider = graph.providers.get(tag)?.transaction;
    if (provider !== undefined) needed.add(provider);
  }
  if (needed.size === 0) return false;
  for (const provider of needed) if (replaced.has(provider)) return true;
  const seen = new Set<PoolTransaction>();
  const follow = (tags: readonly string[]): void => {
    for (const tag of tags) {
      for (const dependent of graph.requirers.get(tag) ?? [])
        if (!replaced.has(dependent.transaction)) seen.add(dependent.transaction);
    }
  };
  follow(transaction.provides);
  for (const dependent of seen) {
    if (needed.has(dependent)) return true;
    follow(dependent.provides);
  }
  return false;
};

const planReplacement = (graph: Graph, transaction: PoolTransaction): Replacement => {
  const conflicts = new Set<PoolTransaction>();
  for (const tag of transaction.provides) {
    const node = graph.providers.get(tag);
    if (node !== undefined) conflicts.add(node.transaction);
  }
  let replaced: PoolTransaction[] = [];
  if (conflicts.size > 0) {
    let old = 0n;
    for (const { priority } of conflicts) old = addSaturating(old, priority);
    if (old >= transaction.priority) return { kind: 'tooLowPriority', old };
    replaced = subtreeOf(graph, conflicts, new Set(transaction.provides));
  }
  return { kind: closesCycle(graph, transaction, new Set(replaced)) ? 'cycle' : 'ok', replaced };
};

/**
 * Merges the roots, from a sorted list, with the transactions they unblock, from one that grows during the
 * iteration. Omits transactions removed meanwhile.
 */
const createIteration = (graph: Graph, roots: readonly PoolTransaction[]): ReadyIteration => {
  const freed = createSortedList<PoolTransaction>(compareForBlock);
  const done = new Set<PoolTransaction>();
  const queued = new Set<PoolTransaction>();
  let next = 0;
  let last: PoolTransaction | null = null;
  const isFree = ({ requires }: PoolTransaction): boolean =>
    requires.every((tag) => {
      const provider = graph.providers.get(tag)?.transaction;
      return provider === undefined || done.has(provider);
    });
  const release = (transaction: PoolTransaction): void => {
    done.add(transaction);
    for (const tag of transaction.provides) {
      for (const { transaction: dependent } of graph.requirers.get(tag) ?? []) {
        if (queued.has(dependent) || !isFree(dependent)) continue;
        queued.add(dependent);
        freed.insert(dependent);
      }
    }
  };
  const take = (): PoolTransaction | undefined => {
    const root = roots[next];
    const other = freed.first();
    if (root !== undefined && (other === undefined || compareForBlock(root, other) < 0)) {
      next++;
      return root;
    }
    if (other !== undefined) freed.remove(other);
    return other;
  };
  const iteration: ReadyIteration = {
    next: () => {
      if (last !== null) release(last);
      last = null;
      for (let found = take(); found !== undefined; found = take()) {
        if (graph.nodes.get(found.hash)?.transaction !== found) continue;
        last = found;
        return { done: false, value: found };
      }
      return { done: true, value: undefined };
    },
    skipDependents: (transaction) => {
      if (last === transaction) last = null;
    },
    [Symbol.iterator]: () => iteration,
  };
  return iteration;
};

/** Creates an empty ready queue. */
export const createReadyQueue = (onChange: OnChange = () => undefined): ReadyQueue => {
  const graph: Graph = { nodes: new Map(), providers: new Map(), requirers: new Map() };
  const roots = createSortedList<PoolTransaction>(compareForBlock);
  const worst = createSortedList<PoolTransaction>(compareForEviction);
  let bytes = 0;
  const addPending = (node: Node, change: 1 | -1): void => {
    if (node.pending === 0) roots.remove(node.transaction);
    node.pending += change;
    if (node.pending === 0) roots.insert(node.transaction);
  };
  const take = (node: Node): void => {
    bytes -= node.transaction.extrinsic.length;
    for (const dependent of unlink(graph, node)) addPending(dependent, -1);
    onChange(node.transaction);
  };
  const remove = (transaction: PoolTransaction): void => {
    const node = graph.nodes.get(transaction.hash);
    if (node === undefined) return;
    if (node.pending === 0) roots.remove(node.transaction);
    worst.remove(node.transaction);
    take(node);
  };
  return {
    get size() {
      return graph.nodes.size;
    },
    get bytes() {
      return bytes;
    },
    get: (hash) => graph.nodes.get(hash)?.transaction,
    provider: (tag) => graph.providers.get(tag)?.transaction,
    insert: (transaction) => {
      const node: Node = { transaction, pending: 0 };
      for (const tag of transaction.requires) if (graph.providers.has(tag)) node.pending++;
      for (const tag of transaction.provides) {
        graph.providers.set(tag, node);
        for (const dependent of graph.requirers.get(tag) ?? []) addPending(dependent, 1);
      }
      for (const tag of transaction.requires) addTo(graph.requirers, tag, node);
      graph.nodes.set(transaction.hash, node);
      if (node.pending === 0) roots.insert(transaction);
      worst.insert(transaction);
      bytes += transaction.extrinsic.length;
      onChange(transaction);
    },
    remove,
    // Removes dependents first, because otherwise each would briefly become a root.
    removeAll: (transactions) => {
      if (transactions.length < bulk) {
        for (const transaction of transactions.toReversed()) remove(transaction);
        return;
      }
      const gone = new Set(transactions);
      roots.removeAll(gone);
      worst.removeAll(gone);
      for (const { hash } of transactions.toReversed()) {
        const node = graph.nodes.get(hash);
        if (node !== undefined) take(node);
      }
    },
    planReplacement: (transaction) => planReplacement(graph, transaction),
    subtree: (from, kept) => subtreeOf(graph, from, kept ?? null),
    worst: (after = 0) => worst.at(after),
    values: function* () {
      for (const { transaction } of graph.nodes.values()) yield transaction;
    },
    iterate: () => createIteration(graph, roots.snapshot()),
  };
};
