import { call, methods } from './define.ts';
import { contractCall, contractInstantiation, contractUpload } from './params/contracts.ts';
import { bytes, hash, optional, text } from './params/params.ts';
import type { contractsResults } from './results/contracts.ts';

/** Contracts through the runtime's `ContractsApi`; reserved in PSP-6, "Method not found" without that API. */
export const contracts = methods<typeof contractsResults>()({
  contracts_call: call({ params: { call_request: contractCall(), at: optional(hash()) }, safety: 'safe' }),
  contracts_getStorage: call({
    params: { address: text('account'), key: bytes(), at: optional(hash()) },
    safety: 'safe',
  }),
  contracts_instantiate: call({
    params: { instantiate_request: contractInstantiation(), at: optional(hash()) },
    safety: 'safe',
  }),
  contracts_upload_code: call({
    params: { upload_request: contractUpload(), at: optional(hash()) },
    safety: 'safe',
  }),
  contracts_rentProjection: call({
    params: { address: text('account'), at: optional(hash()) },
    safety: 'safe',
  }),
});
