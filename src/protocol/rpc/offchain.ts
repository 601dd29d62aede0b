import * as z from 'zod/mini';
import { call } from './define.ts';
import { bytes } from './params.ts';
import { storageKind } from './params-sdk.ts';
import { hexResult } from './results.ts';

const safety = { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' } as const;
const key = '0x6b6579';

/**
 * The offchain database: PERSISTENT is independent of forks, LOCAL belongs to the best block. Under
 * polkadot-sdk, LOCAL returns error 5001.
 */
export const offchain = {
  offchain_localStorageSet: call({
    doc: 'Sets a value of the offchain database; polkadot-sdk: of kind PERSISTENT only.',
    params: { kind: storageKind(), key: bytes(), value: bytes() },
    result: z.null(),
    safety,
    example: { args: { kind: 'PERSISTENT', key, value: '0x76616c7565' }, result: null },
  }),
  offchain_localStorageGet: call({
    doc: 'A value of the offchain database, or null; polkadot-sdk: of kind PERSISTENT only.',
    params: { kind: storageKind(), key: bytes() },
    result: z.nullable(hexResult()),
    safety,
    example: { args: { kind: 'PERSISTENT', key }, result: '0x76616c7565' },
  }),
  offchain_localStorageClear: call({
    doc: 'Removes a value of the offchain database; polkadot-sdk: of kind PERSISTENT only.',
    params: { kind: storageKind(), key: bytes() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { kind: 'PERSISTENT', key }, result: null },
  }),
};
