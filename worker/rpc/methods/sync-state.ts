import type { syncState as table } from '../../../src/protocol/rpc/sync-state.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';

export const syncStateMethods: Handlers<typeof table, unknown> = {
  // A specification without the authority set would be no place to start from: the SDK's code for what it cannot load.
  sync_state_genSyncSpec: () => {
    throw new RpcError(1, 'Failed to load the GRANDPA authority set: this node keeps none');
  },
};
