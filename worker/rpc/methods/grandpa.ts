import type { grandpa as table } from '../../../src/protocol/rpc/grandpa.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';

export const grandpaMethods: Handlers<typeof table, unknown> = {
  // RPC.md §1.4: what a node without a running voter answers.
  grandpa_roundState: () => {
    throw new RpcError(1, 'GRANDPA RPC endpoint not ready');
  },
  // A native node opens it whether or not a voter runs; without one there is no justification to tell of.
  grandpa_subscribeJustifications: () => () => undefined,
};
