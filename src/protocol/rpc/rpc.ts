import { call, methods } from './define.ts';
import type { rpcResults } from './results/system.ts';

/** The node's own RPC interface. */
export const rpc = methods<typeof rpcResults>()({
  rpc_methods: call({ params: {}, safety: 'safe' }),
  'rpc.discover': call({ params: {}, safety: 'safe' }),
});
