import { createHost } from '../../src/host.ts';
import { startNodeIn } from '../../src/start.ts';

/** The raw specification of the development chain, from a node that has sealed and finalized a block. */
export const specJson = async (): Promise<string> => {
  const node = await startNodeIn(createHost(), { seal: 'manual' });
  await node.rpc.dev_newBlock({});
  const spec = await node.rpc.sync_state_genSyncSpec({ raw: true });
  await node.stop();
  return JSON.stringify(spec);
};
