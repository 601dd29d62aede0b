import { NodeError } from '../../../src/protocol/errors.ts';
import type { offchain as table } from '../../../src/protocol/rpc/offchain.ts';
import { bytesToHexOrNull } from '../../bytes/hex.ts';
import type { Owner } from '../../offchain/storage.ts';
import { RpcError } from '../errors.ts';
import type { CallContext, Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'offchain'>;

type Kind = 'PERSISTENT' | 'LOCAL';

/** LOCAL means the values of the best block; the SDK's node has no such store. */
const ownerOf = ({ chain }: Deps, kind: Kind, { dialect }: CallContext): Owner => {
  return kind === 'PERSISTENT' ? null : dialect.localOwner(chain.best().hash);
};

/** The SDK's codes of these methods start at 5000, and none is for this bound, which its node does not have. */
const refuseFull = (error: unknown): never => {
  if (error instanceof NodeError && error.code === 'LimitReached') throw new RpcError(5003, error.message);
  throw error;
};

const write = async (
  deps: Deps,
  context: CallContext,
  { kind, key, value }: { readonly kind: Kind; readonly key: Uint8Array; readonly value: Uint8Array | null },
): Promise<null> => {
  const { storage } = deps.offchain;
  const owner = ownerOf(deps, kind, context);
  if (value === null) await storage.write(owner, key, value);
  else await storage.set(owner, key, value).catch(refuseFull);
  return null;
};

export const offchainMethods: Handlers<typeof table, Deps> = {
  offchain_localStorageSet: (deps, change, context) => write(deps, context, change),
  offchain_localStorageClear: (deps, entry, context) => write(deps, context, { ...entry, value: null }),
  offchain_localStorageGet: async (deps, { kind, key }, context) => {
    return bytesToHexOrNull(await deps.offchain.storage.load(ownerOf(deps, kind, context), key));
  },
};
