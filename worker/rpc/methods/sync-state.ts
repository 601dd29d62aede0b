import type { syncState as table } from '../../../src/protocol/rpc/sync-state.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';

export const syncStateMethods: Handlers<typeof table, unknown> = {
  // A specification without BABE's epochs would be no place to start from: the SDK's code and text for what it cannot load.
  sync_state_genSyncSpec: () => {
    throw new RpcError(1, 'Failed to load the BABE epoch data: this node keeps no tree of epoch changes');
  },
};
