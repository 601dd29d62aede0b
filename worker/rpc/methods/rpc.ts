import type { rpc } from '../../../src/protocol/rpc/rpc.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

export const rpcMethods: Handlers<typeof rpc, RpcParts> = {
  rpc_methods: (_parts, _args, { methods }) => ({ methods: [...methods] }),
};
