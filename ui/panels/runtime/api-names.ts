import { apiId } from '../../../src/scale/hash.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';

/** Names of the Polkadot SDK's runtime APIs: without metadata V15 or later, a runtime lists only the ids. */
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

/** API names by id, from the SDK and from the runtime's metadata, if it can be read. */
export const namesById = (meta: RuntimeMeta | null): ReadonlyMap<string, string> =>
  new Map(
    [...knownNames, ...(meta?.metadata.apis ?? []).map(({ name }) => name)].map((name) => [
      apiId(name),
      name,
    ]),
  );
