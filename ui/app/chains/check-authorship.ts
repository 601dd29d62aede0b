import { createHost } from '../../../src/host.ts';
import type { ChainSource } from '../../../src/index.ts';
import { startNodeIn } from '../../../src/start.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
import { type Authorship, loadAuthorship } from '../../node/consensus/authorship.ts';

/**
 * Starts the chain in memory, without sealing, to see whether a node of this page could seal its blocks. Rejects as the start
 * does, and when the signal fires.
 */
export const checkAuthorship = async (
  chain: ChainSource,
  signal: AbortSignal,
): Promise<Authorship | null> => {
  const node = await startNodeIn(createHost(), { chain, seal: 'manual', offchainWorkers: 'never', signal });
  try {
    return await loadAuthorship({ request: node.connection.request as UiNode['request'] });
  } finally {
    await node.stop();
  }
};
