import { call, methods } from './define.ts';
import { bytes } from './params/params.ts';
import { storageKind } from './params/sdk.ts';
import type { offchainResults } from './results/offchain.ts';

const safety = { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' } as const;

/**
 * The offchain database: PERSISTENT is independent of forks, LOCAL belongs to the best block. Under
 * polkadot-sdk, LOCAL returns error 5001.
 */
export const offchain = methods<typeof offchainResults>()({
  offchain_localStorageSet: call({ params: { kind: storageKind(), key: bytes(), value: bytes() }, safety }),
  offchain_localStorageGet: call({ params: { kind: storageKind(), key: bytes() }, safety }),
  offchain_localStorageClear: call({ params: { kind: storageKind(), key: bytes() }, safety: 'unsafe' }),
});
