import type { offchain as table } from '../../../src/protocol/rpc/offchain.ts';
import { bytesToHexOrNull } from '../../bytes/hex.ts';
import type { Owner } from '../../offchain/storage.ts';
import type { CallContext, Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'offchain'>;

type Kind = 'PERSISTENT' | 'LOCAL';

/** LOCAL means the values of the best block; the SDK's node has no such store. */
const ownerOf = ({ chain }: Deps, kind: Kind, { dialect }: CallContext): Owner => {
  return kind === 'PERSISTENT' ? null : dialect.localOwner(chain.best().hash);
};

const write = async (
  deps: Deps,
  context: CallContext,
  { kind, key, value }: { readonly kind: Kind; readonly key: Uint8Array; readonly value: Uint8Array | null },
): Promise<null> => {
  await deps.offchain.storage.write(ownerOf(deps, kind, context), key, value);
  return null;
};

export const offchainMethods: Handlers<typeof table, Deps> = {
  offchain_localStorageSet: (deps, change, context) => write(deps, context, change),
  offchain_localStorageClear: (deps, entry, context) => write(deps, context, { ...entry, value: null }),
  offchain_localStorageGet: async (deps, { kind, key }, context) => {
    return bytesToHexOrNull(await deps.offchain.storage.load(ownerOf(deps, kind, context), key));
  },
};
