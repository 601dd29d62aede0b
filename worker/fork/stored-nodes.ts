import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { Database } from '../db/database.ts';

/**
 * Stores each node that a fork reads from the live chain, so that it is read once, and the fork opens without the live chain
 * later. The store of nodes has everything by hash, verified, and a fork keeps all states.
 */
export const storeNodes = (live: NodeOrigin, db: Pick<Database, 'write'>): NodeOrigin => ({
  stored: live.stored,
  prove: async (missing) => {
    const nodes = await live.prove(missing);
    await db.write({ puts: nodes.map(([hash, node]) => ['nodes', hash, node] as const), deletes: [] });
    return nodes;
  },
});
