import type { offchain as table } from '../../../src/protocol/rpc/offchain.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import type { Owner } from '../../offchain/storage.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

type Deps = Pick<RpcParts, 'chain' | 'offchain'>;

/** LOCAL means the best block's values (RPC.md §1.7). */
const ownerOf = ({ chain }: Deps, kind: 'PERSISTENT' | 'LOCAL'): Owner =>
  kind === 'LOCAL' ? chain.best().hash : null;

const write = async (
  deps: Deps,
  kind: 'PERSISTENT' | 'LOCAL',
  key: Uint8Array,
  value: Uint8Array | null,
): Promise<null> => {
  deps.offchain.storage.write(ownerOf(deps, kind), key, value);
  await deps.offchain.storage.flush();
  return null;
};

export const offchainMethods: Handlers<typeof table, Deps> = {
  offchain_localStorageSet: (deps, { kind, key, value }) => write(deps, kind, key, value),
  offchain_localStorageClear: (deps, { kind, key }) => write(deps, kind, key, null),
  offchain_localStorageGet: async (deps, { kind, key }) => {
    const value = await deps.offchain.storage.load(ownerOf(deps, kind), key);
    return value === null ? null : bytesToHex(value);
  },
};
