import type { rpc } from '../../../src/protocol/rpc/rpc.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

/** `loadOpenRpc` answers the text of the OpenRPC document, which lies beside the worker rather than in it. */
export const createRpcMethods = (loadOpenRpc: () => Promise<string>): Handlers<typeof rpc, RpcParts> => ({
  'rpc.discover': async () => JSON.parse(await loadOpenRpc()),
  rpc_methods: (_parts, _args, { methods }) => ({ methods: [...methods] }),
});
