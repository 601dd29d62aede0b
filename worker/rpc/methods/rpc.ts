import { createRoutes, rpcTable } from '../../../src/protocol/rpc/index.ts';
import type { rpc } from '../../../src/protocol/rpc/rpc.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

/** Returns the OpenRPC document, which is a separate file next to the worker. */
export type Describe = () => Promise<{ openrpc: string; methods: { name: string }[] }>;

/** The runtime API that a listed method requires, if any. */
const apiOf: ReadonlyMap<string, string> = new Map(
  [...createRoutes(rpcTable)].flatMap(([name, { entry }]) =>
    entry.needsApi === undefined ? [] : [[name, entry.needsApi] as const],
  ),
);

export const createRpcMethods = (describe: Describe): Handlers<typeof rpc, RpcParts> => ({
  'rpc.discover': () => describe(),
  rpc_methods: async ({ chain, sealing }, _args, { methods, dialect }) => {
    const { apiVersion } = await chain.runtimeAt(chain.best().hash);
    const isThere = (name: string): boolean => {
      if (name.startsWith('engine_') && !dialect.hasEngine(sealing.mode())) return false;
      const api = apiOf.get(name);
      return api === undefined || apiVersion(api) !== null;
    };
    return { methods: methods.filter(isThere) };
  },
});
