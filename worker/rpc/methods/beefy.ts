import type { beefy as table } from '../../../src/protocol/rpc/beefy.ts';
import { methodNotFound, RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain'>;

const needApi = async ({ chain }: Deps): Promise<void> => {
  if ((await chain.runtimeAt(chain.best().hash)).apiVersion('BeefyApi') === null)
    throw new RpcError(methodNotFound.code, methodNotFound.message);
};

export const beefyMethods: Handlers<typeof table, Deps> = {
  beefy_getFinalizedHead: async (deps) => {
    await needApi(deps);
    throw new RpcError(1, 'BEEFY RPC endpoint not ready');
  },
  beefy_subscribeJustifications: async (deps) => {
    await needApi(deps);
    return () => undefined;
  },
};
