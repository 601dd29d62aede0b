import type { grandpa as table } from '../../../src/protocol/rpc/grandpa.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';

/** RPC.md §1.4: what a node without a running voter answers. */
const notReady = (): never => {
  throw new RpcError(1, 'GRANDPA RPC endpoint not ready');
};

export const grandpaMethods: Handlers<typeof table, unknown> = {
  grandpa_roundState: notReady,
  grandpa_subscribeJustifications: notReady,
};
