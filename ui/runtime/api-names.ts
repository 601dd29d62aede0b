import { apiId } from '../meta/hash.ts';
import type { RuntimeMeta } from '../meta/types.ts';

/** Runtime APIs of the Polkadot SDK: a runtime without metadata V15 tells their ids alone. */
const knownNames = `
  Core Metadata BlockBuilder TaggedTransactionQueue OffchainWorkerApi SessionKeys AccountNonceApi
  TransactionPaymentApi TransactionPaymentCallApi GenesisBuilder AuraApi AuraUnincludedSegmentApi BabeApi
  SassafrasApi GrandpaApi BeefyApi BeefyMmrApi MmrApi AuthorityDiscoveryApi ParachainHost CollectCollationInfo
  GetCoreSelectorApi RelayParentOffsetApi NominationPoolsApi StakingApi AssetsApi FungiblesApi
  AssetConversionApi NftsApi ContractsApi ReviveApi XcmPaymentApi DryRunApi LocationToAccountApi TrustedQueryApi
  AuthorizedAliasersApi Benchmark TryRuntime RuntimeViewFunction ValidateStatement MixnetApi
  TransactionStorageApi EthereumRuntimeRPCApi ConvertTransactionRuntimeApi DebugRuntimeApi RootTestingApi
`
  .trim()
  .split(/\s+/);

/** Names by id, of the runtime's own metadata, where it can be read, and of the SDK. */
export const namesById = (meta: RuntimeMeta | null): ReadonlyMap<string, string> =>
  new Map(
    [...knownNames, ...(meta?.metadata.apis ?? []).map(({ name }) => name)].map((name) => [
      apiId(name),
      name,
    ]),
  );
