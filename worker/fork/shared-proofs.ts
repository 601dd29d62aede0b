import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToKey } from '../bytes/bytes.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { MissingNode } from '../trie/missing-nodes.ts';
import type { NodeBatch } from '../trie/node-source.ts';

/** What is proven together. `callers`: how many runs wait for some of it. */
type Shared = { readonly missing: MissingNode[]; callers: number; readonly result: Promise<NodeBatch> };

const isLost = (error: unknown): boolean => error instanceof NodeError && error.code === 'NotCached';

/**
 * Many runs may miss nodes at once: the reads of many clients, and a block that is built meanwhile. What is missed in one
 * turn is one request, and a node that is on its way is not requested again.
 */
export const shareProofs = (prove: NodeOrigin['prove']): NodeOrigin['prove'] => {
  const running = new Map<string, Shared>();
  let next: Shared | null = null;

  const begin = (): Shared => {
    const missing: MissingNode[] = [];
    const result = Promise.resolve().then(() => {
      next = null;
      return prove(missing);
    });
    const shared = { missing, callers: 0, result };
    const end = (): void => {
      for (const { hash } of missing) running.delete(bytesToKey(hash));
    };
    result.then(end, end);
    return shared;
  };
  const add = (missing: readonly MissingNode[]): Shared => {
    next ??= begin();
    next.missing.push(...missing);
    for (const { hash } of missing) running.set(bytesToKey(hash), next);
    return next;
  };

  return async (missing) => {
    const joined = new Set<Shared>();
    const own = missing.filter(({ hash }) => {
      const shared = running.get(bytesToKey(hash));
      if (shared !== undefined) joined.add(shared);
      return shared === undefined;
    });
    if (own.length > 0) joined.add(add(own));
    for (const shared of joined) shared.callers += 1;
    const settled = await Promise.allSettled([...joined].map(({ result }) => result));
    const nodes = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed === undefined) return nodes;
    // What is lost may be what only another run needs.
    const isAlone = [...joined].every(({ callers }) => callers === 1);
    if (isAlone || !isLost(failed.reason)) throw failed.reason;
    const found = new Set(nodes.map(([hash]) => bytesToKey(hash)));
    const left = missing.filter(({ hash }) => !found.has(bytesToKey(hash)));
    return left.length === 0 ? nodes : [...nodes, ...(await prove(left))];
  };
};
