import type { NodeOrigin } from '../../chain/states/node-origin.ts';
import type { Database } from '../../db/database.ts';
import type { NodeBatch } from '../../trie/node-source.ts';
import type { SharedStore } from './shared-store.ts';

/**
 * Stores each node that a fork reads, so that it is read once, and the fork opens without the live chain later. The store of
 * nodes has everything by hash, verified, and a fork keeps all states. What other forks have read is taken from the shared
 * store, which may forget it.
 */
export const storeNodes = (
  live: Pick<NodeOrigin, 'prove'>,
  db: Pick<Database, 'write'>,
  shared: Pick<SharedStore, 'nodes' | 'addNodes'>,
): NodeOrigin => {
  const store = (nodes: NodeBatch): Promise<void> =>
    db.write({ puts: nodes.map(([hash, node]) => ['nodes', hash, node] as const), deletes: [] });
  return {
    stored: async (hashes) => {
      const found = await shared.nodes(hashes);
      const own = hashes.flatMap((hash, index) => {
        const node = found[index] ?? null;
        return node === null ? [] : [[hash, node] as const];
      });
      if (own.length > 0) await store(own);
      return found;
    },
    prove: async (missing) => {
      const nodes = await live.prove(missing);
      await store(nodes);
      shared.addNodes(nodes);
      return nodes;
    },
  };
};
