import { createHost } from '../../../src/host.ts';
import { startNodeIn } from '../../../src/start.ts';

/** The genesis hash of a specification: its chain is started in memory, and nothing else. Rejects as the start does. */
export const genesisOf = async (specJson: string): Promise<string> => {
  const node = await startNodeIn(createHost(), {
    chain: { specJson },
    seal: 'manual',
    keys: [],
    offchainWorkers: 'never',
  });
  await node.stop();
  return node.info.genesisHash;
};
