import type { rpc } from '../../../src/protocol/rpc/rpc.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

/** Answers the OpenRPC document, whose text lies beside the worker rather than in it. */
export type Describe = () => Promise<{ openrpc: string; methods: { name: string }[] }>;

export const createRpcMethods = (describe: Describe): Handlers<typeof rpc, RpcParts> => ({
  'rpc.discover': () => describe(),
  rpc_methods: (_parts, _args, { methods }) => ({ methods: [...methods] }),
});
